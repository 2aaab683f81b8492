import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import type { Value } from '../../../server/src/db/sql/statement.ts'

/** Characters per COPY command. */
const CHUNK = 1_000_000

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const SPECIAL = /[\\\t\n\r]/
const SPECIALS = /[\\\t\n\r]/g

const field = (value: Value): string => {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return SPECIAL.test(value) ? value.replace(SPECIALS, (character) => ESCAPED[character] as string) : value
}

const line = (row: readonly Value[]): string => {
  let text = field(row[0] as Value)
  for (let i = 1; i < row.length; i++) text += `\t${field(row[i] as Value)}`
  return `${text}\n`
}

/** Buffers rows and writes them by COPY. Call `flush` before any other statement on the connection. */
export const copyFrom = (client: pg.PoolClient, isNew: (table: string) => boolean) => {
  const collected = new Map<string, { readonly text: string[]; length: number }>()
  let sending: Promise<void> = Promise.resolve()

  const send = async (target: string, text: string) => {
    const stream = client.query(from(target))
    const end = finished(stream)
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), end])
    stream.end()
    await end
  }
  /** Sends one chunk while the next one is filled. */
  const sendLater = async (target: string, text: string) => {
    await sending
    sending = send(target, text)
    // The next send or flush reports the error.
    sending.catch(() => {})
  }

  return {
    add: async (table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> => {
      const target = `copy ${table} (${columns.join(', ')}) from stdin${isNew(table) ? ' (freeze)' : ''}`
      const portion = collected.get(target) ?? { text: [], length: 0 }
      for (const row of rows) {
        const text = line(row)
        portion.text.push(text)
        portion.length += text.length
      }
      collected.set(target, portion)
      if (portion.length < CHUNK) return
      collected.delete(target)
      await sendLater(target, portion.text.join(''))
    },
    flush: async (): Promise<void> => {
      for (const [target, { text }] of collected) {
        collected.delete(target)
        if (text.length > 0) await sendLater(target, text.join(''))
      }
      await sending
    },
  }
}
