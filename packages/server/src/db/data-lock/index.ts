import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { makeDirectory } from '../../util/make-directory.ts'
import { type DataLocation, resolveDataLocation } from '../data-location.ts'
import { type ConfigFingerprint, DataLocked, type Holder, isServerLocked, lockServer, type ServerLock } from './postgres-server-lock.ts'

export { type ConfigFingerprint, DataLocked, type Peers, type ServerLock } from './postgres-server-lock.ts'

const NAMES: Readonly<Record<Holder, string>> = { server: 'a server', restore: 'a restore', move: 'a move', demo: 'a demo' }

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

/** Longer than another process takes to check whether the data are locked. */
const TIMEOUT_MS = 300

/**
 * A small SQLite file next to the database, with a write transaction that stays open. The operating system releases its lock when the process
 * ends, also after kill -9, and in containers that share the directory, where process ids are ambiguous.
 */
const lockFile = (file: string, holder: Holder): ServerLock => {
  makeDirectory(dirname(file))
  const lock = new Sqlite(`${file}.lock`, { timeout: TIMEOUT_MS })
  try {
    const token = randomUUID()
    const since = new Date().toISOString().slice(0, 19).replace('T', ' ')
    const holderOf = () => lock.prepare('select * from holder').get() as HolderRow | undefined
    // The holder's name must be committed before the transaction that stays open; another process may take the lock between the two.
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
    throw busy ? new DataLocked(describe(row, file)) : error
  }
  return {
    release: async () => {
      lock.close()
    },
    beside: null,
  }
}

const readHolder = (lock: Sqlite.Database): HolderRow | undefined => {
  try {
    if (lock.inTransaction) lock.exec('rollback')
    return lock.prepare('select * from holder').get() as HolderRow | undefined
  } catch {
    // It is being written.
    return undefined
  }
}

/** The address for a long-lived session, and whether a pooler shares its sessions. */
const sessionsOf = (server: string, { pooler = 'off', directUrl = '' }: DataLocation) => ({
  url: directUrl || server,
  isTransactionPooled: pooler !== 'off' && !directUrl,
})

/**
 * Locks the data until the lock is released: SQLite for one server, PostgreSQL for several. A restore, a demo or a move is always exclusive.
 * `fingerprint` is that of a server.
 * @throws DataLocked when another process has locked them, or another server has a different fingerprint
 */
export const lockData = async (location: DataLocation, holder: Holder, fingerprint: ConfigFingerprint | null = null) => {
  const address = resolveDataLocation(location)
  return 'file' in address ? lockFile(address.file, holder) : lockServer(sessionsOf(address.server, location), holder, fingerprint)
}

export const isFileLocked = (file: string): boolean => {
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

/** Whether a server, a restore, a demo or a move has locked the data. */
export const isServed = async (location: DataLocation): Promise<boolean> => {
  const address = resolveDataLocation(location)
  return 'file' in address ? isFileLocked(address.file) : isServerLocked(location.directUrl || address.server)
}
