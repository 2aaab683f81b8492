import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../../server/src/db/database.ts'
import { createConnections, type Pooler } from '../../../server/src/db/postgres/pool.ts'
import type { Schema } from '../../../server/src/db/schema.ts'
import { copyFrom } from './copy-from.ts'
import { transactionDatabase } from './transaction-database.ts'
import type { BulkLoader, Filled } from './types.ts'

interface Part {
  readonly table: string
  readonly drop: string
  readonly make: string
}

/** Settings of the transaction, which is long and sorts whole tables. */
const SETTINGS = [
  ...['statement_timeout = 0', 'lock_timeout = 0', 'idle_in_transaction_session_timeout = 0'],
  ...[`maintenance_work_mem = '256MB'`, `work_mem = '96MB'`, 'max_parallel_maintenance_workers = 2'],
]

const REFERENCES = `select conrelid::regclass::text as "table", format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[])) order by oid`
const INDEXES = `select i.indrelid::regclass::text as "table", format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
  from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')
  where c.oid is null and i.indrelid = any($1::regclass[]) order by i.indexrelid`
const KEYS = `select conrelid::regclass::text as "table", format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint where contype in ('p', 'u', 'x') and conrelid = any($1::regclass[]) order by conindid`

/** Kysely on the connection of the load. */
const kyselyOver = (run: (sql: string, values: readonly unknown[]) => Promise<pg.QueryResult>): Db => {
  const lent = { query: run, release: () => {} } as unknown as pg.PoolClient
  const pool = { options: {}, connect: async () => lent, end: async () => {} }
  const db: Db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) })
  const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
    const { rows, rowCount } = await run(sql, parameters)
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  }
  Object.defineProperty(db, 'executeQuery', { value: executeQuery, configurable: true })
  return db
}

/** Truncates empty tables: rows copied with `freeze` after that need no visibility checks later. */
const truncateEmpty = async (
  query: (sql: string, values?: unknown[]) => Promise<pg.QueryResult>,
  tables: readonly string[],
): Promise<Set<string>> => {
  const empty = new Set<string>()
  for (const table of tables) {
    const { rowCount } = await query(`select 1 from ${table} limit 1`)
    if (rowCount === 0) empty.add(table)
  }
  if (empty.size > 0) await query(`truncate ${[...empty].join(', ')}`)
  return empty
}

/** See `openBulkLoader`. */
export const loadPostgres = async <T>(
  { url, pooler }: { readonly url: string; readonly pooler: Pooler },
  { tables, keyed }: Filled,
  work: (load: BulkLoader) => Promise<T>,
): Promise<T> => {
  const connections = createConnections({ url, size: 1, pooler, answerWithinMs: 0, warn: () => {} })
  const client = await connections.connect()
  const query = (sql: string, values: unknown[] = []) => client.query(sql, values)
  try {
    await query('begin')
    for (const setting of SETTINGS) await query(`set local ${setting}`)
    const references = (await query(REFERENCES, [tables])).rows as Part[]
    const keys = (await query(KEYS, [tables.filter((table) => !keyed.includes(table))])).rows as Part[]
    const indexes = [...keys, ...((await query(INDEXES, [tables])).rows as Part[])]
    for (const { drop } of [...references, ...indexes]) await query(drop)
    for (const table of tables) await query(`alter table ${table} disable trigger user`)
    const empty = await truncateEmpty(query, tables)

    const copies = copyFrom(client, (table) => empty.has(table))
    const run = async (sql: string, values: readonly unknown[]) => {
      await copies.flush()
      return connections.run(client, sql, values)
    }
    const db = kyselyOver(run)
    const waiting = Map.groupBy(indexes, ({ table }) => table)
    const load: BulkLoader = {
      db,
      database: transactionDatabase(db),
      isApart: true,
      add: copies.add,
      waiting: (table) => waiting.get(table)?.length ?? 0,
      index: async function* (table) {
        const parts = waiting.get(table) ?? []
        waiting.delete(table)
        for (const { make } of parts) {
          await run(make, [])
          yield
        }
        await run(`analyze ${table}`, [])
      },
    }
    const result = await work(load)
    for (const table of tables) for await (const _ of load.index(table));
    for (const { make } of references) await query(make)
    await query('set constraints all immediate')
    for (const table of tables) await query(`alter table ${table} enable trigger user`)
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
    await connections.end()
  }
}
