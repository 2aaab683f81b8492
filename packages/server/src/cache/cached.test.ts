import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '#test/world.ts'
import { isTable } from '../db/changes/table-tags.ts'
import { type Database, type Db, migrate, openDatabase, runText } from '../db/index.ts'
import { cached, cachedEach, createCaches, defineCache, findCached, type Track } from './index.ts'

const onServer = process.env.LYCEUM_TEST_DATABASE === 'postgres'
const NOW = '2026-03-10 12:00:00'

const names = defineCache<string>({ name: 'test names', maxEntries: 100 })
const small = defineCache<number>({ name: 'test small', maxEntries: 3 })
const figures = defineCache<number>({ name: 'test figures', maxEntries: 10, ttlMs: 1000, staleMs: 3000 })
const lengths = defineCache<string, number>({ name: 'test lengths', maxEntries: 10, serialize: (text) => text.length })
const ignoring = defineCache<string>({ name: 'test ignoring', maxEntries: 10, ignored: ['spaces'] })

describe('a cache', () => {
  let dataDir: string
  let database: Database
  let caches: ReturnType<typeof createCaches>
  const clock = { at: Date.parse('2026-03-10T12:00:00Z'), now: () => new Date(clock.at) }
  beforeAll(async () => {
    dataDir = mkdtempSync(join(inject('scratch'), 'cache-'))
    database = openDatabase({ url: onServer ? await databaseUrl() : '', dataDir, poolSize: 2 })
    await migrate(database, NOW)
    caches = createCaches(Number.POSITIVE_INFINITY, clock)
    caches.subscribe(database)
    // The first entry that depends on a table starts to watch it.
    for (const table of ['users', 'topics', 'spaces'])
      await cached(await context(), names, table, textOf(`select count(*) as n from ${table}`))
  })
  afterAll(() => database.close())

  const context = async () => ({ services: { caches }, snapshot: await caches.poll() })
  const insertUser = async (db: Db, username: string) => {
    const row = { username, email: `${username}@example.org`, password_hash: null, created_at: NOW, updated_at: NOW, last_activity: null }
    const values = { ...row, display_name: username }
    return (await db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const person = (username: string) => database.write((db) => insertUser(db, username))
  const rename = (id: number, display_name: string) =>
    database.write((db) => db.updateTable('users').set({ display_name }).where('id', '=', id).execute())
  const nameOf = async (id: number) =>
    (await database.read.selectFrom('users').select('display_name').where('id', '=', id).executeTakeFirstOrThrow()).display_name
  const textOf = (sql: string) => async () => {
    const [row] = await runText<{ n: string | number }>(database.read, sql, [])
    return String(row?.n)
  }
  /** The value now, and whether it was loaded. */
  const read = async (key: string, load: (track: Track) => Promise<string>, definition = names) => {
    let loads = 0
    const value = await cached(await context(), definition, key, (track) => {
      loads += 1
      return load(track)
    })
    return [value, loads]
  }

  it('keeps a value until a row of its tags changes', async () => {
    const [ana, ben] = [await person('ana'), await person('ben')]
    const own = (track: Track) => {
      track.tag(`user:${ana}`)
      return nameOf(ana)
    }
    expect([await read('a', own), await read('a', own)]).toEqual([
      ['ana', 1],
      ['ana', 0],
    ])
    await rename(ben, 'Ben')
    expect(await read('a', own)).toEqual(['ana', 0])
    await rename(ana, 'Ana')
    expect(await read('a', own)).toEqual(['Ana', 1])
  })

  it('is filled from a table once its changes are reported', async () => {
    const load = textOf('select count(*) as n from reports')
    await read('reports', load)
    await read('reports', load)
    expect((await read('reports', load))[1]).toBe(0)
  })

  it('without tags depends on the tables that were read, also those of nested values', async () => {
    const inner = () => read('inner', textOf('select count(*) as n from users'))
    const outer = async () => {
      const [users] = await inner()
      return `${users} ${await textOf('select count(*) as n from topics')()}`
    }
    const [before] = await read('outer', outer)
    expect(await read('outer', outer)).toEqual([before, 0])
    await database.write((db) => db.insertInto('settings').values({ key: 'k', value: '1', updated_at: NOW }).execute())
    expect(await read('outer', outer)).toEqual([before, 0])
    await person('clara')
    expect((await read('outer', outer))[1]).toBe(1)
    // The second time the inner value is a hit.
    await inner()
    await read('another', outer)
    await person('carl')
    expect((await read('another', outer))[1]).toBe(1)
  })

  it('a tag covers the tables of its rules only', async () => {
    const load = async (track: Track) => {
      track.tag('user:0')
      return `${await textOf('select count(*) as n from users')()} ${await textOf('select count(*) as n from topics')()}`
    }
    await read('covered', load)
    await person('dora')
    expect((await read('covered', load))[1]).toBe(0)
    const row = { title: 't', slug: 't', position: 1, created_at: NOW, updated_at: NOW }
    await database.write((db) =>
      db
        .insertInto('topics')
        .values(row as never)
        .execute(),
    )
    expect((await read('covered', load))[1]).toBe(1)
  })

  it('changes with a column that no rule names, which is read of a row with a tag or orders the rows', async () => {
    const places = { created_at: NOW, updated_at: NOW, settings: '{}' }
    const make = (title: string, position: number) =>
      database.write(async (db) => {
        const row = { ...places, title, slug: title, position }
        return (await db.insertInto('spaces').values(row).returning('id').executeTakeFirstOrThrow()).id
      })
    const ids = [await make('north', 1), await make('south', 2)]
    const change = (values: { description?: string; members_count?: number; position?: number }) =>
      database.write((db) => db.updateTable('spaces').set(values).where('id', '=', Number(ids[0])).execute())
    const listed = (sql: string) => async (track: Track) => {
      track.tag(...ids.map((id) => `space:${id}`))
      return (await runText<{ n: string }>(database.read, sql, [])).map(({ n }) => n).join()
    }
    const titles = listed('select s.title as n from spaces s order by s.id')
    const descriptions = listed(`select coalesce(s.description, '') as n from spaces s order by s.id`)
    const inOrder = listed('select title as n from spaces order by position')
    const readAll = async () => [await read('titles', titles), await read('descriptions', descriptions), await read('in order', inOrder)]
    await readAll()
    await readAll()
    await change({ members_count: 9, description: 'cold' })
    expect(await readAll()).toEqual([
      ['north,south', 0],
      ['cold,', 1],
      ['north,south', 1],
    ])
    await change({ position: 3 })
    expect(await readAll()).toEqual([
      ['north,south', 0],
      ['cold,', 1],
      ['south,north', 1],
    ])
  })

  it('stores nothing that was skipped, that reads an internal table, or that a transaction has read', async () => {
    const skipped = async (track: Track) => {
      track.skip()
      return 'x'
    }
    const nested = async () => String((await read('skipped', skipped))[0])
    for (const load of [skipped, textOf('select count(*) as n from jobs'), nested])
      expect([(await read('not stored', load))[1], (await read('not stored', load))[1]]).toEqual([1, 1])
    const ctx = await context()
    const inside = { ...ctx, snapshot: caches.inTransaction(ctx.snapshot) }
    await cached(inside, names, 'inside', textOf('select count(*) as n from users'))
    expect(findCached(await context(), names, 'inside')).toBeUndefined()
    await read('inside', textOf('select count(*) as n from topics'))
    const later = caches.inTransaction((await context()).snapshot)
    expect(findCached({ ...inside, snapshot: later }, names, 'inside')).toBeDefined()
  })

  it('does not store what changed while it was loaded, and does not give it to earlier snapshots', async () => {
    const id = await person('emil')
    const before = await context()
    const load = async (track: Track) => {
      track.tag(`user:${id}`)
      const name = await nameOf(id)
      await rename(id, 'Emil')
      return name
    }
    expect(await cached(before, names, 'late', load)).toBe('emil')
    await caches.poll()
    expect(findCached(await context(), names, 'late')).toBeUndefined()
    await read('late', (track) => {
      track.tag(`user:${id}`)
      return nameOf(id)
    })
    expect([findCached(before, names, 'late'), findCached(await context(), names, 'late')]).toEqual([undefined, 'Emil'])
  })

  it('loads once for concurrent callers, unless the value must not be shared', async () => {
    const ctx = await context()
    let loads = 0
    const load = async () => String(++loads)
    expect(await Promise.all([1, 2, 3].map(() => cached(ctx, names, 'flight', load)))).toEqual(['1', '1', '1'])
    const own = async (track: Track) => {
      track.skip()
      return String(++loads)
    }
    expect(new Set(await Promise.all([1, 2, 3].map(() => cached(ctx, names, 'own flight', own)))).size).toBe(3)
    const failing = async () => {
      loads += 1
      throw new Error(`failed ${loads}`)
    }
    const failures = await Promise.allSettled([1, 2].map(() => cached(ctx, names, 'failing', failing)))
    expect(failures.map((one) => one.status === 'rejected' && one.reason.message)).toEqual(['failed 5', 'failed 6'])
    expect((await read('failing', async () => 'x'))[0]).toBe('x')
  })

  it('loads the missing ones of several at once', async () => {
    const [a, b] = [await person('fay'), await person('finn')]
    const asked: (readonly number[])[] = []
    const all = async (items: readonly { id: number; version?: string }[]) =>
      cachedEach(await context(), names, items, async (ids) => {
        asked.push(ids)
        const rows = await database.read.selectFrom('users').select(['id', 'display_name']).where('id', 'in', ids).execute()
        return new Map(rows.map(({ id, display_name }) => [id, { value: display_name, tags: [`user:${id}`], version: '1' }]))
      })
    expect(await all([{ id: a }])).toEqual(['fay'])
    expect(await all([{ id: b }, { id: a }, { id: 999_999 }])).toEqual(['finn', 'fay', undefined])
    await rename(a, 'Fay')
    expect(await all([{ id: b }, { id: a }])).toEqual(['finn', 'Fay'])
    expect(
      await all([
        { id: a, version: '1' },
        { id: b, version: '2' },
      ]),
    ).toEqual(['Fay', 'finn'])
    expect(asked).toEqual([[a], [b, 999_999], [a], [b]])
  })

  it('of limited life ignores changes, and is renewed while the old value is still used', async () => {
    let loads = 0
    const load = async () => ++loads
    const now = async () => cached(await context(), figures, 'k', load)
    expect([await now(), await now()]).toEqual([1, 1])
    await person('gina')
    expect(await now()).toBe(1)
    clock.at += 1001
    expect(await now()).toBe(1)
    await new Promise(setImmediate)
    expect(await now()).toBe(2)
    clock.at += 3001
    expect(await now()).toBe(3)
  })

  it('stores what a definition makes of the loaded value, and ignores its tables', async () => {
    const ctx = await context()
    expect([await cached(ctx, lengths, 'k', async () => 'four'), findCached(await context(), lengths, 'k')]).toEqual([4, 4])
    await read('k', textOf('select count(*) as n from users u left join spaces s on s.id = 0'), ignoring)
    const before = await context()
    expect(before.services.caches.stats().caches.find(({ name }) => name === 'test ignoring')?.entries).toBe(1)
  })

  it('holds so many entries; the one that was not used for the longest time leaves', async () => {
    for (const key of [0, 1, 2, 0, 3]) await cached(await context(), small, key, async () => key)
    const ctx = await context()
    expect([0, 1, 2, 3].map((key) => findCached(ctx, small, key))).toEqual([0, undefined, 2, 3])
  })

  it.skipIf(onServer)('loses everything where another process wrote', async () => {
    await read('foreign', async () => 'v')
    expect((await read('foreign', async () => 'v'))[1]).toBe(0)
    const other = openDatabase({ url: '', dataDir, poolSize: 1 })
    await other.write((db) => db.updateTable('users').set({ last_activity: NOW }).execute())
    await other.close()
    expect((await read('foreign', async () => 'v'))[1]).toBe(1)
  })

  it('knows every table of the database', async () => {
    const text = onServer
      ? `select tablename::text as name from pg_tables where schemaname = current_schema()`
      : `select name from pragma_table_list where schema = 'main' and type <> 'shadow' and name not like 'sqlite%'`
    const rows = await runText<{ name: string }>(database.read, text, [])
    const internal = ['migrations', 'installed_code', 'cache_invalidations', 'cache_invalidation_watermark']
    expect(rows.map(({ name }) => name).filter((name) => !isTable(name) && !internal.includes(name))).toEqual([])
  })
})

it('keeps nothing where changes cannot be followed', async () => {
  const caches = createCaches()
  const ctx = { services: { caches }, snapshot: caches.unpolled() }
  await cached(ctx, names, 'k', async () => 'v')
  expect(findCached(ctx, names, 'k')).toBeUndefined()
})

/** A source of changes in which nothing changes. */
const quiet = { subscribeToChanges: () => ({ isSynchronous: true, isUpToDate: () => true, poll: () => true, watchTable: () => true }) }
const large = defineCache<string>({ name: 'test large', maxEntries: 1000 })

it('makes room in the largest of all once they hold too much together', async () => {
  const few = createCaches(200_000)
  few.subscribe(quiet)
  const ctx = { services: { caches: few }, snapshot: few.unpolled() }
  const fill = async (definition: typeof large, from: number, to: number) => {
    for (let n = from; n < to; n++) await cached(ctx, definition, n, async () => 'x'.repeat(1000))
  }
  await fill(names, 0, 20)
  await fill(large, 0, 200)
  await fill(names, 20, 25)
  const sizes = few.stats().caches
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(200_000)
  expect(sizes.find(({ name }) => name === 'test names')?.entries).toBe(25)
  expect(sizes.find(({ name }) => name === 'test large')?.entries).toBeGreaterThan(20)
  expect(findCached(ctx, large, 199)).toBeDefined()

  const none = createCaches(0)
  none.subscribe(quiet)
  const nothing = { services: { caches: none }, snapshot: none.unpolled() }
  await cached(nothing, large, 'k', async () => 'v')
  expect(findCached(nothing, large, 'k')).toBeUndefined()
})
