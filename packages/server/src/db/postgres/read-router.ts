import pg from 'pg'
import { coalesce } from '../../util/coalesce.ts'
import { DatabaseUnavailable, type Db } from '../database.ts'
import { createReplica, type Lease, type Position, type Replica } from './replica.ts'

const FIRST_CHECK_MS = 25
const MAX_CHECK_MS = 2000

/**
 * The flush position of the primary's WAL: every acknowledged commit is before it. With `synchronous_commit = off`, which acknowledges
 * earlier, the insert position.
 */
const POSITION = `select s.system_identifier::text as system,
    ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline,
    pg_wal_lsn_diff(case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end,
      '0/0') as lsn
  from pg_control_system() s`

interface ReplicaState {
  readonly name: string
  readonly replica: Replica
  isReady: boolean
}

interface ReplicasOptions {
  readonly urls: readonly string[]
  readonly poolSize: number
  /** Queries the primary. */
  readonly ask: <Row>(text: string) => Promise<Row[]>
  readonly warn: (what: string) => void
}

class NeedsPrimary extends Error {
  override name = 'NeedsPrimary'
}

const ofReplicas = new WeakSet<Db>()

/** Call it in a reader that must see writes made after its request began: on a replica, the reader runs again on the primary. */
export const needsPrimary = (db: Db): void => {
  if (ofReplicas.has(db)) throw new NeedsPrimary('this must be read from the primary')
}

/** Whether the replica failed: the primary is read then. Other errors are the reader's own. */
const isServerError = (error: unknown) => error instanceof DatabaseUnavailable || error instanceof pg.DatabaseError

/** Reads from replicas that have replayed everything the primary had committed when the read began, and from the primary otherwise. */
export const createReplicas = ({ urls, poolSize, ask, warn }: ReplicasOptions) => {
  const reads = { primary: 0, replica: 0 }
  const timers = new Set<NodeJS.Timeout>()
  let closed = false
  let turn = 0

  const position = coalesce(async (): Promise<Position> => {
    const [row] = await ask<Position>(POSITION)
    if (!row) throw new Error('the primary did not return its position')
    return row
  })

  const schedule = (work: () => Promise<void>, delay: number) => {
    if (closed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void work()
    }, delay)
    timer.unref()
    timers.add(timer)
  }

  const all: ReplicaState[] = urls.map((url) => ({
    name: URL.canParse(url) ? new URL(url).host || 'a socket' : 'a replica',
    replica: createReplica({ url, poolSize, warn }),
    isReady: false,
  }))

  /** Checks a replica that cannot be used, until it can. `warned`: a warning was logged. */
  const watch = (state: ReplicaState, delay: number, warned: boolean) => {
    state.isReady = false
    let next = delay
    const check = async () => {
      let reason = 'it is behind, or no replica of this database'
      try {
        const lease = await state.replica.lease(await position())
        lease?.release()
        if (lease) {
          state.isReady = true
          if (warned) warn(`the replica ${state.name} is back`)
          return
        }
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
      next = Math.min(MAX_CHECK_MS, next * 2)
      // A short lag is not worth a warning.
      if (!warned && next === MAX_CHECK_MS && !closed) {
        warn(`the replica ${state.name} is not read from: ${reason}`)
        warned = true
      }
      schedule(check, next)
    }
    schedule(check, delay)
  }
  for (const state of all) watch(state, 0.5, false)

  const choose = (): ReplicaState | undefined => {
    for (let i = 0; i < all.length; i++) {
      turn = (turn + 1) % all.length
      if (all[turn]?.isReady) return all[turn]
    }
    return undefined
  }

  const leaseOf = async (state: ReplicaState): Promise<Lease | null> => {
    const lease = await position()
      .then(state.replica.lease)
      .catch(() => null)
    if (!lease && state.isReady) watch(state, FIRST_CHECK_MS, false)
    return lease
  }

  const onPrimary = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
    reads.primary += 1
    return work(db)
  }

  const read = async <T>(state: ReplicaState, db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
    const lease = await leaseOf(state)
    if (!lease) return onPrimary(db, work)
    ofReplicas.add(lease.db)
    try {
      const result = await work(lease.db)
      lease.release()
      reads.replica += 1
      return result
    } catch (error) {
      if (!isServerError(error)) {
        lease.release()
        if (error instanceof NeedsPrimary) return onPrimary(db, work)
        throw error
      }
      lease.discard()
      if (error instanceof DatabaseUnavailable && state.isReady) watch(state, FIRST_CHECK_MS, false)
      return onPrimary(db, work)
    }
  }

  return {
    read: <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
      const state = choose()
      return state ? read(state, db, work) : onPrimary(db, work)
    },
    stats: () => ({ reads: { ...reads } }),
    close: async () => {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(all.map(({ replica }) => replica.close()))
    },
  }
}
