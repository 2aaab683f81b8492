import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Env, lyceumJson, readyEnv } from '#test/command.ts'
import { withDatabase } from '#test/hash.ts'
import { LATEST_RECORDED, RECORDED, recordedEnv } from '#test/recorded-schemas/load.ts'
import { schemaOf } from '#test/schema.ts'
import { createWorld } from '#test/world.ts'
import { CACHE_TAG_RULES, type CacheTagRule } from '../../server/src/db/changes/cache-tags.ts'
import { CODE } from '../../server/src/db/code/index.ts'
import { knownMigrations, listTables, readRows, type Table } from '../../server/src/db/index.ts'
import { COLUMNS, TABLES } from '../../server/src/db/migrations/0021-plain-names.ts'
import { trackMore } from '../lifecycle/next-triggers.ts'
import { unreportedChanges } from './touches.ts'

const DIALECT = process.env['LYCEUM_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite'

interface Migrated {
  readonly applied: readonly string[]
  readonly installed: readonly string[]
}

const tablesIn = (env: Env) => withDatabase(env, ({ read }) => listTables(read))

/** A hash of each table's rows, limited to these columns. */
const rowsIn = (env: Env, tables: readonly Table[]) =>
  withDatabase(env, async ({ read }) => {
    const hashes: Record<string, string> = {}
    for (const table of tables) {
      const hash = createHash('sha256')
      for await (const page of readRows(read, table)) for (const row of page) hash.update(`${JSON.stringify(row)}\n`)
      hashes[table.name] = hash.digest('hex')
    }
    return hashes
  })

/** The tables of a recorded version under their current names. */
const renamed = (version: string, tables: readonly Table[]): Table[] => {
  if (version >= '0021-plain-names') return [...tables]
  const names = new Map<string, string>(TABLES)
  return tables.map((table) => {
    const name = names.get(table.name) ?? table.name
    const columns = new Map<string, string>(COLUMNS.flatMap(([of, from, to]) => (of === name ? [[from, to]] : [])))
    const current = (list: readonly string[]) => list.map((column) => columns.get(column) ?? column)
    return { ...table, name, columns: current(table.columns), key: current(table.key) }
  })
}

let fresh: string[]
beforeAll(async () => {
  fresh = await schemaOf(await readyEnv())
})

describe.each(RECORDED)('a database of %s', (version) => {
  let env: Env
  let tables: Table[]
  let before: string[]
  let migrated: Migrated
  beforeAll(async () => {
    env = await recordedEnv(version)
    tables = await tablesIn(env)
    before = Object.values(await rowsIn(env, tables))
    migrated = await lyceumJson<Migrated>(env, 'migrate')
  })

  test('gets the tables and triggers of a new one, and keeps every row', async () => {
    const { applied, installed } = migrated
    expect(applied).toEqual(knownMigrations().filter((name) => name > version))
    expect(installed).toEqual(expect.arrayContaining(CODE.objects(DIALECT).map(({ name }) => name)))
    expect(await schemaOf(env)).toEqual(fresh)
    expect(Object.values(await rowsIn(env, renamed(version, tables)))).toEqual(before)
    expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true, violations: [] })
    expect(await lyceumJson(env, 'migrate')).toEqual({ applied: [], installed: [] })
  })

  test('reports every tracked change to the caches', async () => {
    expect(await unreportedChanges(env)).toEqual([])
  })

  test('works', async () => {
    const world = await createWorld({ env, start: '2027-01-01T12:00:00Z' })
    try {
      const [zoe, yan] = [await world.member({ username: 'zoe', role: 'admin' }), await world.member({ username: 'yan' })]
      const { feeds: former } = await zoe.api.feeds.list({ per_page: 5 })
      expect(former.data).toHaveLength(5)
      const feed_id = former.data[0]?.id ?? 0
      await zoe.api.comments.create({ feed_id, comment: 'Still here' })
      const { data: made } = await zoe.api.feeds.create({ message: 'After the upgrade' })
      await yan.api.reactions.toFeed({ feed_id: made.id, type: 'like' })
      await world.runPendingJobs()
      expect((await yan.api.feeds.list({ search: 'upgrade' })).feeds.data.map(({ id }) => id)).toEqual([made.id])
      expect((await yan.api.feeds.byId({ feed_id: made.id })).data).toMatchObject({ reactions_count: 1 })
      expect((await zoe.api.feeds.list({})).feeds.total).toBe(former.total + 1)
    } finally {
      await world.close()
    }
    expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true, violations: [] })
  })
})

test('a column tracked by a later version is tracked from its start, and stays so when this version starts again', async () => {
  const env = await recordedEnv(LATEST_RECORDED)
  await lyceumJson(env, 'migrate')
  const followed: CacheTagRule = { table: 'users', on: ['update of location'], tags: { located: 'id' } }
  // On SQLite each process installs its own triggers.
  if (DIALECT === 'postgres') expect(await unreportedChanges(env, [followed])).toEqual(['users update of location: located'])
  const changed = DIALECT === 'postgres' ? ['invalidate_users_update'] : []
  const back = trackMore()
  try {
    expect(await lyceumJson(env, 'migrate')).toEqual({ applied: [], installed: changed })
  } finally {
    back()
  }
  expect(await lyceumJson(env, 'migrate')).toEqual({ applied: [], installed: [] })
  expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true, warnings: [expect.stringMatching(/newer version/), expect.anything()] })
  if (DIALECT === 'postgres') expect(await unreportedChanges(env, [followed])).toEqual([])
  const rules = CACHE_TAG_RULES.filter(({ table }) => table === followed.table)
  expect(await unreportedChanges(env, rules)).toEqual([])
})

describe('controls: the checks detect', () => {
  test('an unreported change, and different rows', async () => {
    const env = await recordedEnv(LATEST_RECORDED)
    await lyceumJson(env, 'migrate')
    const tables = await tablesIn(env)
    const before = await rowsIn(env, tables)
    await withDatabase(env, ({ write }) => write((db) => db.updateTable('users').set({ location: 'Elsewhere' }).execute()))
    expect(await rowsIn(env, tables)).not.toEqual(before)
    const followed: CacheTagRule = { table: 'users', on: ['update of location'], tags: { located: 'id' } }
    expect(await unreportedChanges(env, [followed])).toEqual(['users update of location: located'])
  })
})
