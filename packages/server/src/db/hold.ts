import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { addressOf, type Place } from './address.ts'

/** A hold on a community's data; it ends with its process, however that dies. */
export interface Hold {
  release(): Promise<void>
}

/** `server`: serves the data. `restore` fills them, `move` takes them elsewhere; both want nobody else. */
export type Holder = 'server' | 'restore' | 'move'

const NAMES: Readonly<Record<Holder, string>> = { server: 'a server', restore: 'a restore', move: 'a move' }

/** Somebody else holds the data, in words that say who. */
export class DataHeld extends Error {
  override name = 'DataHeld'
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code
const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(String(codeOf(error)))

interface HolderRow {
  readonly holder: Holder
  readonly pid: number
  readonly since: string
  readonly token: string
}

const describe = (row: HolderRow | undefined, file: string) =>
  row ? `${NAMES[row.holder]} (process ${row.pid}, since ${row.since} UTC) holds ${file}` : `another process holds ${file}`

/** Somebody who only looks whether the data are held is gone after this. */
const PATIENCE_MS = 300

/**
 * A small SQLite file beside the database, in which a write transaction stays open: the operating system frees the lock when the
 * process ends, also after kill -9 and across containers that share the directory, where process ids mean nothing.
 */
const holdFile = (file: string, holder: Holder): Hold => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const lock = new Sqlite(`${file}.lock`, { timeout: PATIENCE_MS })
  try {
    const token = randomUUID()
    const since = new Date().toISOString().slice(0, 19).replace('T', ' ')
    const holderOf = () => lock.prepare('select * from holder').get() as HolderRow | undefined
    // Who it is must be committed before the transaction that stays open; between the two another one may come first.
    for (let known = false; !known; ) {
      lock.exec(`begin immediate; create table if not exists holder (holder, pid, since, token); delete from holder`)
      lock.prepare('insert into holder values (?, ?, ?, ?)').run(holder, process.pid, since, token)
      lock.exec('commit; begin immediate')
      known = holderOf()?.token === token
      if (!known) lock.exec('rollback')
    }
  } catch (error) {
    const busy = isBusy(error)
    const row = busy ? readHolder(lock) : undefined
    lock.close()
    throw busy ? new DataHeld(describe(row, file)) : error
  }
  return {
    release: async () => {
      lock.close()
    },
  }
}

const readHolder = (lock: Sqlite.Database): HolderRow | undefined => {
  try {
    if (lock.inTransaction) lock.exec('rollback')
    return lock.prepare('select * from holder').get() as HolderRow | undefined
  } catch {
    // It is being written this very moment.
    return undefined
  }
}

const LOCK = 4839202
const RECONNECT_MS = 1000
const SHARED = `select pg_try_advisory_lock_shared(${LOCK}) as held`
const ALONE = `select pg_try_advisory_lock(${LOCK}) as held`

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true, application_name: 'lyceum hold' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** A session lock, shared by servers, on a connection that is made again when it breaks. */
const holdServer = async (url: string, holder: Holder): Promise<Hold> => {
  let released = false
  let client = await connect(url)
  let timer: NodeJS.Timeout | undefined
  const take = async () => (await client.query<{ held: boolean }>(holder === 'server' ? SHARED : ALONE)).rows[0]?.held === true
  const watch = () => {
    client.once('end', () => {
      if (released) return
      timer = setTimeout(again, RECONNECT_MS)
      timer.unref()
    })
  }
  const again = async () => {
    try {
      client = await connect(url)
      if (released) return await client.end()
      await take()
      watch()
    } catch {
      timer = setTimeout(again, RECONNECT_MS)
      timer.unref()
    }
  }
  if (!(await take())) {
    await client.end()
    throw new DataHeld(
      holder === 'server' ? 'a restore into this database, or a move, is running' : 'a server, a restore or a move holds this database',
    )
  }
  watch()
  return {
    release: async () => {
      released = true
      clearTimeout(timer)
      await client.end().catch(() => {})
    },
  }
}

/**
 * Holds the data until it is released. One server holds a SQLite file; several may share PostgreSQL; a restore or a move is always alone.
 * @throws DataHeld when somebody holds them already
 */
export const holdData = async (place: Place, holder: Holder): Promise<Hold> => {
  const address = addressOf(place)
  return 'file' in address ? holdFile(address.file, holder) : holdServer(address.server, holder)
}

const isFileHeld = (file: string): boolean => {
  if (!existsSync(`${file}.lock`)) return false
  const lock = new Sqlite(`${file}.lock`, { timeout: 0 })
  try {
    lock.exec('begin immediate; rollback')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

const isServerHeld = async (url: string): Promise<boolean> => {
  const client = await connect(url)
  try {
    const { rowCount } = await client.query(
      `select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK} and classid = 0 and granted
       and database = (select oid from pg_database where datname = current_database()) limit 1`,
    )
    return rowCount === 1
  } finally {
    await client.end()
  }
}

/** Whether a server, a restore or a move holds the data now. */
export const isServed = async (place: Place): Promise<boolean> => {
  const address = addressOf(place)
  return 'file' in address ? isFileHeld(address.file) : isServerHeld(address.server)
}
