import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { envOf, freshEnv, lyceum, lyceumJson } from '#test/command.ts'
import { expectNotWhole, plansOf } from '#test/plans.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type Db, insertRows, runText, type Value } from '../../db/index.ts'
import { saveSettings } from '../settings/index.ts'
import { findWrongRollups, rebuildRollups } from './index.ts'
import { readState, withConsistentGeneration } from './rollup-state.ts'
import { applyChanges } from './rollup-worker.ts'

const worlds: World[] = []
const open = async (options?: Parameters<typeof createWorld>[0]) => {
  const world = await createWorld(options)
  worlds.push(world)
  return { world, admin: await world.member({ role: 'admin' }) }
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

const read = <Row>(world: World, text: string) => runText<Row>(world.app.services.database.read, text, [])
const write = (world: World, text: string, values: Value[] = []) => world.app.services.database.write((db) => runText(db, text, values))
const waiting = async (world: World) => (await read(world, 'select id from analytics_outbox')).length
const postsByDay = async ({ api }: Member, date_from: string, date_to: string) =>
  Object.fromEntries(
    (await api.analytics.overviewActivity({ date_from, date_to })).data.flatMap(({ date, posts }) => (posts > 0 ? [[date, posts]] : [])),
  )

test('days follow the time zone of the community, also after a change', async () => {
  // In Kolkata (+05:30) the next day starts at 18:30 UTC.
  const { world, admin } = await open({ start: '2026-03-10T18:29:00Z' })
  await admin.api.feeds.create({ message: 'Before midnight there' })
  world.clock.advance(120)
  await admin.api.feeds.create({ message: 'After it' })
  expect(await postsByDay(admin, '2026-03-01', '2026-03-12')).toEqual({ '2026-03-10': 2 })
  await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'Asia/Kolkata' }))
  expect(await postsByDay(admin, '2026-03-01', '2026-03-12')).toEqual({ '2026-03-10': 1, '2026-03-11': 1 })
  // The default range ends with the current day of the community.
  expect((await admin.api.analytics.popularDayTime({ date_from: '2026-03-11' })).peak_hour).toBe('00')
  const { comparison } = await admin.api.analytics.overviewWidget({ date_from: '2026-03-11', compare: true })
  expect(comparison?.posts_change).toBe(0)
  await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'America/St_Johns' }))
  expect(await postsByDay(admin, '2026-03-01', '2026-03-12')).toEqual({ '2026-03-10': 2 })
  expect((await admin.api.analytics.popularDayTime({})).by_hour).toMatchObject({ '15': 1, '16': 1 })
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
})

test('a write adds a change, and the next read applies it', async () => {
  const { world, admin } = await open()
  expect((await admin.api.analytics.overviewWidget({})).new_posts).toBe(0)
  expect(await waiting(world)).toBe(0)
  const { data } = await admin.api.feeds.create({ message: 'One' })
  expect(await waiting(world)).toBeGreaterThan(0)
  expect((await admin.api.analytics.overviewWidget({})).new_posts).toBe(1)
  expect(await waiting(world)).toBe(0)
  await admin.api.feeds.update({ feed_id: data.id, status: 'draft' })
  expect((await admin.api.analytics.overviewWidget({})).new_posts).toBe(0)
  await admin.api.feeds.update({ feed_id: data.id, status: 'published' })
  expect((await admin.api.analytics.overviewWidget({})).new_posts).toBe(1)
  await admin.api.feeds.remove({ feed_id: data.id })
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ new_posts: 0, engagement_rate: 0 })
  expect(await read(world, 'select * from analytics_member_rollups')).toEqual([])
})

