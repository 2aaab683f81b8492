import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '#test/world.ts'
import { type Database, migrate, openDatabase } from '../db/index.ts'
import { createCaches } from './index.ts'

const onServer = process.env.LYCEUM_TEST_DATABASE === 'postgres'

describe('a cache', () => {
  let dataDir: string
  let database: Database
  let caches: ReturnType<typeof createCaches>
  beforeAll(async () => {
    dataDir = mkdtempSync(join(inject('scratch'), 'cache-'))
    database = openDatabase({ url: onServer ? await databaseUrl() : '', dataDir, poolSize: 2 })
    await migrate(database, '2026-03-10 12:00:00')
    caches = createCaches()
    caches.subscribe(database)
  })
  afterAll(() => database.close())

  const person = (username: string) => {
    const moment = '2026-03-10 12:00:00'
    const row = {
      username,
      email: `${username}@example.org`,
      password_hash: null,
      display_name: username,
      created_at: moment,
      updated_at: moment,
    }
    return database.write(
      async (db) =>
        (
          await db
            .insertInto('users')
            .values({ ...row, last_activity: null })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id,
    )
  }
  const rename = (id: number, display_name: string) =>
    database.write((db) => db.updateTable('users').set({ display_name }).where('id', '=', id).execute())

  it('caches a value until one of its tags changes', async () => {
    const cache = caches.of<string>('until', 10)
    const [ana, ben] = [await person('ana'), await person('ben')]
    cache.set('a', 'A', [`user:${ana}`], await caches.poll())
    cache.set('both', 'AB', [`user:${ana}`, `user:${ben}`], await caches.poll())
    expect([cache.get('a', await caches.poll()), cache.get('both', await caches.poll())]).toEqual(['A', 'AB'])
    await rename(ben, 'Ben')
    expect([cache.get('a', await caches.poll()), cache.get('both', await caches.poll())]).toEqual(['A', undefined])
    await rename(ana, 'Ana')
    expect(cache.get('a', await caches.poll())).toBeUndefined()
  })

  it('caches no value older than the last change of a tag, and returns no newer value to an earlier reader', async () => {
    const cache = caches.of<string>('older', 10)
    const ana = await person('anna')
    const since = await caches.poll()
    cache.set('other', 'x', ['user:0'], since)
    await rename(ana, 'Anna')
    const later = await caches.poll()
    cache.set('before', 'x', [`user:${ana}`], since)
    expect([cache.get('other', later), cache.get('before', later)]).toEqual(['x', undefined])
    cache.set('after', 'x', [`user:${ana}`], await caches.poll())
    expect([cache.get('after', since), cache.get('after', await caches.poll())]).toEqual([undefined, 'x'])
  })

  it('is not invalidated by a rollback, nor by changes without a tag', async () => {
    const cache = caches.of<string>('undone', 10)
    const ana = await person('nora')
    const since = await caches.poll()
    cache.set('a', 'A', [`user:${ana}`], since)
    await database.write((db) =>
      db.insertInto('application_passwords').values({ user_id: ana, name: 'x', hash: 'x', created_at: '2026-03-11 00:00:00' }).execute(),
    )
    expect(cache.get('a', await caches.poll())).toBe('A')
    const undone = database.write(async (db) => {
      await db.updateTable('users').set({ display_name: 'Never' }).where('id', '=', ana).execute()
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(
      (await database.read.selectFrom('users').select('display_name').where('id', '=', ana).executeTakeFirstOrThrow()).display_name,
    ).toBe('nora')
  })

  it('has a maximum number of entries; the oldest are evicted first', async () => {
    const cache = caches.of<number>('small', 3)
    for (let i = 0; i < 5; i++) cache.set(i, i, [`user:${i}`, 'lists'], await caches.poll())
    const since = await caches.poll()
    expect([0, 1, 2, 3, 4].map((key) => cache.get(key, since))).toEqual([undefined, undefined, 2, 3, 4])
  })

  it('is shared by name', async () => {
    caches.of<string>('one', 5).set('k', 'v', [], await caches.poll())
    expect(caches.of<string>('one', 5).get('k', await caches.poll())).toBe('v')
  })

  it.skipIf(onServer)('is cleared after a write by another process', async () => {
    const cache = caches.of<string>('foreign', 5)
    cache.set('k', 'v', ['user:0'], await caches.poll())
    expect(cache.get('k', await caches.poll())).toBe('v')
    const ana = await person('olga')
    const before = await caches.poll()
    const other = openDatabase({ url: '', dataDir, poolSize: 1 })
    await other.write((db) => db.updateTable('users').set({ last_activity: '2026-03-12 00:00:00' }).where('id', '=', ana).execute())
    await other.close()
    cache.set('late', 'v', ['user:0'], before)
    expect([cache.get('k', await caches.poll()), cache.get('late', await caches.poll())]).toEqual([undefined, undefined])
  })
})

it('caches nothing if changes cannot be observed', () => {
  const caches = createCaches()
  const cache = caches.of<string>('none', 5)
  cache.set('k', 'v', [], caches.revision())
  expect(cache.get('k', caches.revision())).toBeUndefined()
})

/** A source of changes in which nothing changes. */
const quiet = { subscribeToChanges: () => ({ isSynchronous: true, isUpToDate: () => true, poll: () => true }) }

it('evicts from the largest cache once all exceed the limit together', () => {
  const few = createCaches(200_000)
  few.subscribe(quiet)
  const [large, small] = [few.of<string>('large', 1000), few.of<string>('small', 1000)]
  const fill = (cache: typeof large, from: number, to: number) => {
    for (let n = from; n < to; n++) cache.set(n, 'x'.repeat(1000), [], few.revision())
  }
  fill(small, 0, 20)
  fill(large, 0, 200)
  fill(small, 20, 25)
  const sizes = few.stats().caches
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(200_000)
  expect(sizes.find(({ name }) => name === 'small')?.entries).toBe(25)
  expect(sizes.find(({ name }) => name === 'large')?.entries).toBeGreaterThan(20)
  expect(large.get(199, few.revision())).toBeDefined()

  const none = createCaches(0)
  none.subscribe(quiet)
  const empty = none.of<string>('empty', 10)
  empty.set('k', 'v', [], none.revision())
  expect(empty.get('k', none.revision())).toBeUndefined()
})
