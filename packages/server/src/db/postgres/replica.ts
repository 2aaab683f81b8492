import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database.ts'
import { kyselyOver } from '../sql/single-connection-kysely.ts'
import { createConnections } from './pool.ts'

/** A WAL position. Earlier commits have lower positions in the same history. */
export interface Position {
  readonly system: string
  /** Grows with each promotion; positions are comparable within one timeline. */
  readonly timeline: number
  readonly lsn: number
}

/** A connection to a replica, leased to one reader. */
export interface Lease {
  readonly db: Db
  release(): void
  /** Closes the connection after an error of the replica. */
  discard(): void
}

/** Response timeout, after which the primary is read. */
const RESPONSE_WITHIN_MS = 3000
const CONNECT_WITHIN_MS = 1000
/** How long a reader waits for a replica that lags. */
const TIMEOUT_MS = 8
const POLL_MS = 1
/** A known position expires, since the server may be promoted under an open connection. */
const VALID_MS = 1000

const PLACE = CompiledQuery.raw(
  `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') else -1 end as lsn`,
)
const HISTORY = CompiledQuery.raw(
  `select s.system_identifier::text as system, greatest(c.timeline_id, r.min_recovery_end_timeline) as timeline
   from pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r`,
)

/** Kysely on one leased connection; concurrent statements run one after the other. */
const kyselyOn = (run: (query: CompiledQuery) => Promise<pg.QueryResult>): Db => {
  let last: Promise<unknown> = Promise.resolve()
  const executeQuery = (query: CompiledQuery) => {
    const answer = last.then(() => run(query))
    last = answer.catch(() => {})
    return answer.then(({ rows }) => ({ rows }))
  }
  return kyselyOver(
    { executeQuery } as unknown as DatabaseConnection,
    {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (of) => new PostgresIntrospector(of),
    },
    'a replica accepts no transactions',
  )
}

/** The last known position of a connection's server. A restarted server may be behind it, but a restart closes the connection too. */
interface Session {
  readonly db: Db
  system: string
  timeline: number
  lsn: number
  checkedAt: number
}

interface ReplicaOptions {
  readonly url: string
  readonly poolSize: number
  readonly warn: (what: string) => void
}

/** One replica: leases connections whose server has replayed what the reader must see. */
export const createReplica = ({ url, poolSize, warn }: ReplicaOptions) => {
  const pool = createConnections({
    url,
    size: poolSize,
    pooler: 'off',
    timeoutMs: CONNECT_WITHIN_MS,
    answerWithinMs: RESPONSE_WITHIN_MS,
    warn,
  })
  const sessions = new WeakMap<pg.PoolClient, Session>()

  const sessionOf = (client: pg.PoolClient): Session => {
    const known = sessions.get(client)
    if (known) return known
    const db = kyselyOn(({ sql, parameters }) => pool.run(client, sql, parameters))
    const made: Session = { db, system: '', timeline: 0, lsn: -1, checkedAt: 0 }
    sessions.set(client, made)
    return made
  }

  const isFarEnough = (session: Session, { system, timeline, lsn }: Position) =>
    session.system === system && session.timeline === timeline && session.lsn >= lsn

  const refresh = async (client: pg.PoolClient, session: Session, wanted: Position) => {
    const asked = performance.now()
    if (session.system !== wanted.system || session.timeline !== wanted.timeline) {
      const history = (await pool.run(client, HISTORY.sql, [])).rows[0] as Pick<Position, 'system' | 'timeline'>
      session.system = history.system
      session.timeline = history.timeline
    }
    session.lsn = ((await pool.run(client, PLACE.sql, [])).rows[0] as Pick<Position, 'lsn'>).lsn
    session.checkedAt = asked
  }

  return {
    /** Leases a connection that has replayed `wanted`; null if the replica lags for too long, or replicates another server. */
    lease: async (wanted: Position, timeoutMs = TIMEOUT_MS): Promise<Lease | null> => {
      // The primary is read instead of queueing here.
      if (pool.count.waiting >= poolSize) return null
      const client = await pool.connect()
      try {
        const session = sessionOf(client)
        const begun = performance.now()
        const isFresh = begun - session.checkedAt < VALID_MS
        if (!isFresh || !isFarEnough(session, wanted)) await refresh(client, session, wanted)
        while (!isFarEnough(session, wanted)) {
          const isOther = session.system !== wanted.system || session.timeline !== wanted.timeline || session.lsn < 0
          if (isOther || performance.now() - begun > timeoutMs) {
            client.release()
            return null
          }
          await pause(POLL_MS)
          await refresh(client, session, wanted)
        }
        return { db: session.db, release: () => client.release(), discard: () => client.release(true) }
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    close: pool.end,
  }
}

export type Replica = ReturnType<typeof createReplica>
