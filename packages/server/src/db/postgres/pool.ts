import { createHash } from 'node:crypto'
import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import { recordStatement } from '../changes/table-tags.ts'
import { DatabaseUnavailable } from '../database.ts'
import { createPipeline } from './pipeline.ts'

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
const SET_LOCAL = `select ${Object.entries({ ...LIMITS_MS, jit: 'off' })
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`

export const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** SQLSTATE too_many_connections. */
export const TOO_MANY = '53300'
const WARN_AGAIN_MS = 60_000

const DISK_FULL = '53100'
/** Classes of SQLSTATE, and system errors. */
const UNAVAILABLE_CODE = /^(08|53|57P|58|55P03|57014|25P03|25006|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|ENOENT|EHOSTUNREACH|EAI_AGAIN)/
const UNAVAILABLE_TEXT =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|query_wait_timeout|no more connections allowed/

export const unavailable = (error: unknown): unknown => {
  if (error instanceof DatabaseUnavailable) return error
  const code = codeOf(error)
  const isUnavailable =
    (typeof code === 'string' && UNAVAILABLE_CODE.test(code)) || (error instanceof Error && UNAVAILABLE_TEXT.test(error.message))
  return isUnavailable ? new DatabaseUnavailable(error, code === DISK_FULL) : error
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

const CONTROL = /^(begin|commit|rollback|start transaction|savepoint|release|set )/i
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** The result in the form of Kysely. */
export const resultFor = ({ command, rowCount, rows }: pg.QueryResult): QueryResult<never> => ({
  rows: rows as never[],
  ...(COUNTED.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
})

export interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly pooler: Pooler
  readonly timeoutMs?: number
  /** A query without a response by then fails, and its connection counts as dead; 0: no limit. */
  readonly answerWithinMs?: number
  /** Further options of its sessions; a pooler rejects them. */
  readonly options?: string
  /** Called at most once a minute if the server accepts no more connections. */
  readonly warn: (what: string) => void
}

export interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

export interface Connections {
  /** An exclusive connection until it is released. @throws DatabaseUnavailable when none is available in time */
  connect(): Promise<pg.PoolClient>
  run(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult>
  /** Runs statements in one round trip. After one that fails, the others are skipped and reject with the same error. */
  runTogether(client: pg.PoolClient, statements: readonly Statement[]): readonly Promise<pg.QueryResult>[]
  /** What to run first in each transaction. */
  readonly onBegin: readonly string[]
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
  options = '',
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
    ...(isDirect && { ...LIMITS_MS, options: `-c jit=off ${options}` }),
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

  /** Further queries would queue behind the one without a response. */
  const refuseIfDead = (client: pg.PoolClient) => {
    if (dead.has(client)) throw new Error('Connection terminated: it did not respond')
  }

  const failed = (client: pg.PoolClient, error: unknown): unknown => {
    if (error instanceof Error && error.message === 'Query read timeout') dead.add(client)
    return unavailable(error)
  }

  const configOf = ({ sql, values }: Statement): pg.QueryConfig => {
    const name = CONTROL.test(sql) ? undefined : nameOf(sql)
    return { text: sql, values: values as unknown[], ...(name && { name }) }
  }

  /** Limit of the response, if it is not that of the pool. */
  const timeoutOf = (client: pg.PoolClient, statements: readonly Statement[]) => {
    if (answerWithinMs > 0 && statements.some(({ sql }) => DISABLES_TIMEOUT.test(sql))) withoutTimeout.add(client)
    return withoutTimeout.has(client) ? LONGEST_MS : undefined
  }

  const run = async (client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    recordStatement(sql)
    const statement = { sql, values }
    const config = configOf(statement)
    const query_timeout = timeoutOf(client, [statement])
    try {
      refuseIfDead(client)
      return await client.query(query_timeout === undefined ? config : { ...config, ...{ query_timeout } })
    } catch (error) {
      throw failed(client, error)
    }
  }

  const resultOf = async (client: pg.PoolClient, result: Promise<pg.QueryResult>): Promise<pg.QueryResult> => {
    try {
      return await result
    } catch (error) {
      // The stack of an error of the server leads to the socket.
      if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
      throw failed(client, error)
    }
  }

  const runTogether = (client: pg.PoolClient, statements: readonly Statement[]): readonly Promise<pg.QueryResult>[] => {
    try {
      refuseIfDead(client)
      const { submittable, results } = createPipeline(statements.map(configOf), types, timeoutOf(client, statements))
      client.query(submittable)
      return results.map((result) => resultOf(client, result))
    } catch (error) {
      return statements.map(() => Promise.reject(unavailable(error)))
    }
  }

  const release = (client: pg.PoolClient, discard = false) => {
    withoutTimeout.delete(client)
    client.release(discard || dead.has(client))
  }

  return {
    connect,
    run,
    runTogether,
    onBegin: isDirect ? [] : [SET_LOCAL],
    release,
    query: async ({ sql, parameters }) => {
      const client = await connect()
      try {
        return resultFor(await run(client, sql, parameters))
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
