import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import type pg from 'pg'
import { createSemaphore } from '../../util/semaphore.ts'
import { type Database, DatabaseUnavailable, type Db, type WriteFailure } from '../database.ts'
import type { Schema } from '../schema.ts'
import { createChangeLogPoller } from './change-log-poller.ts'
import { createSignals } from './listen-notify.ts'
import { CONNECT_TIMEOUT_MS, type Connections, codeOf, createConnections, LIMITS_MS, type Pooler } from './pool.ts'
import { createReplicas } from './read-router.ts'
import { createTransact } from './transaction.ts'

const RETRIES = 5
/** One write has the row lock and one waits for it in the database; more would only occupy connections. */
const MAX_WRITES_PER_ROW = 2
/** Timeout of a poll for changes; after it, the cache is not used. */
const POLL_WITHIN_MS = 2000
/**
 * Without the first, PostgreSQL plans each poll again, which takes twice as long as running it. A plan for any parameters expects to read a
 * third of the log, so it might scan all of it.
 */
const POLL_OPTIONS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'
/** SQLSTATE read_only_sql_transaction: a standby, or a server that an operator has made read-only. */
const READ_ONLY = '25006'
/** Serialization failure and deadlock: the transaction must be retried. */
const RETRY = new Set(['40001', '40P01'])
/** SQLSTATE foreign_key_violation: the referenced row was deleted during the transaction. A retry reports that it does not exist. */
const FOREIGN_KEY_VIOLATION = '23503'

/** Disables the timeouts for the rest of a long transaction, such as a backup or a migration. */
export const withoutTimeouts = async (db: Db): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
}

interface PostgresOptions {
  readonly url: string
  /** Maximum connections to the server, and to each replica. */
  readonly poolSize: number
  readonly pooler: Pooler
  /** Bypasses the pooler, for long-lived sessions; empty: `url` does, or no address does. */
  readonly directUrl: string
  readonly replicaUrls: readonly string[]
  readonly timeoutMs?: number
  /** Receives warnings for the operator. */
  readonly warn: (what: string) => void
}

/** A pooler rejects startup parameters, and setting them per read would cost a round trip; so the role should have them. */
const RECOMMENDED: Readonly<Record<string, string>> = { statement_timeout: `${LIMITS_MS.statement_timeout}ms`, jit: 'off' }
const ROLE_SETTINGS = `select name, setting, current_user as role from pg_settings where name in ('statement_timeout', 'jit')`
const adviceOf = (rows: readonly { readonly name: string; readonly setting: string; readonly role: string }[]): string[] =>
  rows
    .filter(({ name, setting }) => setting === (name === 'jit' ? 'on' : '0'))
    .map(
      ({ name, role }) =>
        `PostgreSQL behind the pooler runs with its own ${name}; run: alter role "${role}" set ${name} = '${RECOMMENDED[name]}'`,
    )

const kyselyOn = ({ connect, run, release, query }: Connections): Db => {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const lend = async () => {
    const client = await connect()
    const lent =
      known.get(client) ??
      ({
        query: (sql: string, values: unknown[]) => run(client, sql, values),
        release: (discard?: boolean) => release(client, discard),
      } as unknown as PostgresPoolClient)
    known.set(client, lent)
    return lent
  }
  const db: Db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { options: {}, connect: lend, end: async () => {} } }) })
  // This skips Kysely's driver, whose overhead exceeds that of sending the statement.
  Object.defineProperty(db, 'executeQuery', { value: query, configurable: true })
  return db
}

/** Why writes fail while reads still work; null for errors that affect both. */
const refusalOf = ({ storageFull, cause }: DatabaseUnavailable): WriteFailure | null => {
  if (storageFull) return 'storage_full'
  return codeOf(cause) === READ_ONLY ? 'service_unavailable' : null
}

