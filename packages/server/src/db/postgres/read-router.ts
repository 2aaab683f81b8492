import pg from 'pg'
import { shared } from '../../util/coalesce.ts'
import { DatabaseUnavailable, type Db } from '../database.ts'
import { createReplica, type Lease, type Position, type Replica } from './replica.ts'

const FIRST_LOOK_MS = 25
const LONGEST_LOOK_MS = 2000

/**
 * The end of what is safely on the primary's disk, which is behind every commit that was acknowledged and every one that somebody could have
 * seen. Where commits are acknowledged before that, the end of what is written at all.
 */
const POSITION = `select s.system_identifier::text as system,
    ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline,
    pg_wal_lsn_diff(case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end,
      '0/0') as place
  from pg_control_system() s`

interface ReplicaState {
  readonly name: string
  readonly replica: Replica
  isReady: boolean
}

export interface ReplicasOptions {
  readonly urls: readonly string[]
  readonly poolSize: number
  /** Asks the primary. */
  readonly ask: <Row>(text: string) => Promise<Row[]>
  readonly warn: (what: string) => void
}

class NeedsPrimary extends Error {
  override name = 'NeedsPrimary'
}

const ofReplicas = new WeakSet<Db>()

/** For a reader of what was written since it came, if only by itself: it is run again where it sees that. */
export const needsPrimary = (db: Db): void => {
  if (ofReplicas.has(db)) throw new NeedsPrimary('this is to be read from the primary')
}

/** Trouble of the server, whatever it is: the other one is asked then. Anything else is the reader's own. */
const isTrouble = (error: unknown) => error instanceof DatabaseUnavailable || error instanceof pg.DatabaseError

/** Reads from replicas that have replayed all that the primary had committed when the reader came, and from the primary otherwise. */
export const createReplicas = ({ urls, poolSize, ask, warn }: ReplicasOptions) => {
  const readings = { primary: 0, replica: 0 }
  const timers = new Set<NodeJS.Timeout>()
  let closed = false
  let turn = 0

  const position = shared(async (): Promise<Position> => {
    const [row] = await ask<Position>(POSITION)
    if (!row) throw new Error('the primary did not tell its position')
    return row
  })

  const later = (work: () => Promise<void>, delay: number) => {
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

  /** Looks after a replica that cannot be used until it can. */
  const watch = (standing: ReplicaState, delay: number, told: boolean) => {
    standing.isReady = false
    let next = delay
    const look = async () => {
      let reason = 'it is behind, or no replica of this database'
      try {
        const lease = await standing.replica.lease(await position())
        lease?.release()
        if (lease) {
          standing.isReady = true
          if (told) warn(`the replica ${standing.name} is back`)
          return
        }
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
      next = Math.min(LONGEST_LOOK_MS, next * 2)
      // A short lag is nothing to speak of.
      if (!told && next === LONGEST_LOOK_MS && !closed) {
        warn(`the replica ${standing.name} is not read from: ${reason}`)
        told = true
      }
      later(look, next)
    }
    later(look, delay)
  }
  for (const standing of all) watch(standing, 0.5, false)

  const choose = (): ReplicaState | undefined => {
    for (let i = 0; i < all.length; i++) {
      turn = (turn + 1) % all.length
      if (all[turn]?.isReady) return all[turn]
    }
    return undefined
  }

  const leaseOf = async (standing: ReplicaState): Promise<Lease | null> => {
    try {
      const lease = await standing.replica.lease(await position())
      if (!lease && standing.isReady) watch(standing, FIRST_LOOK_MS, false)
      return lease
    } catch {
      if (standing.isReady) watch(standing, FIRST_LOOK_MS, false)
      return null
    }
  }

  const onPrimary = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
    readings.primary += 1
    return work(db)
  }

  const read = async <T>(standing: ReplicaState, db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
    const lease = await leaseOf(standing)
    if (!lease) return onPrimary(db, work)
    ofReplicas.add(lease.db)
    try {
      const result = await work(lease.db)
      lease.release()
      readings.replica += 1
      return result
    } catch (error) {
      if (!isTrouble(error)) {
        lease.release()
        if (error instanceof NeedsPrimary) return onPrimary(db, work)
        throw error
      }
      lease.discard()
      if (error instanceof DatabaseUnavailable && standing.isReady) watch(standing, FIRST_LOOK_MS, false)
      return onPrimary(db, work)
    }
  }

  return {
    reading: <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => {
      const standing = choose()
      return standing ? read(standing, db, work) : onPrimary(db, work)
    },
    load: () => ({ readings: { ...readings } }),
    close: async () => {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(all.map(({ replica }) => replica.close()))
    },
  }
}
