import Sqlite from 'better-sqlite3'
import type { Value } from '../../../server/src/db/sql/statement.ts'
import { kyselyOn } from '../../../server/src/db/sqlite/database.ts'
import { transactionDatabase } from './transaction-database.ts'
import { type BulkLoader, ExclusiveAccessError } from './types.ts'

/** More rows per statement do not reduce the time per row. */
const MAX_ROWS = 64
/** Page cache in KiB; each of up to three sorting threads uses the same amount. */
const CACHE = 160 * 1024

interface Definition {
  readonly name: string
  readonly type: 'index' | 'trigger'
  readonly tbl_name: string
  readonly sql: string
}

/** An exclusive connection with a rollback journal, which contains only pages that existed before. */
const openExclusive = (file: string): Sqlite.Database => {
  const connection = new Sqlite(file, { timeout: 1000 })
  try {
    connection.pragma('locking_mode = EXCLUSIVE')
    const mode = connection.pragma('journal_mode = DELETE', { simple: true })
    if (mode !== 'delete') throw new ExclusiveAccessError(`${file} is in use`)
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = OFF')
    connection.pragma('trusted_schema = OFF')
    connection.pragma(`cache_size = -${CACHE}`)
    connection.pragma('temp_store = FILE')
    connection.pragma('threads = 2')
    connection.exec('begin exclusive')
    return connection
  } catch (error) {
    connection.close()
    const busy = /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code))
    throw busy ? new ExclusiveAccessError(`${file} is in use`) : error
  }
}

const dropDefinitions = (connection: Sqlite.Database, tables: readonly string[]): Definition[] => {
  const all = connection
    .prepare(`select name, type, tbl_name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null order by rowid`)
    .all() as Definition[]
  const found = all.filter(({ tbl_name }) => tables.includes(tbl_name))
  for (const { name, type } of found) connection.exec(`drop ${type} ${name}`)
  return found
}

/** Statements by table, columns and number of rows. */
const inserter = (connection: Sqlite.Database) => {
  const known = new Map<string, Sqlite.Statement>()
  return (table: string, columns: readonly string[], rows: number) => {
    const key = `${table} ${columns.join()} ${rows}`
    const found = known.get(key)
    if (found) return found
    const row = `(${columns.map(() => '?').join(', ')})`
    const made = connection.prepare(
      `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`,
    )
    known.set(key, made)
    return made
  }
}

const loadOn = (connection: Sqlite.Database, definitions: readonly Definition[]): BulkLoader => {
  const insertOf = inserter(connection)
  const indexes = Map.groupBy(
    definitions.filter(({ type }) => type === 'index'),
    ({ tbl_name }) => tbl_name,
  )
  const db = kyselyOn(connection)
  return {
    db,
    database: transactionDatabase(db),
    isApart: false,
    add: async (table, columns, rows) => {
      for (let at = 0; at < rows.length; ) {
        const count = rows.length - at >= MAX_ROWS ? MAX_ROWS : 1
        const values: Value[] = []
        for (let i = at; i < at + count; i++) values.push(...(rows[i] as readonly Value[]))
        insertOf(table, columns, count).run(...values)
        at += count
      }
    },
    waiting: (table) => indexes.get(table)?.length ?? 0,
    index: async function* (table) {
      const waiting = indexes.get(table) ?? []
      indexes.delete(table)
      for (const { sql } of waiting) {
        connection.exec(sql)
        yield
      }
    },
  }
}

/** See `openBulkLoader`. */
export const loadSqlite = async <T>(file: string, tables: readonly string[], work: (load: BulkLoader) => Promise<T>): Promise<T> => {
  const connection = openExclusive(file)
  try {
    const definitions = dropDefinitions(connection, tables)
    const load = loadOn(connection, definitions)
    const result = await work(load)
    for (const table of new Set(definitions.map(({ tbl_name }) => tbl_name))) for await (const _ of load.index(table));
    for (const { type, sql } of definitions) if (type === 'trigger') connection.exec(sql)
    connection.exec('commit')
    return result
  } finally {
    if (connection.inTransaction) connection.exec('rollback')
    connection.pragma('journal_mode = WAL')
    connection.close()
  }
}