test('drafts, scheduled feeds and lesson feeds are not posts', async () => {
  const { world, admin } = await open()
  await admin.api.feeds.create({ message: 'A draft', status: 'draft' })
  await admin.api.feeds.create({ message: 'Later', status: 'scheduled', scheduled_at: '2026-03-12 09:00:00' })
  await write(
    world,
    `insert into feeds (user_id, slug, message, message_rendered, type, lesson_id, created_at, updated_at, published_at, active_at)
     select id, 'of-a-lesson', '', '', 'course_lesson', 7, created_at, created_at, created_at, created_at from users limit 1`,
  ).catch(() => {})
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 0 })
  world.clock.advance(3 * 86_400)
  await world.runPendingJobs()
  expect(await postsByDay(admin, '2026-03-01', '2026-03-13')).toEqual({ [world.clock.now().toISOString().slice(0, 10)]: 1 })
})

test('many changes are applied in parts', async () => {
  const { world, admin } = await open()
  const { data } = await admin.api.feeds.create({ message: 'Much to say' })
  const people = await Promise.all(Array.from({ length: 7 }, () => world.member()))
  await world.app.write(null, async ({ db, now }) => {
    const comments = Array.from({ length: 2100 }, (_, i) => [data.id, people[i % 7]?.id ?? 0, 'Yes', '<p>Yes</p>', now, now])
    await insertRows(db, 'comments', ['post_id', 'user_id', 'message', 'message_rendered', 'created_at', 'updated_at'], comments)
  })
  expect(await waiting(world)).toBeGreaterThan(2000)
  expect((await admin.api.analytics.overviewWidget({})).new_comments).toBe(2100)
  expect(await waiting(world)).toBe(0)
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
})

test('concurrent writes and applications lose nothing', async () => {
  const { world, admin } = await open()
  await admin.api.analytics.overviewWidget({})
  const { data } = await admin.api.feeds.create({ message: 'A hot one' })
  const people = await Promise.all(Array.from({ length: 8 }, () => world.member()))
  let over = false
  const folding = (async () => {
    while (!over) await Promise.all([0, 1, 1, 2].map((part) => world.app.services.database.write((db) => applyChanges(db, part, 3))))
  })()
  await Promise.all(
    people.map(async ({ api, raw }) => {
      for (let i = 0; i < 5; i++) {
        await api.comments.create({ feed_id: data.id, comment: `Number ${i}` })
        await raw('POST', `/feeds/${data.id}/react`, { type: 'like' })
      }
    }),
  )
  over = true
  await folding
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({
    new_posts: 1,
    new_comments: 40,
    new_reactions: 8,
    engagement_rate: 100,
  })
  expect((await admin.api.analytics.topPostStarters({})).members[0]).toMatchObject({ average_comments: 40, average_reactions: 8 })
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
})

test('a rebuild during writes neither loses nor double-counts anything', async () => {
  const { world, admin } = await open()
  await Promise.all(Array.from({ length: 30 }, (_, i) => admin.api.feeds.create({ message: `Number ${i}` })))
  await admin.api.analytics.overviewWidget({})
  const writing = (async () => {
    for (let i = 0; i < 40; i++) await admin.api.feeds.create({ message: `More ${i}` })
  })()
  let rebuilt = 0
  for (let i = 0; i < 5; i++) if ((await rebuildRollups(world.app.services)) !== null) rebuilt += 1
  await writing
  expect(rebuilt).toBe(5)
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 70 })
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
  const generations = await read<{ generation: number }>(world, 'select distinct generation from analytics_member_rollups')
  expect(generations).toHaveLength(1)
})

test('two rebuilds do not interfere', async () => {
  const { world, admin } = await open()
  await admin.api.feeds.create({ message: 'One' })
  const done = await Promise.all([1, 2, 3].map(() => rebuildRollups(world.app.services)))
  // One that starts after the other has ended may succeed as well.
  expect(new Set([null, ...done])).toEqual(new Set([null, 2]))
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 1 })
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
})

test('the rebuild of a process that died is taken over', async () => {
  const { world, admin } = await open()
  await admin.api.feeds.create({ message: 'One' })
  await admin.api.analytics.overviewWidget({})
  await write(world, `update analytics_state set stale = 1, rebuilding_until = '2026-03-10 12:00:30'`)
  await write(
    world,
    `insert into analytics_member_rollups (generation, span, start, user_id, joined, posts) select generation + 1, 1, 20260310, 1, 0, 9 from analytics_state`,
  )
  expect(await rebuildRollups(world.app.services)).toBe(null)
  world.clock.advance(60)
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 1 })
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
})

