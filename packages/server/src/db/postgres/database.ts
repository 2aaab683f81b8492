import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import type pg from 'pg'
import { type Database, DatabaseUnavailable, type Db, type Refusal } from '../database.ts'
import type { Schema } from '../schema.ts'
import { followChangeLog } from './change-log-poller.ts'
import { createKeyedQueue } from './hot-row-queue.ts'
import { createSignals } from './listen-notify.ts'
import { type Connections, codeOf, createConnections, LIMITS_MS, PATIENCE_MS, type Pooler } from './pool.ts'
import { createReplicas } from './read-router.ts'

const RETRIES = 5
/** Without an answer by then nothing that is kept is used. */
const LOOK_WITHIN_MS = 2000
/** The database takes no writes for now, such as a standby or one that an operator has set so. */
const READ_ONLY = '25006'
/** Serialisation failure and deadlock: the database asks to run the transaction again. */
const RETRY = new Set(['40001', '40P01'])
/** What a row refers to is gone: where it was deleted after the transaction looked, another run sees that it is, and says so. */
const REFERS_TO_NOTHING = '23503'

/** For the rest of a transaction that may take its time: a backup, a migration of much data. */
export const withoutTimeouts = async (db: Db): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
}

export interface PostgresOptions {
  readonly url: string
  /** Most connections to the server, and to each replica. */
  readonly poolSize: number
  readonly pooler: Pooler
  /** Leads to the server itself, for sessions that last; empty: `url` does, or nothing does. */
  readonly directUrl: string
  readonly replicaUrls: readonly string[]
  readonly patienceMs?: number
  /** Hears what an operator should know. */
  readonly warn: (what: string) => void
}

/** A pooler does not let a session begin with settings of its own, and one for each read would cost a round trip. */
const WANTED: Readonly<Record<string, string>> = { statement_timeout: `${LIMITS_MS.statement_timeout}ms`, jit: 'off' }
const ROLE_SETTINGS = `select name, setting, current_user as role from pg_settings where name in ('statement_timeout', 'jit')`
const adviceOf = (rows: readonly { readonly name: string; readonly setting: string; readonly role: string }[]): string[] =>
  rows
    .filter(({ name, setting }) => setting === (name === 'jit' ? 'on' : '0'))
    .map(
      ({ name, role }) =>
        `PostgreSQL behind the pooler runs with its own ${name}; run: alter role "${role}" set ${name} = '${WANTED[name]}'`,
    )

const clientOf = (client: pg.PoolClient, { run, release }: Connections): PostgresPoolClient =>
  ({
    query: (sql: string, values: unknown[]) => run(client, sql, values),
    release: (discard?: boolean) => release(client, discard),
  }) as unknown as PostgresPoolClient

const kyselyOn = (connections: Connections): Db => {
  const { connect, query, end } = connections
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const lend = async () => {
    const client = await connect()
    const lent = known.get(client) ?? clientOf(client, connections)
    known.set(client, lent)
    return lent
  }
  const db: Db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { options: {}, connect: lend, end } }) })
  // What is no transaction needs no more than a connection and an answer: going through the driver would cost more than sending it does.
  Object.defineProperty(db, 'executeQuery', { value: query, configurable: true })
  return db
}

/** What writes are refused with while reads go on; null: nothing that would not end reads as well. */
const refusalOf = ({ storageFull, cause }: DatabaseUnavailable): Refusal | null => {
  if (storageFull) return 'storage_full'
  return codeOf(cause) === READ_ONLY ? 'service_unavailable' : null
}

/** Opens a pool on `postgres://…`, and one on each replica. */
export const openPostgres = ({ url, poolSize, pooler, directUrl, replicaUrls, patienceMs, warn }: PostgresOptions): Database => {
  const connections = createConnections({ url, size: poolSize, pooler, ...(patienceMs && { patienceMs }), warn })
  const db = kyselyOn(connections)
  const ask = <Row>(text: string) => connections.query(CompiledQuery.raw(text)).then(({ rows }) => rows as Row[])
  const replicas = createReplicas({ urls: replicaUrls, poolSize, ask, warn })
  const signals = createSignals(directUrl || (pooler === 'off' ? url : ''), (text, values) =>
    connections.query(CompiledQuery.raw(text, values)),
  )

  let looking: Connections | null = null
  let log: ReturnType<typeof followChangeLog> | null = null
  let refused: Refusal | null = null
  const crowds = createKeyedQueue(patienceMs ?? PATIENCE_MS)
  const writeAtOnce = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await db.transaction().setIsolationLevel('read committed').execute(work)
        refused = null
        return result
      } catch (error) {
        if (error instanceof DatabaseUnavailable) refused = refusalOf(error)
        const isDangling = codeOf(error) === REFERS_TO_NOTHING
        if (!isDangling && !RETRY.has(String(codeOf(error)))) throw error
        if (attempt >= RETRIES) throw isDangling ? error : new DatabaseUnavailable(error)
        await new Promise((done) => setTimeout(done, 5 + ((attempt * 37 + (process.hrtime()[1] % 31)) % 60)))
      }
    }
  }

  return {
    dialect: 'postgres',
    read: db,
    reading: (work) => replicas.reading(db, work),
    write: (work, _urgency, place) => (place === undefined ? writeAtOnce(work) : crowds.within(place, () => writeAtOnce(work))),
    settled: async () => {},
    refusal: () => refused,
    scrub: async () => {},
    ping: async () => {
      const [row] = await ask<{ read_only: string }>(`select current_setting('transaction_read_only') as read_only`)
      // A transaction that has written nothing tells nothing of that.
      if (row?.read_only === 'on') refused ??= 'service_unavailable'
      else if (refused === 'service_unavailable') refused = null
    },
    snapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (view) => {
          await withoutTimeouts(view)
          return work(view)
        }),
    concurrentWrites: 4,
    follow: (listener) => {
      // Whoever looks does not wait for those who read and write.
      looking = createConnections({ url, size: 1, pooler, patienceMs: LOOK_WITHIN_MS, answerWithinMs: LOOK_WITHIN_MS, warn })
      const { query } = looking
      log = followChangeLog({ ask: (text, values) => query(CompiledQuery.raw(text, [...values])).then(({ rows }) => rows), listener })
      return { atOnce: false, holds: log.holds, look: log.look }
    },
    signal: signals.say,
    onSignal: signals.on,
    unsafeSettings: async () => {
      const rows = await ask<{ name: string }>(
        `select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
      )
      return rows.map(({ name }) => `PostgreSQL runs with ${name} = off: acknowledged writes may be lost`)
    },
    advice: async () => (pooler === 'off' ? [] : adviceOf(await ask(ROLE_SETTINGS))),
    integrity: async () => [],
    waiting: () => connections.count.waiting + crowds.waiting(),
    load: () => ({ connections: connections.count, ...replicas.load() }),
    close: async () => {
      log?.stop()
      await looking?.end()
      await replicas.close()
      await db.destroy()
    },
  }
}
