import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createWorld, databaseEnv, type Member, type World } from '#test/world.ts'
import { type DataLocation, DataLocked, isServed, lockData, openDatabase, runText } from './index.ts'

/** What the pooler knows of the database by that name, of which each run of tests has its own. */
const placeOf = (env: Record<string, string>, past: boolean): DataLocation => ({
  url: env['LYCEUM_DATABASE_URL'] ?? '',
  dataDir: '',
  pooler: 'transaction',
  directUrl: past ? (env['LYCEUM_DATABASE_DIRECT_URL'] ?? '') : '',
})

describe.skipIf(!inject('poolerUrl'))('behind a pooler', () => {
  let world: World
  let ana: Member

  beforeAll(async () => {
    world = await createWorld({ manyConnections: true })
    ana = await world.member()
  })
  afterAll(() => world?.close())

  test('more concurrent requests than connections succeed, with correct counters', async () => {
    const { data: feed } = await ana.api.feeds.create({ message: 'Well met' })
    const people = await Promise.all(Array.from({ length: 6 }, () => world.member()))
    await Promise.all(
      people.flatMap((who) => [
        ...Array.from({ length: 3 }, (_, i) => who.api.comments.create({ feed_id: feed.id, comment: `Comment ${i}` })),
        who.raw('POST', `/feeds/${feed.id}/react`, { type: 'like' }),
      ]),
    )
    const { data } = await ana.api.feeds.byId({ feed_id: feed.id })
    expect([data.comments_count, data.reactions_count]).toEqual([18, 6])
  })

  test('transactions have the timeouts that sessions cannot have', async () => {
    const { database } = world.app.services
    const show = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('jit') as jit`
    expect(await database.write((db) => runText(db, show, []))).toEqual([{ statement: '5s', lock: '2s', jit: 'off' }])
    expect(await runText(database.read, show, [])).toEqual([{ statement: '0', lock: '0', jit: 'on' }])
    expect(await database.advice()).toEqual([
      expect.stringContaining(`set jit = 'off'`),
      expect.stringContaining(`set statement_timeout = '5000ms'`),
    ])
  })

  test.each([
    ['past it', true],
    ['through it', false],
  ])('servers lock the data %s, and block a restore', async (_name, past) => {
    const env = await databaseEnv()
    const place = placeOf(env, past)
    const marks = { secret: 1, files: 2, schema: 1 }
    const servers = [await lockData(place, 'server', marks), await lockData(place, 'server', { secret: 1, files: 3, schema: 1 })]
    expect(servers.map(({ beside }) => [beside?.servers, beside?.sharesFiles])).toEqual([
      [1, true],
      [2, false],
    ])
    expect(await isServed(place)).toBe(true)
    await expect(lockData(place, 'restore')).rejects.toThrow(DataLocked)
    await expect(lockData(place, 'server', { secret: 9, files: 2, schema: 1 })).rejects.toThrow(/another secret/)
    for (const server of servers) await server.release()
    await vi.waitFor(async () => expect(await isServed(place)).toBe(false), { timeout: 5000, interval: 20 })
    await (await lockData(place, 'restore')).release()
  })

  test('no session state remains', async () => {
    const env = await databaseEnv()
    const database = openDatabase({ ...placeOf(env, false), poolSize: 4 })
    await database.write(async (db) => void (await runText(db, `select set_config('lyceum.test', 'mine', true)`, [])))
    const seen = await Promise.all(
      Array.from({ length: 8 }, () =>
        runText<{ v: string }>(database.read, `select coalesce(current_setting('lyceum.test', true), '') as v`, []),
      ),
    )
    expect(new Set(seen.flat().map(({ v }) => v))).toEqual(new Set(['']))
    await database.close()
    const client = new pg.Client({ connectionString: env['LYCEUM_DATABASE_DIRECT_URL'] })
    await client.connect()
    const { rows } = await client.query(
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
    await client.end()
    expect(rows).toEqual([{ n: 0 }])
  })
})
