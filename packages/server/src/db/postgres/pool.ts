import { createHash } from 'node:crypto'
import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import { DatabaseUnavailable } from '../database.ts'

/**
 * What stands between this process and PostgreSQL. `off`: nothing, or a pooler that hands out whole sessions. `transaction`: one that hands
 * them around, so that nothing may stay in them from one transaction to the next. `prepared`: the same, but it carries prepared statements.
 */
export type Pooler = 'off' | 'transaction' | 'prepared'

const NAMED_STATEMENTS = 500
const INT8 = 20
const NUMERIC = 1700
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 || oid === NUMERIC ? (Number as unknown as (value: string) => unknown) : pg.types.getTypeParser(oid, format as 'text'),
}

/** How long a request waits for a connection before it is refused. */
export const PATIENCE_MS = 5000
/** A new one has come about by then, or never does: behind a network that was cut it would keep the place of one that could. */
const CONNECT_WITHIN_MS = 1500
export const LIMITS_MS = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 } as const
/** The server has ended a statement by then and said so; where nothing was heard the connection is dead, though nobody may ever say that. */
const ANSWER_WITHIN_MS = LIMITS_MS.statement_timeout + 1000
/** A transaction that takes its time begins with this; so long is then waited for each answer. */
const TAKES_ITS_TIME = /^set local statement_timeout = 0$/i
const LONGEST_MS = 2 ** 31 - 1
/** The same for one transaction, and compiling is off: it takes a second where running a statement of ours takes some milliseconds. */
const SET_LOCAL = `${Object.entries({ ...LIMITS_MS, jit: 'off' })
  .map(([name, value]) => `; set local ${name} = ${value}`)
  .join('')}`

export const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** The server has as many connections as it takes. */
export const TOO_MANY = '53300'
const WARN_AGAIN_MS = 60_000

export const unavailable = (error: unknown): unknown => {
  const code = codeOf(error)
  const text = error instanceof Error ? error.message : ''
  if (code === '53100') return new DatabaseUnavailable(error, true)
  if (typeof code === 'string' && /^(08|53|57P|58|55P03|57014|25P03|25006)/.test(code)) return new DatabaseUnavailable(error)
  if (error instanceof DatabaseUnavailable) return error
  if (typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|ENOENT|EHOSTUNREACH|EAI_AGAIN)/.test(code))
    return new DatabaseUnavailable(error)
  if (
    /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|query_wait_timeout|no more connections allowed/.test(
      text,
    )
  )
    return new DatabaseUnavailable(error)
  return error
}

/** Statements are sent by name, so that the server parses and plans each text once a connection. */
const createNamer = () => {
  const names = new Map<string, string>()
  return (sql: string) => {
    const known = names.get(sql)
    if (known || names.size >= NAMED_STATEMENTS) return known
    const name = `l${createHash('sha1').update(sql).digest('hex').slice(0, 24)}`
    names.set(sql, name)
    return name
  }
}

const BEGIN = /^(begin|start transaction)/i
const CONTROL = /^(begin|commit|rollback|start transaction|savepoint|release|set )/i
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

export interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly pooler: Pooler
  readonly patienceMs?: number
  /** A query that has not been answered by then counts as failed, and its connection as dead; 0: it is waited for. */
  readonly answerWithinMs?: number
  /** Hears, once a minute at most, that the server takes no more connections. */
  readonly warn: (what: string) => void
}

export interface Connections {
  /** A connection that is nobody else's until it is released. @throws DatabaseUnavailable when none comes free in time */
  connect(): Promise<pg.PoolClient>
  run(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult>
  /** Gives a connection back; one that is dead, or is to be discarded, is not used again. */
  release(client: pg.PoolClient, discard?: boolean): void
  /** One statement on any connection. */
  query(query: CompiledQuery): Promise<QueryResult<never>>
  readonly count: { readonly open: number; readonly idle: number; readonly waiting: number }
  end(): Promise<void>
}

/** Opens a pool of connections to one server, or to a pooler before it; errors come out as `DatabaseUnavailable` where it is away. */
export const createConnections = ({
  url,
  size,
  pooler,
  patienceMs = PATIENCE_MS,
  answerWithinMs = ANSWER_WITHIN_MS,
  warn,
}: PoolOptions): Connections => {
  const isDirect = pooler === 'off'
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: Math.min(patienceMs, CONNECT_WITHIN_MS) })
    }
  }
  const pool = new pg.Pool({
    connectionString: url,
    // The types say that it takes nothing.
    Client: Client as unknown as new () => pg.ClientBase,
    max: size,
    types,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'lyceum',
    ...(answerWithinMs > 0 && { query_timeout: answerWithinMs }),
    // A pooler refuses to begin with them; there the role has them, and each transaction sets them for itself.
    ...(isDirect && { ...LIMITS_MS, options: '-c jit=off' }),
  })
  // A connection that breaks is replaced by the pool, or fails the next query on it; without a listener it would end the process, also
  // between two queries of one transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  let quietUntil = 0
  const nameOf = pooler === 'transaction' ? () => undefined : createNamer()

  const connect = async () => {
    try {
      return await pool.connect()
    } catch (error) {
      if (codeOf(error) === TOO_MANY && performance.now() > quietUntil) {
        quietUntil = performance.now() + WARN_AGAIN_MS
        warn('PostgreSQL takes no more connections: LYCEUM_DATABASE_POOL of all instances together is above its max_connections')
      }
      // Whatever it is: a name that is not known, a certificate, a password that was just changed.
      throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error)
    }
  }

  const dead = new WeakSet<pg.PoolClient>()
  const unhurried = new WeakSet<pg.PoolClient>()

  const send = async (client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> => {
    // What comes behind a query without an answer would wait for it as long again.
    if (dead.has(client)) throw new Error('Connection terminated: it did not answer')
    try {
      return await client.query(unhurried.has(client) ? { ...query, ...{ query_timeout: LONGEST_MS } } : query)
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') dead.add(client)
      throw error
    }
  }

  const run = async (client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const isControl = CONTROL.test(sql)
    const text = isControl && !isDirect && BEGIN.test(sql) ? sql + SET_LOCAL : sql
    const name = isControl ? undefined : nameOf(sql)
    if (isControl && answerWithinMs > 0 && TAKES_ITS_TIME.test(sql)) unhurried.add(client)
    try {
      return await send(client, { text, values: values as unknown[], ...(name && { name }) })
    } catch (error) {
      throw unavailable(error)
    }
  }

  const release = (client: pg.PoolClient, discard = false) => {
    unhurried.delete(client)
    client.release(discard || dead.has(client))
  }

  return {
    connect,
    run,
    release,
    query: async ({ sql, parameters }) => {
      const client = await connect()
      try {
        const { command, rowCount, rows } = await run(client, sql, parameters)
        return { rows: rows as never[], ...(COUNTED.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
      } finally {
        release(client)
      }
    },
    get count() {
      return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
    },
    end: () => pool.end(),
  }
}
