import pg from 'pg'
import { UnreadableSource } from '../../source.ts'
import type { TableShape, Wanted } from '../shape.ts'
import type { Staging } from '../staging.ts'

const BATCH = 500
const CONNECTING_MS = 15_000

/** Returns all values as text, as in dumps. */
const asText = { getTypeParser: () => (value: string | null) => value } as pg.CustomTypesConfig

const TABLES = `select c.relname, a.attname
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'p') and pg_table_is_visible(c.oid) and a.attnum > 0 and not a.attisdropped
    and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  order by c.relname, a.attnum`

/** The columns of each table in the search path. */
const columnsByTable = async (client: pg.Client): Promise<Map<string, string[]>> => {
  const tables = new Map<string, string[]>()
  for (const [table, column] of (await client.query<[string, string]>({ text: TABLES, rowMode: 'array' })).rows)
    tables.set(table, [...(tables.get(table) ?? []), column])
  return tables
}

const copyTable = async (client: pg.Client, staging: Staging, table: string, shape: TableShape, columns: readonly string[]) => {
  const copied = columns.filter((column) => column in shape.columns || column === shape.keep?.column)
  const loader = staging.loader(table, shape, copied)
  const list = copied.map((column) => pg.escapeIdentifier(column)).join(', ')
  await client.query(`declare source_rows no scroll cursor for select ${list || 'null'} from ${pg.escapeIdentifier(table)}`)
  for (let at = 0; ; ) {
    const { rows } = await client.query<(string | null)[]>({ text: `fetch ${BATCH} from source_rows`, rowMode: 'array' })
    for (const row of rows) loader.add(list ? row : [], `row ${++at}`)
    if (rows.length < BATCH) break
  }
  await client.query('close source_rows')
}

const explained = (error: unknown): unknown => {
  const { code, message } = error as { code?: unknown; message?: string }
  return typeof code === 'string' || error instanceof AggregateError
    ? new UnreadableSource(`The database cannot be read: ${message || String(code)}`)
    : error
}

/** Copies tables of a database in a read-only snapshot. @throws UnreadableSource if it cannot be read */
export const stagePostgresServer = async (staging: Staging, url: string, wanted: Wanted, signal?: AbortSignal): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTING_MS,
    application_name: 'lyceum import',
    types: asText,
  })
  // A lost connection also fails the running query.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`set datestyle = 'iso'; set timezone = 'utc'; set bytea_output = 'hex'; set statement_timeout = 0`)
    await client.query('begin transaction isolation level repeatable read, read only')
    for (const [table, columns] of await columnsByTable(client)) {
      signal?.throwIfAborted()
      const shape = wanted(table)
      if (shape) await copyTable(client, staging, table, shape, columns)
    }
  } catch (error) {
    throw explained(error)
  } finally {
    await client.end().catch(() => {})
  }
}
