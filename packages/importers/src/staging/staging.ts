import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Problem, TableShape, Value } from './shape.ts'

/** Copies the rows of one table. */
export interface Loader {
  /** Adds a row with values in the order of the loader's columns. */
  readonly add: (values: readonly Value[], place: string) => void
  /** Which columns are copied; values of others are ignored. */
  readonly copied: readonly boolean[]
}

export type Parameter = string | number | bigint | null

/** A temporary SQLite file with the unchanged rows of a source. It is deleted on close, or when the process ends. */
export interface Staging {
  /** Names of the copied tables, as the source spells them. */
  readonly tables: () => readonly string[]
  /** Number of rows in a source table, including rows that were not copied. */
  readonly seen: (table: string) => number
  /** Creates a table if it does not exist, and returns a loader for rows with these columns. */
  readonly loader: (table: string, shape: TableShape, columns: readonly string[]) => Loader
  /** Drops a table and its problems. */
  readonly drop: (table: string) => void
  /** Creates the indexes. Call it after loading. */
  readonly finish: () => void
  /** Makes a copied table available to queries as `name`; empty if the source lacks it. */
  readonly define: (name: string, table: string | null, shape: TableShape) => void
  /** Runs SQL that creates derived tables. */
  readonly exec: (sql: string) => void
  /** Returns a function that adds a row to a derived table, unless its key exists. */
  readonly writer: (table: string, columns: readonly string[]) => (...values: readonly Parameter[]) => void
  /** Streams the rows of a query. Other queries may run meanwhile. */
  readonly rows: <Row>(sql: string, ...parameters: readonly Parameter[]) => IterableIterator<Row>
  readonly get: <Row>(sql: string, ...parameters: readonly Parameter[]) => Row | undefined
  readonly report: (problem: Problem) => void
  readonly problems: (table: string) => IterableIterator<Problem>
  readonly close: () => void
}

const TYPES = { integer: 'integer', real: 'real', text: 'text', blob: 'blob' } as const
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Name of a copied table. The prefix avoids conflicts with the names that queries use. */
const stored = (table: string) => quoted(`source ${table}`)

const definition = (name: string, { columns, key }: TableShape) =>
  `create table ${name} (${Object.entries(columns)
    .map(([column, type]) => `${quoted(column)} ${TYPES[type]}${column === key ? ' primary key' : ''}`)
    .join(', ')})`

interface Table {
  readonly shape: TableShape
  seen: number
}

/** `directory` needs space for the texts of the source; defaults to the system's temporary directory. */
export const openStaging = (directory: string = tmpdir()): Staging => {
  const folder = mkdtempSync(join(directory, 'lyceum-import-'))
  const db = new Database(join(folder, 'staging.sqlite'))
  db.pragma('locking_mode = exclusive')
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.pragma('cache_size = -16384')
  db.exec('create table "staging problems" ("table" text, place text, reason text)')
  // The open file stays usable after its removal, and a killed process leaves nothing behind.
  if (process.platform !== 'win32') rmSync(folder, { recursive: true })

  const tables = new Map<string, Table>()
  const statements = new Map<string, Database.Statement>()
  const addProblem = db.prepare('insert into "staging problems" values (?, ?, ?)')
  const report = ({ table, place, reason }: Problem) => addProblem.run(table, place, reason)

  const loader = (table: string, shape: TableShape, columns: readonly string[]): Loader => {
    const known = tables.get(table) ?? { shape, seen: 0 }
    if (!tables.has(table)) {
      db.exec(definition(stored(table), shape))
      tables.set(table, known)
    }
    if (!db.inTransaction) db.exec('begin')
    const lower = columns.map((column) => column.toLowerCase())
    const names = Object.keys(shape.columns)
    const positions = names.map((name) => lower.indexOf(name.toLowerCase()))
    const insert = db.prepare(`insert or ignore into ${stored(table)} values (${names.map(() => '?').join(', ')})`)
    const test = shape.keep?.test
    const tested = shape.keep ? lower.indexOf(shape.keep.column.toLowerCase()) : -1
    const row: Value[] = names.map(() => null)
    return {
      copied: columns.map((_, index) => positions.includes(index)),
      add: (values, place) => {
        known.seen++
        if (values.length !== columns.length) {
          report({ table, place, reason: `it has ${values.length} values for ${columns.length} columns` })
          return
        }
        if (test && tested >= 0 && !test(values[tested] ?? null)) return
        for (let at = 0; at < row.length; at++) row[at] = values[positions[at] as number] ?? null
        try {
          if (insert.run(row).changes === 0) report({ table, place, reason: 'another row has the same primary key' })
        } catch (error) {
          if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_MISMATCH') throw error
          report({ table, place, reason: 'its primary key is not a number' })
        }
      },
    }
  }

  const finish = () => {
    for (const [table, { shape }] of tables)
      for (const [at, columns] of (shape.indexes ?? []).entries())
        db.exec(`create index if not exists ${quoted(`index ${at} ${table}`)} on ${stored(table)} (${columns})`)
    if (db.inTransaction) db.exec('commit')
    db.exec('pragma analysis_limit = 1000; analyze')
  }

  const drop = (table: string) => {
    if (!tables.delete(table)) return
    db.exec(`drop table ${stored(table)}`)
    db.prepare('delete from "staging problems" where "table" = ?').run(table)
  }

  const define = (name: string, table: string | null, shape: TableShape) => {
    if (table !== null && tables.has(table)) db.exec(`create view ${quoted(name)} as select * from ${stored(table)}`)
    else db.exec(definition(quoted(name), shape))
  }

  /** Returns a cached statement that no running query uses. */
  const statement = (sql: string): Database.Statement => {
    const known = statements.get(sql)
    if (known && !known.busy) return known
    const made = db.prepare(sql)
    if (!known) statements.set(sql, made)
    return made
  }

  const rows = <Row>(sql: string, ...parameters: readonly Parameter[]) => statement(sql).iterate(...parameters) as IterableIterator<Row>
  const get = <Row>(sql: string, ...parameters: readonly Parameter[]) => statement(sql).get(...parameters) as Row | undefined

  return {
    tables: () => [...tables.keys()],
    seen: (table) => tables.get(table)?.seen ?? 0,
    loader,
    drop,
    finish,
    define,
    exec: (sql) => {
      db.exec(sql)
    },
    writer: (table, columns) => {
      const insert = db.prepare(
        `insert or ignore into ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      // Allows inserts while other statements are being read.
      db.unsafeMode(true)
      return (...values) => {
        insert.run(...values)
      }
    },
    rows,
    get,
    report,
    problems: (table) => rows<Problem>('select "table", place, reason from "staging problems" where "table" = ? order by rowid', table),
    close: () => {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
