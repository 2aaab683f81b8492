import { type Db, listTables, readRows } from '../src/db/index.ts'
import type { World } from './world.ts'

export type Row = Readonly<Record<string, unknown>>
export type Tables = ReadonlyMap<string, readonly Row[]>

const known = new WeakMap<object, ReturnType<typeof listTables>>()

/** The tables of a world; asking for them takes longer than reading them. */
const tablesOf = ({ services }: World['app'], db: Db) => {
  const found = known.get(services.database) ?? listTables(db)
  known.set(services.database, found)
  return found
}

/**
 * Everything that is stored, table by table, ordered by their keys; with the handle of a transaction what it would be after it. When somebody
 * was last here is not among it while presence rests.
 */
export const everything = async ({ app }: World, db: Db = app.services.database.read): Promise<Tables> => {
  const tables = new Map<string, readonly Row[]>()
  for (const table of await tablesOf(app, db)) {
    const rows: Row[] = []
    for await (const page of readRows(db, table))
      rows.push(...page.map((row) => Object.fromEntries(table.columns.map((name, i) => [name, row[i]]))))
    tables.set(table.name, rows)
  }
  return tables
}
