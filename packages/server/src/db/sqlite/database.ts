import { existsSync, statSync } from 'node:fs'
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
import { makeDirectory } from '../../util/make-directory.ts'
import { recordStatement } from '../changes/table-tags.ts'
import { isFileLocked } from '../data-lock/index.ts'
import { type Database, DatabaseUnavailable, type Db } from '../database.ts'
import { checkOwner, NewerDatabase } from '../schema/schema-ownership.ts'
import { kyselyOver } from '../sql/single-connection-kysely.ts'
import { type IndexWatch, installChangeTriggers, watchIndex } from './change-detection.ts'
import { createGroupCommit } from './group-commit.ts'
import { mergeSearch } from './scrub.ts'
import { createWalSync } from './wal-sync.ts'

/** First version without the race that can corrupt a WAL database with several connections (sqlite.org/wal.html). */
const FLOOR = [3, 51, 3] as const
const CACHED_STATEMENTS = 1000
const BUSY_MS = 5000
/** Larger files would take seconds to check at startup; `lyceum doctor` checks them. */
const MAX_CHECKED_AT_START = 64 * 2 ** 20
/** Pages of the WAL before a checkpoint while much is written: 256 MB. */
const LARGE_IN_LOAD = 65_536

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
  // In WAL mode SQLite then does not sync commits; `wal-sync.ts` does so off this thread. Checkpoints still sync.
  connection.pragma('synchronous = NORMAL')
  // Overwrites deleted data; it has no measurable cost.
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

/** Caches prepared statements by text: compiling one costs several times more than running it. */
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
        recordStatement(sql)
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

/** Kysely on one exclusive connection: no pool, no mutex, and no transactions except those of group commit. */
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

/** Runs `work` in a read transaction on a separate connection. */
const onSnapshot = async <T>(file: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const connection = open(file, true)
  // Long reads sort whole tables, which must not use memory in proportion to their size.
  connection.pragma('temp_store = FILE')
  connection.pragma('cache_size = -8192')
  try {
    // The snapshot is taken by the first read.
    connection.exec('begin; select count(*) from sqlite_schema')
    return await work(kyselyOn(connection))
  } finally {
    connection.close()
  }
}

/** Rolls back a bulk load that was killed (see packages/demo/src/bulk-load/sqlite.ts); a read-only connection could not. */
const rollBackJournal = (file: string) => {
  if (!existsSync(`${file}-journal`)) return
  const connection = new Sqlite(file, { timeout: BUSY_MS })
  try {
    connection.prepare('select count(*) from sqlite_schema').get()
  } finally {
    connection.close()
  }
}

/** The migrations that ran on a file; null if it has no such table, or that of another program. */
const migrationsIn = (connection: Sqlite.Database, tables: readonly string[]): string[] | null => {
  const columns = tables.includes('migrations') ? connection.pragma('table_info(migrations)') : []
  if (!(columns as { name: string }[]).some(({ name }) => name === 'name')) return null
  return connection.prepare<[], string>('select name from migrations').pluck().all()
}

/** Before anything is written: refuses a damaged file, and one of another program or of a newer version. */
const checkFile = (file: string) => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  rollBackJournal(file)
  const connection = open(file, true)
  try {
    const named = connection.prepare<[], string>(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)
    const tables = named.pluck().all()
    checkOwner(tables, migrationsIn(connection, tables))
    const found = size <= MAX_CHECKED_AT_START ? (connection.pragma('quick_check(1)', { simple: true }) as string) : 'ok'
    if (found !== 'ok') throw new Error(`it is damaged (${found.replaceAll('\n', ' ')}); restore a backup`)
  } finally {
    connection.close()
  }
}

/**
 * Checkpoints the WAL of a killed process before anything is appended. The end of that WAL may be readable and not on the disk, since the
 * operating system does not retry a failed sync.
 */
const checkpointLeftover = (file: string, writer: Sqlite.Database) => {
  const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {}
  if (size === 0 || isFileLocked(file)) return
  writer.pragma('busy_timeout = 0')
  writer.pragma('wal_checkpoint(truncate)')
  writer.pragma(`busy_timeout = ${BUSY_MS}`)
}

