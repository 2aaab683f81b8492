import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Db } from './database.ts'
import { listenTo, SIGNAL } from './postgres-signals.ts'
import type { Schema } from './schema.ts'

const RETRIES = 5
const NAMED_STATEMENTS = 500
/** Serialisation failure and deadlock: the database asks to run the transaction again. */
const RETRY = new Set(['40001', '40P01'])

const INT8 = 20
const NUMERIC = 1700
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 || oid === NUMERIC ? (Number as unknown as (value: string) => unknown) : pg.types.getTypeParser(oid, format as 'text'),
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

const unavailable = (error: unknown): unknown => {
  const code = codeOf(error)
  const text = error instanceof Error ? error.message : ''
  if (code === '53100') return new DatabaseUnavailable(error, true)
  if (typeof code === 'string' && /^(08|53|57P|58|55P03|57014|25P03|25006)/.test(code)) return new DatabaseUnavailable(error)
  if (typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|ENOENT|EHOSTUNREACH)/.test(code)) return new DatabaseUnavailable(error)
  if (/Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(text))
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

const TRANSACTION = /^(begin|commit|rollback|start transaction|savepoint|release|set )/i

const namingClient = (client: pg.PoolClient, nameOf: (sql: string) => string | undefined): PostgresPoolClient =>
  ({
    query: async (sql: string, parameters: unknown[]) => {
      const name = TRANSACTION.test(sql) ? undefined : nameOf(sql)
      try {
        return await client.query({ text: sql, values: parameters, ...(name && { name }) })
      } catch (error) {
        throw unavailable(error)
      }
    },
    release: () => client.release(),
  }) as unknown as PostgresPoolClient

/** For the rest of a transaction that may take its time: a backup, a migration of much data. */
export const withoutTimeouts = async (db: Db): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
}

/** Opens a pool on `postgres://…`. `poolSize` connections at most. */
export const openPostgres = (url: string, poolSize: number): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 5000,
    lock_timeout: 2000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'lyceum',
    // Compiling a statement takes a second, running one of ours some milliseconds.
    options: '-c jit=off',
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})

  const nameOf = createNamer()
  const db: Db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => {
          try {
            return namingClient(await pool.connect(), nameOf)
          } catch (error) {
            throw unavailable(error)
          }
        },
        end: () => pool.end(),
      },
    }),
  })

  const write = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await db.transaction().setIsolationLevel('read committed').execute(work)
      } catch (error) {
        if (!RETRY.has(String(codeOf(error)))) throw error
        if (attempt >= RETRIES) throw new DatabaseUnavailable(error)
        await new Promise((done) => setTimeout(done, 5 + ((attempt * 37 + (process.hrtime()[1] % 31)) % 60)))
      }
    }
  }

  return {
    dialect: 'postgres',
    read: db,
    write,
    ping: async () => {
      try {
        await pool.query('select 1')
      } catch (error) {
        throw unavailable(error)
      }
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
    follow: () => null,
    signal: async () => void (await pool.query(SIGNAL)),
    onSignal: (heard) => listenTo(url, heard),
    unsafeSettings: async () => {
      const { rows } = await pool.query<{ name: string }>(
        `select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
      )
      return rows.map(({ name }) => `PostgreSQL runs with ${name} = off: acknowledged writes may be lost`)
    },
    integrity: async () => [],
    close: () => db.destroy(),
  }
}
