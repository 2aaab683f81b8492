import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { isFileHeld } from '../data-lock/index.ts'
import { type Database, DatabaseUnavailable, type Db } from '../database.ts'
import { checkOwner, NewerDatabase } from '../schema/schema-ownership.ts'
import { kyselyOver } from '../sql/single-connection-kysely.ts'
import { followChanges } from './change-triggers.ts'
import { createWriteQueue } from './group-commit.ts'
import { createReading } from './read-snapshot.ts'
import { mergeSearch } from './scrub.ts'
import { watchIndex } from './wal-index-watcher.ts'
import { followLog } from './wal-sync.ts'

/** First version without the race that can corrupt a WAL database with several connections (sqlite.org/wal.html). */
const FLOOR = [3, 51, 3] as const
const CACHED_STATEMENTS = 1000
const BUSY_MS = 5000
/** A larger file takes seconds to check; `lyceum doctor` does it whole. */
const CHECKED_AT_START = 64 * 2 ** 20

const olderThanFloor = (version: string) => {
  const parts = version.split('.').map(Number)
  for (const [i, floor] of FLOOR.entries()) {
    const part = parts[i] ?? 0
    if (part !== floor) return part < floor
  }
  return false
}

const open = (file: string, readonly: boolean) => {
  const connection = new Sqlite(file, { readonly, timeout: BUSY_MS })
  if (!readonly) connection.pragma('journal_mode = WAL')
  // In WAL this leaves the sync of each commit to us, who do it beside this thread (sqlite-log.ts); checkpoints sync by themselves.
  connection.pragma('synchronous = NORMAL')
  // What was deleted is overwritten; measured, it costs writes nothing.
  if (!readonly) connection.pragma('secure_delete = ON')
  connection.pragma('foreign_keys = ON')
  connection.pragma('trusted_schema = OFF')
  connection.pragma('journal_size_limit = 67108864')
  connection.pragma('cache_size = -32768')
  connection.pragma('temp_store = MEMORY')
  return connection
}

const unavailable = (error: unknown): unknown => {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return error
  if (code === 'SQLITE_FULL') return new DatabaseUnavailable(error, true)
  if (/^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/.test(code)) return new DatabaseUnavailable(error)
  return error
}

/** Keeps statements prepared by their text: compiling one costs several times what running it does. */
const statementCache = (connection: Sqlite.Database) => {
  const known = new Map<string, Sqlite.Statement>()
  return (text: string) => {
    const found = known.get(text)
    if (found) return found
    const made = connection.prepare(text)
    if (known.size >= CACHED_STATEMENTS) known.delete(known.keys().next().value as string)
    known.set(text, made)
    return made
  }
}

/** `before` is called before each statement. */
const connectionOf = (sqlite: Sqlite.Database, before?: () => void): DatabaseConnection => {
  const prepare = statementCache(sqlite)
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        before?.()
        const statement = prepare(sql)
        if (statement.reader) return { rows: statement.all(...parameters) as R[] }
        const { changes, lastInsertRowid } = statement.run(...parameters)
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
      } catch (error) {
        throw unavailable(error)
      }
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of sqlite.prepare(sql).iterate(...parameters)) yield { rows: [row as R] }
    },
  }
}

/** Kysely over one connection that is ours alone: no pool, no mutex, and no transactions but the write queue's. */
export const kyselyOn = (sqlite: Sqlite.Database, before?: () => void): Db =>
  kyselyOver(
    connectionOf(sqlite, before),
    {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    'transactions belong to Database.write',
  )

/** A connection of its own whose read transaction lasts as long as `work`. */
const onSnapshot = async <T>(file: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const connection = open(file, true)
  // Whoever reads for long reads much, and sorts it: that has to fit into memory however large the tables are.
  connection.pragma('temp_store = FILE')
  try {
    // The first read fixes the moment, so it happens here.
    connection.exec('begin; select count(*) from sqlite_schema')
    return await work(kyselyOn(connection))
  } finally {
    connection.close()
  }
}

/** A load that died has left a journal (see load-sqlite.ts); what it had written goes, which a connection that only reads could not do. */
const takeBack = (file: string) => {
  if (!existsSync(`${file}-journal`)) return
  const connection = new Sqlite(file, { timeout: BUSY_MS })
  try {
    connection.prepare('select count(*) from sqlite_schema').get()
  } finally {
    connection.close()
  }
}

/** The migrations that a file tells of; null where it has no such table, or another program's. */
const migrationsIn = (connection: Sqlite.Database, tables: readonly string[]): string[] | null => {
  const columns = tables.includes('migrations') ? connection.pragma('table_info(migrations)') : []
  if (!(columns as { name: string }[]).some(({ name }) => name === 'name')) return null
  return connection.prepare<[], string>('select name from migrations').pluck().all()
}

/** Refuses, before anything is written, a file that is damaged, or that another program or a newer version made. */
const inspect = (file: string) => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  takeBack(file)
  const connection = open(file, true)
  try {
    const named = connection.prepare<[], string>(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)
    const tables = named.pluck().all()
    checkOwner(tables, migrationsIn(connection, tables))
    const found = size <= CHECKED_AT_START ? (connection.pragma('quick_check(1)', { simple: true }) as string) : 'ok'
    if (found !== 'ok') throw new Error(`it is damaged (${found.replaceAll('\n', ' ')}); restore a backup`)
  } finally {
    connection.close()
  }
}

