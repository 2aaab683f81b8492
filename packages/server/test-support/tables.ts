import { type Db, listTables, readRows } from '../src/db/index.ts'
import type { World } from './world.ts'

export type Row = Readonly<Record<string, unknown>>
export type Tables = ReadonlyMap<string, readonly Row[]>

const known = new WeakMap<object, ReturnType<typeof listTables>>()

/** Cached, since listing the tables takes longer than reading them. */
const tablesOf = ({ services }: World['app'], db: Db) => {
  const found = known.get(services.database) ?? listTables(db)
  known.set(services.database, found)
  return found
}

/**
 * All rows of all tables in key order; with a transaction handle, its uncommitted state. Excludes last-seen times while their recording is
 * off.
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