/** Opens a pool on `postgres://…`, and one on each replica. */
export const openPostgres = ({ url, poolSize, pooler, directUrl, replicaUrls, timeoutMs, warn }: PostgresOptions): Database => {
  const connections = createConnections({ url, size: poolSize, pooler, ...(timeoutMs && { timeoutMs }), warn })
  const db = kyselyOn(connections)
  const transact = createTransact(connections)
  const ask = <Row>(text: string) => connections.query(CompiledQuery.raw(text)).then(({ rows }) => rows as Row[])
  const replicas = createReplicas({ urls: replicaUrls, poolSize, ask, warn })
  const signals = createSignals(directUrl || (pooler === 'off' ? url : ''), (text, values) =>
    connections.query(CompiledQuery.raw(text, values)),
  )

  let polling: Connections | null = null
  let log: ReturnType<typeof createChangeLogPoller> | null = null
  let refused: WriteFailure | null = null
  const hotRows = createSemaphore<string>({ perKey: MAX_WRITES_PER_ROW, maxWaitMs: timeoutMs ?? CONNECT_TIMEOUT_MS })
  const writeAtOnce = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await transact('begin isolation level read committed', work)
        refused = null
        return result
      } catch (error) {
        if (error instanceof DatabaseUnavailable) refused = refusalOf(error)
        const isDangling = codeOf(error) === FOREIGN_KEY_VIOLATION
        if (!isDangling && !RETRY.has(String(codeOf(error)))) throw error
        if (attempt >= RETRIES) throw isDangling ? error : new DatabaseUnavailable(error)
        await new Promise((done) => setTimeout(done, 5 + ((attempt * 37 + (process.hrtime()[1] % 31)) % 60)))
      }
    }
  }

  /** Writes of one hot row start in order, so that thousands of them occupy two connections instead of the whole pool. */
  const writeInTurn = async <T>(row: string, work: (db: Db) => Promise<T>): Promise<T> => {
    const leave = await hotRows.acquire(row).catch((error) => {
      throw new DatabaseUnavailable(error)
    })
    return writeAtOnce(work).finally(leave)
  }

  return {
    dialect: 'postgres',
    read: db,
    readWithReplica: (work) => replicas.read(db, work),
    write: (work, _urgency, place) => (place === undefined ? writeAtOnce(work) : writeInTurn(place, work)),
    waitUntilDurable: async () => {},
    lastWriteFailure: () => refused,
    prepareForLoad: () => {},
    scrub: async () => {},
    ping: async () => {
      const [row] = await ask<{ read_only: string }>(`select current_setting('transaction_read_only') as read_only`)
      // A transaction without writes does not report a read-only server.
      if (row?.read_only === 'on') refused ??= 'service_unavailable'
      else if (refused === 'service_unavailable') refused = null
    },
    snapshot: (work) =>
      transact('begin isolation level repeatable read, read only', async (view) => {
        await withoutTimeouts(view)
        return work(view)
      }),
    concurrentWrites: 4,
    subscribeToChanges: (listener) => {
      // Polls have their own connection, so they never wait for the pool.
      const limits = { timeoutMs: POLL_WITHIN_MS, answerWithinMs: POLL_WITHIN_MS }
      polling = createConnections({ url, size: 1, pooler, ...limits, options: POLL_OPTIONS, warn })
      const { query } = polling
      log = createChangeLogPoller({
        query: (text, values) => query(CompiledQuery.raw(text, [...values])).then(({ rows }) => rows),
        listener,
      })
      return { isSynchronous: false, isUpToDate: log.isUpToDate, poll: log.poll, watchTable: () => true }
    },
    signal: signals.notify,
    onSignal: signals.on,
    unsafeSettings: async () => {
      const rows = await ask<{ name: string }>(
        `select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
      )
      return rows.map(({ name }) => `PostgreSQL runs with ${name} = off: acknowledged writes may be lost`)
    },
    advice: async () => (pooler === 'off' ? [] : adviceOf(await ask(ROLE_SETTINGS))),
    integrity: async () => [],
    queueDepth: () => connections.count.waiting + hotRows.waiting(),
    poolStats: () => ({ connections: connections.count, ...replicas.stats() }),
    close: async () => {
      log?.stop()
      await polling?.end()
      await replicas.close()
      await connections.end()
    },
  }
}
