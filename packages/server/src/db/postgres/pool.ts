import { createHash } from 'node:crypto'
import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import { recordStatement } from '../changes/table-tags.ts'
import { DatabaseUnavailable } from '../database.ts'

/**
 * What is between this process and PostgreSQL. `off`: nothing, or a pooler in session mode. `transaction`: a pooler in transaction mode, so no
 * session state survives a transaction. `prepared`: the same, with support for prepared statements.
 */
export type Pooler = 'off' | 'transaction' | 'prepared'

const NAMED_STATEMENTS = 500
const INT8 = 20
const NUMERIC = 1700
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 || oid === NUMERIC ? (Number as unknown as (value: string) => unknown) : pg.types.getTypeParser(oid, format as 'text'),
}

/** How long a request waits for a connection before it fails. */
export const CONNECT_TIMEOUT_MS = 5000
/** Limit for a new connection. On an interrupted network, attempts that cannot succeed would otherwise block ones that can. */
const CONNECT_WITHIN_MS = 1500
export const LIMITS_MS = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 } as const
/** The server's statement timeout plus a margin: without a response by then, the connection counts as dead. */
const RESPONSE_WITHIN_MS = LIMITS_MS.statement_timeout + 1000
/** A long transaction starts with this; its statements have no response timeout. */
const DISABLES_TIMEOUT = /^set local statement_timeout = 0$/i
const LONGEST_MS = 2 ** 31 - 1
/** The same limits for one transaction, without JIT: compiling can take a second for statements that run in milliseconds. */
const SET_LOCAL = `${Object.entries({ ...LIMITS_MS, jit: 'off' })
  .map(([name, value]) => `; set local ${name} = ${value}`)
  .join('')}`

export const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** SQLSTATE too_many_connections. */
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

/** Names statements, so that the server parses and plans each text once per connection. */
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
  readonly timeoutMs?: number
  /** A query without a response by then fails, and its connection counts as dead; 0: no limit. */
  readonly answerWithinMs?: number
  /** Called at most once a minute if the server accepts no more connections. */
  readonly warn: (what: string) => void
}

export interface Connections {
  /** An exclusive connection until it is released. @throws DatabaseUnavailable when none is available in time */
  connect(): Promise<pg.PoolClient>
  run(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult>
  /** Returns a connection to the pool; a dead one is closed, as is one to discard. */
  release(client: pg.PoolClient, discard?: boolean): void
  /** One statement on any connection. */
  query(query: CompiledQuery): Promise<QueryResult<never>>
  readonly count: { readonly open: number; readonly idle: number; readonly waiting: number }
  end(): Promise<void>
}

/** Opens a pool of connections to one server or pooler; throws `DatabaseUnavailable` if it is unreachable. */
export const createConnections = ({
  url,
  size,
  pooler,
  timeoutMs = CONNECT_TIMEOUT_MS,
  answerWithinMs = RESPONSE_WITHIN_MS,
  warn,
}: PoolOptions): Connections => {
  const isDirect = pooler === 'off'
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: Math.min(timeoutMs, CONNECT_WITHIN_MS) })
    }
  }
  const pool = new pg.Pool({
    connectionString: url,
    // The type declarations omit the constructor's parameter.
    Client: Client as unknown as new () => pg.ClientBase,
    max: size,
    types,
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'lyceum',
    ...(answerWithinMs > 0 && { query_timeout: answerWithinMs }),
    // A pooler rejects startup parameters: there the role has these settings, and each transaction sets them.
    ...(isDirect && { ...LIMITS_MS, options: '-c jit=off' }),
  })
  // The pool replaces a broken connection, or the next query on it fails. Without a listener the error would end the process.
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
      // Any other error: an unknown host name, a certificate, a changed password.
      throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error)
    }
  }

  const dead = new WeakSet<pg.PoolClient>()
  const withoutTimeout = new WeakSet<pg.PoolClient>()

  const send = async (client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> => {
    // Further queries would queue behind the one without a response.
    if (dead.has(client)) throw new Error('Connection terminated: it did not respond')
    try {
      return await client.query(withoutTimeout.has(client) ? { ...query, ...{ query_timeout: LONGEST_MS } } : query)
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') dead.add(client)
      throw error
    }
  }

  const run = async (client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    recordStatement(sql)
    const isControl = CONTROL.test(sql)
    const text = isControl && !isDirect && BEGIN.test(sql) ? sql + SET_LOCAL : sql
    const name = isControl ? undefined : nameOf(sql)
    if (isControl && answerWithinMs > 0 && DISABLES_TIMEOUT.test(sql)) withoutTimeout.add(client)
    try {
      return await send(client, { text, values: values as unknown[], ...(name && { name }) })
    } catch (error) {
      throw unavailable(error)
    }
  }

  const release = (client: pg.PoolClient, discard = false) => {
    withoutTimeout.delete(client)
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
