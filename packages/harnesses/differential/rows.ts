import { type Database, listTables, readRows } from '../../server/src/db/index.ts'
import type { Pair } from './twins.ts'

/** Triggers record changes, and a deletion fires them in a database-specific order; job ids are not comparable. */
const IN_ANY_ORDER = new Set(['analytics_outbox', 'jobs'])

/** Columns with durations. Stored idempotent responses may contain them too, and are encrypted; they were compared when sent. */
const MEASURED = new Set(['response_time', 'idempotency_keys.body'])
const isMeasured = (table: string, column: string) => MEASURED.has(column) || MEASURED.has(`${table}.${column}`)

/** The rows of every table as JSON lines, in key order. */
const rowsOf = async ({ read }: Database): Promise<ReadonlyMap<string, readonly string[]>> => {
  const tables = new Map<string, string[]>()
  for (const table of await listTables(read)) {
    const rows: string[] = []
    for await (const page of readRows(read, table))
      for (const row of page)
        rows.push(JSON.stringify(Object.fromEntries(table.columns.map((name, i) => [name, isMeasured(table.name, name) ? 0 : row[i]]))))
    const numbers = /^\{"id":\d+,/
    tables.set(table.name, IN_ANY_ORDER.has(table.name) ? rows.map((row) => row.replace(numbers, '{')).sort() : rows)
  }
  return tables
}

/** The number of rows, and the first difference in each table. */
export const compareRows = async (
  databases: Pair<Database>,
): Promise<{ readonly rows: number; readonly differences: readonly string[] }> => {
  const [sqlite, postgres] = [await rowsOf(databases.sqlite), await rowsOf(databases.postgres)]
  const differences: string[] = []
  let rows = 0
  for (const name of new Set([...sqlite.keys(), ...postgres.keys()])) {
    const [mine, theirs] = [sqlite.get(name) ?? [], postgres.get(name) ?? []]
    rows += mine.length
    const at = Array.from({ length: Math.max(mine.length, theirs.length) }, (_, i) => i).find((i) => mine[i] !== theirs[i])
    if (at !== undefined) differences.push(`${name}:\n  sqlite:   ${mine[at]}\n  postgres: ${theirs[at]}`)
  }
  return { rows, differences }
}
