import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { type Listener, listen, summaryOf } from '#test/sse-client.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type App, createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { runText, statement } from '../../db/index.ts'

const WRITERS = 8
const EACH = 40
const TIMEOUT_MS = 60_000

const shared = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const redisUrl = inject('redisUrl')

/** Simulates a second process on the same database: it shares only the database and Redis. */
const openOther = async (world: World, env: Record<string, string>): Promise<{ app: App; base: string }> => {
  const { config } = world.app.services
  const app = await createApp({
    config: readConfig({
      ...(await freshEnv('sqlite')),
      LYCEUM_PORT: '0',
      LYCEUM_RATE_LIMIT: 'off',
      LYCEUM_DATABASE_URL: config.databaseUrl || `${config.dataDir}/lyceum.db`,
      LYCEUM_SECRET: 'the same for both instances, as it has to be',
      ...env,
    }),
    clock: world.clock,
    checkAnswers: true,
  })
  return { app, base: await app.listen() }
}

const setups: (readonly [string, Record<string, string>])[] = [
  ['the database alone', {}],
  ...(redisUrl ? ([['Redis', { LYCEUM_REDIS_URL: redisUrl }]] as const) : []),
]

describe.each(setups)('two instances connected by %s', (_between, env) => {
  let world: World
  let other: { app: App; base: string }
  let ana: Member
  let ben: Member
  let abroad: Member
  let listener: Listener

  beforeAll(async () => {
    world = await createWorld({ env: { LYCEUM_SECRET: 'the same for both instances, as it has to be', ...env } })
    other = await openOther(world, env)
    ana = await world.member()
    ben = await world.member()
    abroad = { ...ben, api: createClient({ baseUrl: other.base, username: ben.username, password: ben.password }) }
    listener = await listen(world, abroad)
  })
  afterAll(async () => {
    await listener.stop()
    await other.app.close()
    await world.close()
  })

  test('deliver what was written through the other instance', async () => {
    // Only the wake-up needs a wait; without it the other instance polls every second.
    await ana.api.feeds.create({ message: 'Wake up' })
    await listener.next('feed')
    const started = performance.now()
    const ids: number[] = []
    for (let n = 0; n < 5; n++) {
      ids.push((await ana.api.feeds.create({ message: 'Hello there' })).data.id)
      expect((await listener.next('feed')).data).toMatchObject({ feed_id: ids[n] })
    }
    if (shared || redisUrl === env['LYCEUM_REDIS_URL']) expect(performance.now() - started).toBeLessThan(4000)
  })

  test('resume where the other left off', async () => {
    const { data: one } = await ana.api.feeds.create({ message: 'Hello there' })
    await listener.all()
    const place = listener.received.at(-1)?.id
    const { data: two } = await ana.api.feeds.create({ message: 'Hello there' })
    const here = await listen(world, ben, place)
    const { data: three } = await ana.api.feeds.create({ message: 'Hello there' })
    const heard = summaryOf(await here.all())
    await here.stop()
    expect(heard).toEqual([two, three].map(({ id }) => `feed published ${id}`))
    expect(summaryOf(listener.received)).toContain(`feed published ${one.id}`)
  })

  test('close the streams of an account suspended through the other', async () => {
    const who = await world.member()
    const away = await listen(world, { ...who, api: createClient({ baseUrl: other.base, username: who.username, password: who.password }) })
    await world.app.write(null, async (ctx) => {
      await ctx.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', who.id).execute()
      await ctx.emit('user.status_changed', { user_id: who.id })
    })
    expect((await away.next('closed')).data).toEqual({ reason: 'signed_out' })
    await away.stop()
  })
})

test.runIf(shared)('reconnects to PostgreSQL after the connection breaks, and misses nothing', async () => {
  const world = await createWorld()
  const [ana, ben] = [await world.member(), await world.member()]
  const listener = await listen(world, ben)
  const { database } = world.app.services
  const listening = async () =>
    (
      await runText<{ pid: number }>(
        database.read,
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'lyceum listener'`,
        [],
      )
    ).map(({ pid }) => pid)
  await expect.poll(listening).toHaveLength(1)
  const before = await listening()
  await runText(database.read, 'select pg_terminate_backend($1::int)', before)
  const { data } = await ana.api.feeds.create({ message: 'Hello there' })
  expect(summaryOf(await listener.all())).toEqual([`feed published ${data.id}`])
  await expect.poll(listening, { timeout: 5000 }).toHaveLength(1)
  expect(await listening()).not.toEqual(before)
  await listener.stop()
  await world.close()
})

const nothing = statement('select 1')

/**
 * Emits events in transactions that commit some time after their event id was assigned. On SQLite nobody else could write meanwhile, so
 * there the delay is between the transactions.
 */
const writeSlowly = async (world: World, userId: number, feeds: readonly number[]) => {
  for (const feed_id of feeds) {
    await world.app.write(userId, async (ctx) => {
      await ctx.emit('feed.published', { feed_id })
      for (let n = randomInt(3); n > 0; n--) await nothing(ctx.db)
      if (shared) await pause(randomInt(25))
    })
    if (!shared) await pause(randomInt(25))
  }
}

test(
  `${WRITERS} writers that commit in any order, and a reader that reconnects repeatedly: no event is missed or duplicated`,
  async () => {
    const world = await createWorld({ env: { LYCEUM_DATABASE_POOL: '20' } })
    const [ana, ben, cleo] = [await world.member(), await world.member(), await world.member()]
    const numbers = Array.from({ length: WRITERS * EACH }, (_, n) => n)
    const ids = await world.app.write(null, async ({ db, now }) => {
      const row = {
        user_id: ana.id,
        message: 'x',
        message_rendered: 'x',
        created_at: now,
        updated_at: now,
        published_at: now,
        active_at: now,
      }
      const rows = numbers.map((n) => ({ ...row, slug: `number-${n}` }))
      return (await db.insertInto('feeds').values(rows).returning('id').execute()).map(({ id }) => id)
    })

    const [steady, first] = [await listen(world, cleo), await listen(world, ben)]
    let place = first.received[0]?.id
    await first.stop()
    let writing = true
    const written = Promise.all(
      Array.from({ length: WRITERS }, (_, w) => writeSlowly(world, ana.id, ids.slice(w * EACH, (w + 1) * EACH))),
    ).finally(() => {
      writing = false
    })
    const pieces: string[] = []
    let connections = 0
    while (writing) {
      const reader = await listen(world, ben, place)
      connections += 1
      // However many missed events have arrived by now, it resumes after the last one.
      await pause(randomInt(30))
      await reader.stop()
      expect(reader.received.map(({ event }) => event)).not.toContain('reset')
      pieces.push(...summaryOf(reader.received).filter((line) => line.startsWith('feed')))
      place = reader.received.at(-1)?.id ?? place
    }
    await written
    const last = await listen(world, ben, place)
    pieces.push(...summaryOf([...last.received.slice(1), ...(await last.all())]).filter((line) => line.startsWith('feed')))
    await last.stop()
    const whole = summaryOf(await steady.all()).filter((line) => line.startsWith('feed'))
    await steady.stop()
    expect(connections).toBeGreaterThan(3)

    const expected = ids.map((id) => `feed published ${id}`).sort()
    expect(whole.toSorted()).toEqual(expected)
    expect(pieces).toEqual(whole)
    console.log(`stream ${world.dialect}: ${whole.length} events of ${WRITERS} writers, ${connections} connections, missed=0 doubled=0`)
    await world.close()
  },
  TIMEOUT_MS,
)