test('a slow process stops writing once its rebuild was taken over', async () => {
  const { world, admin } = await open()
  await Promise.all(Array.from({ length: 60 }, () => world.member()))
  await admin.api.feeds.create({ message: 'One' })
  const others: Promise<number | null>[] = []
  let asked = 0
  const slow = rebuildRollups(world.app.services, () => {
    // The four calls before are those that delete old rows.
    if (++asked > 4 && others.length === 0) {
      world.clock.advance(61)
      others.push(rebuildRollups(world.app.services))
    }
    return true
  })
  // Whichever claimed the rebuild first.
  const done = [await slow, ...(await Promise.all(others))]
  expect([done.length, new Set([null, ...done])]).toEqual([2, new Set([null, 62])])
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 1, total_members: 61 })
})

test('a stopped rebuild leaves the rest to the next', async () => {
  const { world, admin } = await open()
  await admin.api.feeds.create({ message: 'One' })
  expect(await rebuildRollups(world.app.services, () => false)).toBe(null)
  expect(await rebuildRollups(world.app.services)).toBe(2)
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 1 })
})

test('a read during the end of a rebuild is repeated', async () => {
  const { world } = await open()
  const { services } = world.app
  const seen: number[] = []
  const { read: ask } = withConsistentGeneration({
    read: async ({ db }: { db: Db }) => {
      const { generation } = await readState(db)
      if (seen.push(generation) === 1) await rebuildRollups(services)
      return generation
    },
  })
  const { generation } = await readState(services.database.read)
  expect(await ask({ db: services.database.read })).toBe(generation + 1)
  expect(seen).toEqual([generation, generation + 1])
})

test('banned members are replaced by the next in the ranking, however many there are', async () => {
  const { world, admin } = await open()
  await admin.api.feeds.create({ message: 'One' })
  await admin.api.analytics.overviewWidget({})
  const at = '2026-03-01 00:00:00'
  const banned = Array.from({ length: 150 }, (_, i) => [`b${i}`, `b${i}@example.org`, 'B', 'banned', at, at])
  await world.app.services.database.write(async (db) => {
    await insertRows(db, 'users', ['username', 'email', 'display_name', 'status', 'created_at', 'updated_at'], banned)
    for (const [span, start] of [
      [1, 20260310],
      [7, 20260309],
      [30, 20260301],
    ])
      await runText(
        db,
        `insert into analytics_member_rollups (generation, span, start, user_id, joined, posts)
         select s.generation, ${span}, ${start}, u.id, 20260301, 9 from analytics_state s cross join users u where u.status = 'banned'`,
        [],
      )
  })
  const { analytics } = admin.api
  expect((await analytics.topMembers({ limit: 1 })).members).toMatchObject([{ id: admin.id, posts_count: 1 }])
  expect((await analytics.topPostStarters({})).members).toMatchObject([{ id: admin.id }])
  expect(await analytics.membersWidget({})).toMatchObject({ active_members: 1, top_contributor: { id: admin.id } })
  expect(await analytics.overviewWidget({})).toMatchObject({ engagement_rate: 100 })
  const day = { date_from: '2026-03-10', date_to: '2026-03-10' }
  for (const interval of ['day', 'week', 'month'] as const)
    expect((await analytics.membersActivity({ ...day, interval })).data).toMatchObject([{ active_members: 1, returning_members: 0 }])
})

test('lyceum analytics rebuild', async () => {
  const { world, admin } = await open()
  await admin.api.feeds.create({ message: 'One' })
  await admin.api.analytics.overviewWidget({})
  await write(world, 'update analytics_hourly_rollups set posts = 50')
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 50 })
  expect(await lyceumJson(envOf(world), 'analytics', 'rebuild')).toEqual({ counted: 2 })
  expect(await admin.api.analytics.overviewWidget({})).toMatchObject({ total_posts: 1 })
  expect(await lyceum(envOf(world), ['analytics', 'rebuild'])).toMatchObject({ code: 0, out: 'Rebuilt the rollups from 2 rows.\n' })
})

