import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStaging, type Staging } from '../staging.ts'
import { stageMysqlServer } from './read-live.ts'

/** The part of mysql2's server side that its types leave out. */
interface ServerSide {
  sequenceId: number
  serverHandshake(options: Record<string, unknown>): void
  on(name: string, listener: (sql: string) => void): void
  writeOk(): void
  writeError(error: { message: string; code: number }): void
  writeTextResult(rows: readonly Record<string, unknown>[], columns: readonly { name: string }[]): void
}
const mysql = createRequire(import.meta.url)('mysql2') as {
  createServer(): {
    on(name: 'connection', listener: (connection: ServerSide) => void): void
    listen(port: number, host: string, done: () => void): void
    close(): void
    _server: { address(): AddressInfo }
  }
}

const TABLES: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  p_items: [
    { id: '1', name: 'one ä😀', made: '0000-00-00 00:00:00' },
    { id: '18446744073709551615', name: null, made: '2024-01-02 03:04:05' },
  ],
  p_other: [{ id: '1' }],
}

let asked: string[] = []
let server: ReturnType<typeof mysql.createServer>
let staging: Staging
beforeEach(async () => {
  asked = []
  staging = openStaging(tmpdir())
  server = mysql.createServer()
  server.on('connection', (connection) => {
    // Each command of the client starts counting packets anew.
    const done = () => {
      connection.sequenceId = 0
    }
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.0.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 45,
      capabilityFlags: 0xffffff,
      authCallback: (_: unknown, accept: (error: null) => void) => {
        accept(null)
        done()
      },
    })
    const settings = (sql: string) => {
      asked.push(sql)
      connection.sequenceId = 1
      connection.writeOk()
      done()
    }
    const answer = (rows: readonly Record<string, unknown>[]) =>
      connection.writeTextResult(
        rows,
        Object.keys(rows[0] as object).map((name) => ({
          name,
          catalog: 'def',
          schema: 'd',
          table: 't',
          orgTable: 't',
          orgName: name,
          characterSet: 45,
          columnLength: 1000,
          columnType: 253,
          flags: 0,
          decimals: 0,
        })),
      )
    connection.on('error', () => {})
    connection.on('stmt_prepare', settings)
    connection.on('query', (sql) => {
      if (sql.startsWith('start')) return settings(sql)
      asked.push(sql)
      connection.sequenceId = 1
      const [, columns, table] = /^(?:show columns|select (.*)) from `(\w+)`/.exec(sql) ?? []
      const rows = TABLES[table ?? ''] ?? []
      if (sql === 'show tables') answer(Object.keys(TABLES).map((name) => ({ Tables: name })))
      else if (table && !columns) answer(Object.keys(rows[0] as object).map((Field) => ({ Field })))
      else answer(rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => columns?.includes(name)))))
      done()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  staging.close()
  server.close()
})

const address = () => `mysql://reader:secret@127.0.0.1:${server._server.address().port}/site`

test('copies the wanted columns of the wanted tables, and only reads', async () => {
  const shape = { columns: { id: 'text', name: 'text', absent: 'text' } } as const
  await stageMysqlServer(staging, address(), (table) => (table === 'p_items' ? shape : null))
  staging.define('items', 'p_items', shape)
  expect([...staging.rows('select * from items')]).toEqual([
    { id: '1', name: 'one ä😀', absent: null },
    { id: '18446744073709551615', name: null, absent: null },
  ])
  expect(asked).toContain('start transaction with consistent snapshot, read only')
  expect(asked).toContain('select `id`, `name` from `p_items`')
  expect(asked.filter((sql) => !/^(?:set session|start transaction .* read only|show|select)/.test(sql))).toEqual([])
})

test('a server that cannot be reached is named', async () => {
  const gone = address()
  server.close()
  await expect(stageMysqlServer(staging, gone, () => null)).rejects.toThrow(/database cannot be read: connect/)
})