/** Opens the database file, and creates it if needed, with one writing and one reading connection. */
export const openSqlite = (file: string): Database => {
  makeDirectory(dirname(file))
  let writer: Sqlite.Database
  try {
    checkFile(file)
    writer = open(file, false)
    const version = writer.prepare('select sqlite_version()').pluck().get() as string
    if (olderThanFloor(version)) throw new Error(`SQLite ${version} is too old; ${FLOOR.join('.')} is needed`)
    checkpointLeftover(file, writer)
  } catch (error) {
    if (error instanceof NewerDatabase) throw error
    throw new Error(`${file} cannot be opened as a database: ${(error as Error).message}`, { cause: error })
  }
  const reader = open(file, true)
  const writes = kyselyOn(writer)
  let following: ReturnType<typeof installChangeTriggers> | null = null
  const index = watchIndex(file)
  const reading = createReadSnapshots(reader, index, () => following?.external())
  const reads = kyselyOn(reader, reading.start)
  const log = createWalSync(file, writer)
  const queue = createGroupCommit(writer, writes, {
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
    readWithReplica: (work) => work(reads),
    write: queue.write,
    waitUntilDurable: queue.settled,
    snapshot: (work) => onSnapshot(file, work),
    concurrentWrites: 64,
    subscribeToChanges: (listener) => {
      following = installChangeTriggers(writer, listener)
      const look = () => {
        try {
          reading.look()
          return true
        } catch (error) {
          throw unavailable(error)
        }
      }
      const { watchTable } = following
      return { isSynchronous: true, isUpToDate: () => true, poll: look, watchTable }
    },
    signal: async () => {},
    onSignal: () => ({ stop: async () => {} }),
    unsafeSettings: async () => [],
    advice: async () => [],
    queueDepth: queue.waiting,
    poolStats: () => null,
    lastWriteFailure: queue.refusal,
    prepareForLoad: () => {
      // Rows with random keys change the same pages again and again.
      writer.pragma('cache_size = -65536')
      reader.pragma('cache_size = -8192')
      log.allow(LARGE_IN_LOAD)
    },
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
      // A connection that has searched before holds an old version of the full-text index, and would report later changes as corruption.
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
      // Closing the last connection would checkpoint a WAL that may not be on the disk; the next start checks it.
      if (queue.isBroken()) return
      await log.close()
      reading.end()
      reader.close()
      writer.close()
      index.close()
    },
  }
}

/**
 * The read snapshot of one iteration of the event loop. Taking the locks of a read costs SQLite more than most statements do, so all reads of
 * an iteration share one read transaction. A request that is served from the cache takes none: the WAL index shows whether anything was
 * committed.
 *
 * A snapshot ends with its iteration, before a commit of this process (it would block the checkpoint), and at the next poll after a commit of
 * any process. So no request reads data older than itself.
 */
export const createReadSnapshots = (reader: Sqlite.Database, index: IndexWatch, foreign: () => void) => {
  const begin = reader.prepare('begin')
  const finish = reader.prepare('commit')
  const giveUp = reader.prepare('rollback')
  const version = reader.prepare('pragma data_version').pluck()
  let open = false
  let closing = false
  let seen: unknown

  const end = () => {
    if (!open) return
    open = false
    try {
      if (reader.inTransaction) finish.run()
    } catch {
      // After an I/O error or on a damaged page, the commit fails as well.
      if (reader.inTransaction) giveUp.run()
    }
  }

  const endOfTurn = () => {
    closing = false
    end()
  }

  /** Starts a snapshot; returns a number that changes with every commit of another connection. */
  const take = () => {
    end()
    index.note()
    begin.run()
    open = true
    if (!closing) {
      closing = true
      setImmediate(endOfTurn)
    }
    return version.get()
  }

  /** Starts a snapshot that contains exactly those commits of other processes that were reported. */
  const renew = () => {
    for (let now = take(); now !== seen; now = take()) {
      seen = now
      end()
      foreign()
    }
  }

  return {
    /** Call it before each statement. */
    start: () => {
      if (!open) renew()
    },
    end,
    /** Reports commits of other processes, and ends a snapshot that is older. */
    look: () => {
      if (index.hasChanged()) renew()
    },
  }
}