/**
 * Takes in the log of a process that died. Its end may not be on the disk, although it can be read now: a sync that failed is not tried again
 * by the system. Nothing new may come to stand behind that.
 */
const takeInLog = (file: string, writer: Sqlite.Database) => {
  const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {}
  if (size === 0 || isFileHeld(file)) return
  writer.pragma('busy_timeout = 0')
  writer.pragma('wal_checkpoint(truncate)')
  writer.pragma(`busy_timeout = ${BUSY_MS}`)
}

/** Opens (and makes) the database file with one writing and one reading connection. */
export const openSqlite = (file: string): Database => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let writer: Sqlite.Database
  try {
    inspect(file)
    writer = open(file, false)
    const version = writer.prepare('select sqlite_version()').pluck().get() as string
    if (olderThanFloor(version)) throw new Error(`SQLite ${version} is too old; ${FLOOR.join('.')} is needed`)
    takeInLog(file, writer)
  } catch (error) {
    if (error instanceof NewerDatabase) throw error
    throw new Error(`${file} cannot be opened as a database: ${(error as Error).message}`, { cause: error })
  }
  const reader = open(file, true)
  const writes = kyselyOn(writer)
  let following: ReturnType<typeof followChanges> | null = null
  const index = watchIndex(file)
  const reading = createReading(reader, index, () => following?.external())
  const reads = kyselyOn(reader, reading.start)
  const log = followLog(file, writer)
  const queue = createWriteQueue(writer, writes, {
    unavailable,
    committing: reading.end,
    committed: () => {
      following?.committed()
      log.committed((work) => queue.between(work))
    },
    sync: log.sync,
    syncAtOnce: log.syncAtOnce,
  })

  return {
    dialect: 'sqlite',
    read: reads,
    reading: (work) => work(reads),
    write: queue.write,
    settled: queue.settled,
    snapshot: (work) => onSnapshot(file, work),
    concurrentWrites: 64,
    follow: (listener) => {
      following = followChanges(writer, listener)
      const look = () => {
        try {
          reading.look()
          return true
        } catch (error) {
          throw unavailable(error)
        }
      }
      return { atOnce: true, holds: () => true, look }
    },
    signal: async () => {},
    onSignal: () => ({ stop: async () => {} }),
    unsafeSettings: async () => [],
    advice: async () => [],
    waiting: queue.waiting,
    load: () => null,
    refusal: queue.refusal,
    scrub: async () => {
      await mergeSearch(writer, queue.write)
      await log.empty(
        (work) =>
          queue.between(async () => {
            reading.end()
            await work()
          }),
        BUSY_MS,
      )
    },
    ping: async () => {
      reader.prepare('select 1').get()
    },
    integrity: async () => {
      // A connection that has searched before looks at the full-text index as it was then, and calls what has changed since corrupt.
      const fresh = open(file, true)
      try {
        const found = fresh.pragma('integrity_check') as { integrity_check: string }[]
        const foreign = fresh.pragma('foreign_key_check') as { table: string; rowid: number }[]
        return [
          ...found.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
          ...foreign.map((row) => `${row.table} ${row.rowid} refers to a row that does not exist`),
        ]
      } finally {
        fresh.close()
      }
    },
    close: async () => {
      await queue.drained()
      // The last connection to close would take a log into the file of which nobody knows what is on the disk; the next start checks it.
      if (queue.isBroken()) return
      await log.close()
      reading.end()
      reader.close()
      writer.close()
      index.close()
    },
  }
}
