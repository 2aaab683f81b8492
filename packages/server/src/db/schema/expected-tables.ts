import Sqlite from 'better-sqlite3'
import { type Db, dialectOf } from '../database.ts'
import { migrateWithin } from '../migrations/migrate.ts'
import { runText } from '../sql/statement.ts'
import { kyselyOn } from '../sqlite/database.ts'
import { listTables } from './table-catalog.ts'

const INDEXES = {
  sqlite: `select name from sqlite_schema where type = 'index' and sql is not null`,
  postgres: 'select indexname::text as name from pg_indexes where schemaname = current_schema()',
} as const

/** Names of tables, columns (`table.column`) and indexes (`index name`). */
const namesIn = async (db: Db): Promise<Set<string>> => {
  const tables = await listTables(db)
  const indexes = await runText<{ name: string }>(db, INDEXES[dialectOf(db)], [])
  return new Set([
    ...tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column}`)]),
    ...indexes.map(({ name }) => `index ${name}`),
  ])
}

/** The schema of this version on SQLite; PostgreSQL has the same and a few more tables and indexes. */
const expected = async (): Promise<Set<string>> => {
  const memory = new Sqlite(':memory:')
  try {
    const db = kyselyOn(memory)
    await migrateWithin(db, '2026-01-01 00:00:00')
    return await namesIn(db)
  } finally {
    memory.close()
  }
}

/** The missing tables, columns and indexes of a database, and its unknown tables and columns, by comparison with the migrations. */
export const tableDifferences = async (db: Db) => {
  const [wanted, present] = [await expected(), await namesIn(db)]
  const unknown = [...present].filter((name) => !wanted.has(name) && !name.startsWith('index '))
  return { missing: [...wanted].filter((name) => !present.has(name)), unknown }
}
