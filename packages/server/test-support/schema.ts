import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { CODE } from '../src/db/code/index.ts'
import { DDL } from '../src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../src/db/migrations/index.ts'
import type { Env } from './command.ts'
import { LATEST_RECORDED } from './recorded-schemas/load.ts'

const OF_SQLITE = `select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master order by 1`
const OF_POSTGRES = [
  `select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
     || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'S')`,
  `select 'index ' || indexdef as line from pg_indexes where schemaname = current_schema()`,
  `select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
   where connamespace = current_schema()::regnamespace`,
  `select 'trigger ' || pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`,
  `select 'function ' || pg_get_functiondef(oid) as line from pg_proc where pronamespace = current_schema()::regnamespace`,
]
/** All rows of a table as one value. */
const rowsOf = (table: string) => `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as line from ${table} t`

/** Queries the database directly, without our code. */
const ask = async (env: Env, texts: readonly string[]): Promise<string[]> => {
  const client = new pg.Client({ connectionString: readConfig(env).databaseUrl })
  await client.connect()
  try {
    const lines: string[] = []
    for (const text of texts) lines.push(...(await client.query<{ line: string }>(text)).rows.map(({ line }) => line))
    return lines
  } finally {
    await client.end()
  }
}

const askFile = (env: Env, text: string): Record<string, unknown>[] => {
  const file = new Sqlite(`${readConfig(env).dataDir}/lyceum.db`, { readonly: true })
  try {
    return file.prepare(text).all() as Record<string, unknown>[]
  } finally {
    file.close()
  }
}

/** The column `line` of a direct query, which also works on data of newer versions. */
export const linesOf = async (env: Env, text: string): Promise<string[]> =>
  env['LYCEUM_DATABASE_URL'] ? ask(env, [text]) : askFile(env, text).map(({ line }) => String(line))

/** Tables, columns, indexes, constraints, triggers and functions, one per line. */
export const schemaOf = async (env: Env): Promise<string[]> =>
  env['LYCEUM_DATABASE_URL'] ? (await ask(env, OF_POSTGRES)).sort() : linesOf(env, OF_SQLITE)

/** The whole database: schema and rows. */
export const everythingIn = async (env: Env): Promise<string[]> => {
  const schema = await schemaOf(env)
  if (env['LYCEUM_DATABASE_URL']) {
    const names = await ask(env, [`select quote_ident(tablename) as line from pg_tables where schemaname = current_schema() order by 1`])
    return [...schema, ...(await ask(env, names.map(rowsOf)))]
  }
  const names = askFile(env, `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual') order by name`)
  return [...schema, ...names.map(({ name }) => JSON.stringify(askFile(env, `select * from "${name}"`)))]
}

/** Minimum number of statements that migrate the last recorded version to this one. */
export const statementsToRun = (dialect: 'sqlite' | 'postgres'): number => {
  const migrations = MIGRATIONS.filter(({ name }) => name > LATEST_RECORDED)
  return [...migrations.map(({ up }) => up(DDL[dialect])), ...CODE.objects(dialect).map(({ statements }) => statements)].flat().length
}

/** Marks the database as used by a later version. */
export const markAsNewer = async (env: Env): Promise<void> => {
  const text = `insert into migrations (name, applied_at) values ('9999-future', '2030-01-01 00:00:00')`
  if (env['LYCEUM_DATABASE_URL']) return void (await ask(env, [`${text} returning name as line`]))
  const file = new Sqlite(`${readConfig(env).dataDir}/lyceum.db`)
  file.exec(`${text}; pragma wal_checkpoint(truncate)`)
  file.close()
}
