import { isUtf8 } from 'node:buffer'
import { type Db, dialectOf } from './database.ts'
import { runText, type Value } from './statement.ts'
import { listTables, type Table } from './tables.ts'

const PAGE = 2000

/** All values of a row as one blob, set apart so that two of them cannot mend each other. */
const wholeRow = (table: Table) => `cast(${table.columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ')} as blob)`

const malformedRows = async (db: Db, table: Table): Promise<string[]> => {
  const found: string[] = []
  const order = table.key.join(', ')
  for (let last: Value[] | null = null; ; ) {
    const behind: string = last ? ` where (${order}) > (${table.key.map((_, i) => `$${i + 1}`).join(', ')})` : ''
    const text = `select ${order}, ${wholeRow(table)} as whole from ${table.name}${behind} order by ${order} limit ${PAGE}`
    const rows: (Record<string, Value> & { whole: Buffer })[] = await runText(db, text, last ?? [])
    for (const row of rows) {
      if (!isUtf8(row.whole) || row.whole.includes(0)) found.push(`${table.name} ${table.key.map((column) => row[column]).join(' ')}`)
    }
    const end = rows.at(-1)
    if (!end || rows.length < PAGE) return found
    last = table.key.map((column) => end[column] ?? null)
  }
}

/** Rows that hold a text which is not well-formed UTF-8 or has a NUL in it. PostgreSQL takes no such text, so there is nothing to look for. */
export const findMalformedText = async (db: Db): Promise<string[]> => {
  if (dialectOf(db) === 'postgres') return []
  const found: string[] = []
  for (const table of await listTables(db)) found.push(...(await malformedRows(db, table)))
  return found
}
