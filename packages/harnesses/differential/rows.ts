import { type Database, listTables, readRows } from '../../server/src/db/index.ts'
import type { Pair } from './twins.ts'

/** Changes are noted by triggers, which a deletion fires in an order that is the database's own; ids of jobs are nobody's. */
const IN_ANY_ORDER = new Set(['analytics_outbox', 'jobs'])

/** Columns that tell how long something took. Answers that are kept may hold it too, and are sealed; they were compared when they were sent. */
const MEASURED = new Set(['response_time', 'idempotency_keys.body'])
const isMeasured = (table: string, column: string) => MEASURED.has(column) || MEASURED.has(`${table}.${column}`)

/** The rows of every table as lines of JSON, in the order of their keys. */
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

/** How many rows there are, and the first of each table that is another on the other side. */
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
