import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Env } from '#test/command.ts'
import { readConfig } from '../../server/src/config.ts'
import { CACHE_TAG_RULES, type CacheTagRule } from '../../server/src/db/changes/cache-tags.ts'
import { installChangeTriggers } from '../../server/src/db/sqlite/change-detection.ts'

interface Column {
  readonly name: string
  readonly isText: boolean
}

/** A direct database connection in a transaction that is rolled back at the end. */
interface Raw {
  columns(table: string): Promise<Column[]>
  run(text: string): Promise<void>
  /** Tags invalidated since the last call. */
  touched(): Promise<string[]>
  end(): Promise<void>
}

const onFile = async (env: Env): Promise<Raw> => {
  const file = new Sqlite(`${readConfig(env).dataDir}/lyceum.db`)
  file.pragma('foreign_keys = OFF')
  file.pragma('ignore_check_constraints = ON')
  let heard: string[] = []
  const following = installChangeTriggers(file, (subjects) => {
    heard = subjects === 'everything' ? ['*'] : [...subjects]
  })
  file.exec('begin')
  return {
    columns: async (table) => {
      const rows = file.pragma(`table_info(${table})`) as { name: string; type: string }[]
      return rows.map(({ name, type }) => ({ name, isText: type.toLowerCase() === 'text' }))
    },
    run: async (text) => void file.prepare(text).run(),
    touched: async () => {
      heard = []
      following.committed()
      return heard
    },
    end: async () => {
      file.exec('rollback')
      file.close()
    },
  }
}

const CONSTRAINTS = `select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as text from pg_constraint
  where contype in ('c', 'f') and connamespace = current_schema()::regnamespace and not conname like 'cache_invalidations%'`

const onServer = async (env: Env): Promise<Raw> => {
  const client = new pg.Client({ connectionString: readConfig(env).databaseUrl })
  await client.connect()
  const ask = async <Row>(text: string, values: readonly unknown[] = []) => (await client.query(text, [...values])).rows as Row[]
  await client.query('begin')
  for (const { text } of await ask<{ text: string }>(CONSTRAINTS)) await client.query(text)
  return {
    columns: async (table) => {
      const rows = await ask<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns
         where table_schema = current_schema() and table_name = $1 and data_type in ('text', 'bigint')`,
        [table],
      )
      return rows.map(({ name, type }) => ({ name, isText: type === 'text' }))
    },
    run: async (text) => void (await client.query(text)),
    touched: async () => {
      const [row] = await ask<{ said: string | null }>(`select current_setting('lyceum.cache_tags', true) as said`)
      await client.query(`select set_config('lyceum.cache_tags', '', true)`)
      return (row?.said ?? '').split('\n').filter(Boolean)
    },
    end: async () => {
      await client.query('rollback')
      await client.end()
    },
  }
}

/** Columns used to look up the tags keep their values. */
const keptFor = (subjects: CacheTagRule['tags']) =>
  new Set(Object.values(subjects).flatMap((query) => [...query.matchAll(/\$row\.(\w+)/g)].map(([, name]) => name)))

const other = ({ name, isText }: Column) => (isText ? `coalesce(${name}, '') || 'x'` : `coalesce(${name}, 0) + 1000000`)

/** Expected and actual tags for every event of the tracked tables that missed some of its tags. */
const unreportedBy = async (raw: Raw, { table, on, tags }: CacheTagRule): Promise<string[]> => {
  const columns = await raw.columns(table)
  const kept = keptFor(tags)
  const missed: string[] = []
  const tell = async (event: string, text: string) => {
    await raw.run(text)
    const kinds = new Set((await raw.touched()).map((subject) => subject.split(':', 1)[0]))
    for (const kind of Object.keys(tags)) if (!kinds.has(kind)) missed.push(`${table} ${event}: ${kind}`)
  }
  const one = `(select min(${columns[0]?.name}) from ${table})`
  const values = columns.map((column) => (kept.has(column.name) ? column.name : other(column)))
  const copy = `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) select ${values.join(', ')} from (select 1) o
    left join ${table} t on ${columns[0]?.name} = ${one}`
  for (const event of on) {
    const named = event.startsWith('update of ') ? event.slice('update of '.length).split(', ') : columns.slice(-1).map(({ name }) => name)
    const changed = event.startsWith('update') ? columns.filter(({ name }) => named.includes(name)) : []
    if (event === 'insert') await tell(event, copy)
    for (const column of changed)
      await tell(`update of ${column.name}`, `update ${table} set ${column.name} = ${other(column)} where ${columns[0]?.name} = ${one}`)
    if (event !== 'delete') continue
    // A recorded database has no row of a table that a later version added.
    await raw.run(`${copy} where not exists (select 1 from ${table})`)
    await raw.touched()
    await tell(event, `delete from ${table} where ${columns[0]?.name} = ${one}`)
  }
  return missed
}

/** Every tracked event of a table, column by column, that invalidates too few tags; changes nothing. */
export const unreportedChanges = async (env: Env, followed: readonly CacheTagRule[] = CACHE_TAG_RULES): Promise<string[]> => {
  const missed: string[] = []
  const raw = await (readConfig(env).databaseUrl ? onServer(env) : onFile(env))
  try {
    for (const about of followed) {
      await raw.run('savepoint one')
      missed.push(...(await unreportedBy(raw, about)))
      await raw.run('rollback to one')
    }
  } finally {
    await raw.end()
  }
  return missed
}