/** A restore makes all tables, which takes seconds on PostgreSQL, and installs the same triggers as a migration. */
test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' || SOAK > 1)(
  'a restored community has its metrics and keeps counting',
  async () => {
    const { world, admin } = await open()
    await admin.api.feeds.create({ message: 'One' })
    await admin.api.analytics.overviewWidget({})
    await admin.api.feeds.create({ message: 'Two, not taken in yet' })
    const file = join(mkdtempSync(join(inject('scratch'), 'figures-')), 'all')
    await lyceumJson(envOf(world), 'backup', file)
    const there = await freshEnv()
    await lyceumJson(there, 'restore', file)
    const other = await createWorld({ env: there })
    worlds.push(other)
    expect(await waiting(other)).toBe(await waiting(world))
    const again = {
      raw: (path: string) =>
        other.request('GET', path, undefined, {
          authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`,
        }),
    }
    expect((await again.raw('/analytics/overview/widget')).body).toMatchObject({ total_posts: 2 })
    await other.app.services.database.write((db) =>
      runText(
        db,
        `insert into feeds (user_id, slug, message, message_rendered, created_at, updated_at, published_at, active_at)
      select user_id, 'three', '', '', created_at, updated_at, published_at, active_at from feeds limit 1`,
        [],
      ),
    )
    expect((await again.raw('/analytics/overview/widget')).body).toMatchObject({ total_posts: 3 })
    expect(await findWrongRollups(other.app.services.database.read)).toEqual([])
  },
)

const FIGURES = [
  'analytics_member_rollups',
  'analytics_space_rollups',
  'analytics_hourly_rollups',
  'analytics_outbox',
  'feeds',
  'comments',
  'reactions',
  'users',
]

test('every metric reads an index', async () => {
  const { world, admin } = await open()
  const { data: space } = await admin.api.spaces.create({ title: 'A space' })
  await admin.api.feeds.create({ message: 'One', space_id: space.id })
  await admin.api.analytics.overviewWidget({})
  if (world.dialect === 'postgres') {
    await write(
      world,
      `insert into analytics_member_rollups (generation, span, start, user_id, joined)
       select (select generation from analytics_state), 1, 20200000 + day, n, 0 from generate_series(0, 399) day, generate_series(1, 50) n`,
    )
    await write(world, 'analyze')
  }
  const work = async () => {
    const range = { date_from: '2026-02-10', date_to: '2026-03-12' }
    const { analytics } = admin.api
    await analytics.overviewWidget({ ...range, compare: true })
    await analytics.overviewActivity(range)
    await analytics.overviewActivity({ ...range, interval: 'month' })
    await analytics.popularDayTime(range)
    await analytics.membersWidget(range)
    await analytics.membersActivity({ ...range, interval: 'week' })
    await analytics.topMembers(range)
    await analytics.topPostStarters(range)
    await analytics.topCommenters(range)
    await analytics.spacesActivity({ ...range, space_id: space.id })
    await analytics.popularSpaces(range)
  }
  if (world.dialect === 'postgres') await expectNotWhole(world, ['analytics_member_rollups'], work)
  else {
    const plans = await plansOf(world.app.services.database.read, work)
    const whole = plans.flatMap(({ steps }) => steps.filter((step) => FIGURES.some((table) => step.startsWith(`SCAN ${table}`))))
    expect([plans.length > 20, whole]).toEqual([true, []])
    expect(
      plans
        .flatMap(({ steps }) => steps)
        .filter((step) => /^SEARCH analytics_member_rollups USING PRIMARY KEY \(generation=\? AND span=\? AND start[>=]/.test(step)).length,
    ).toBeGreaterThan(10)
  }
})
