import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import type { Services } from '../../core/context.ts'
import { shiftDay } from '../../util/days.ts'
import { saveSettings } from '../settings/index.ts'
import { updatePeriods } from './index.ts'
import { addEntries } from './ledger.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
let cleo: Member
let outsider: Member
let space: Space
let secret: Space
let closed: Space
beforeAll(async () => {
  // A Wednesday.
  world = await createWorld({ start: '2026-04-15T12:00:00Z' })
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
  cleo = await world.member()
  outsider = await world.member()
  const members = [ana, ben, cleo]
  space = await makeSpace(world, { members })
  closed = await makeSpace(world, { members, privacy: 'private' })
  secret = await makeSpace(world, { members, privacy: 'secret' })
})
afterAll(() => world.close())
beforeEach(() =>
  world.app.write(null, async ({ db }) => {
    for (const table of ['points_ledger', 'daily_scores', 'period_scores', 'contribution_counts', 'achievements'] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('score_periods').where('name', '<>', 'all_time').execute()
    await db.updateTable('users').set({ total_points: 0, status: 'active' }).execute()
  }),
)

const TODAY = '2026-04-15'
let given = 0
/** Adds points directly to the ledger, as of that many days ago. */
const give = async (who: Member, points: number, daysAgo: number, spaceId: number | null = null) => {
  given += 1
  const key = `given:${given}`
  const day = shiftDay(TODAY, -daysAgo)
  const place = { user_id: who.id, space_id: spaceId, feed_id: null, comment_id: null, day }
  const entry = { ...place, kind: 'comment_made', dedup_key: key, points, event_key: key, reverses: null } as const
  await world.app.write(null, async (ctx) => void (await addEntries(ctx, [entry])))
  await world.app.services.points.fold()
}
type Input = Parameters<Member['api']['leaderboard']['list']>[0]
const list = (input: Input = {}, who = ana) => who.api.leaderboard.list(input)
const boards = async (input: Input = {}, who = ana) =>
  Object.fromEntries(
    (await list(input, who)).leaderboard.map(({ key, items }) => [key, items.map((item) => [item.user_id, item.total_points, item.rank])]),
  )
const keys = async (input: Input) => (await list(input)).leaderboard.map(({ key }) => key)

describe.each([
  ['made when it is asked for', async () => {}],
  ['read from kept sums', async () => void (await updatePeriods(world.app.services))],
])('%s', (_name, keep) => {
  beforeEach(keep)

  test('each group contains the points earned in its days', async () => {
    const ages = [0, 1, 2, 3, 6, 7, 14, 15, 29, 30, 400]
    for (const [i, daysAgo] of ages.entries()) await give(ana, 10 ** (i % 4) * (i + 1), daysAgo)
    const sum = (most: number) => ages.reduce((total, daysAgo, i) => (daysAgo <= most ? total + 10 ** (i % 4) * (i + 1) : total), 0)
    for (const period of ['today', 'this_week', 'this_month', 'all_time'] as const) {
      const own = { today: 0, this_week: 2, this_month: 14, all_time: 1000 }
      const expected = { [period]: own[period], '7_days': 6, '30_days': 29, all_time: 1000 }
      const totals = Object.fromEntries(Object.entries(expected).map(([key, most]) => [key, [[ana.id, sum(most), 1]]]))
      expect(await boards({ period })).toEqual(totals)
    }
  })

  test('most points come first, with equal points the older account; members without points are not listed', async () => {
    await give(cleo, 10, 0)
    await give(ben, 10, 1)
    await give(ana, 5, 2)
    await give(outsider, 0, 0)
    const expected = [
      [ben.id, 10, 1],
      [cleo.id, 10, 2],
      [ana.id, 5, 3],
    ]
    expect(await boards()).toEqual({ '7_days': expected, '30_days': expected, all_time: expected })
    expect((await list({ limit: 2 })).leaderboard.map(({ items }) => items.length)).toEqual([2, 2, 2])
    const ranks = await Promise.all([ana, ben, cleo, outsider, admin].map(async (who) => (await list({ limit: 1 }, who)).current_user))
    expect(ranks.map((own) => [own?.rank, own?.total_points])).toEqual([
      [3, 5],
      [1, 10],
      [2, 10],
      [null, 0],
      [null, 0],
    ])
  })

  test('suspended and banned members are excluded, also from ranks', async () => {
    await give(cleo, 30, 0)
    await give(ben, 20, 0)
    await give(ana, 10, 0)
    const status = (value: 'active' | 'suspended' | 'banned') =>
      world.app.write(null, ({ db }) => db.updateTable('users').set({ status: value }).where('id', 'in', [ben.id, cleo.id]).execute())
    for (const value of ['suspended', 'banned'] as const) {
      await status(value)
      const { leaderboard, current_user } = await list()
      expect(leaderboard.map(({ items }) => items.map((item) => [item.user_id, item.rank]))).toEqual([
        [[ana.id, 1]],
        [[ana.id, 1]],
        [[ana.id, 1]],
      ])
      expect(current_user?.rank).toBe(1)
    }
    await status('active')
    expect((await list()).current_user?.rank).toBe(3)
  })

  test('the board of a space counts only points earned there', async () => {
    await give(ana, 10, 0, space.id)
    await give(ana, 100, 0)
    await give(ben, 20, 8, space.id)
    await give(cleo, 50, 0, closed.id)
    const answer = await list({ space_id: space.id, period: 'today' })
    expect(await boards({ space_id: space.id })).toEqual({
      '7_days': [[ana.id, 10, 1]],
      '30_days': [
        [ben.id, 20, 1],
        [ana.id, 10, 2],
      ],
      all_time: [
        [ben.id, 20, 1],
        [ana.id, 10, 2],
      ],
    })
    expect([answer.current_user?.rank, answer.current_user?.total_points]).toEqual([1, 10])
    expect(answer.leaderboard[0]?.items[0]?.xprofile.total_points).toBe(110)
  })

  test('periods move with the days', async () => {
    const before = await createWorld({ start: '2026-04-30T12:00:00Z' })
    const dora = await before.member()
    const earn = async () => {
      await dora.raw('POST', '/feeds', { message: 'Words' })
      await before.runPendingJobs()
    }
    const now = async () => {
      const { leaderboard } = await dora.api.leaderboard.list({ period: 'today' })
      const month = (await dora.api.leaderboard.list({ period: 'this_month' })).leaderboard[0]
      return [...leaderboard, month].map((board) => board?.items[0]?.total_points ?? 0)
    }
    if (_name.startsWith('read')) await updatePeriods(before.app.services)
    await earn()
    expect(await now()).toEqual([100, 100, 100, 100, 100])
    before.clock.advance(24 * 3600)
    expect(await now()).toEqual([0, 100, 100, 100, 0])
    await earn()
    expect(await now()).toEqual([50, 150, 150, 150, 50])
    for (const [days, expected] of [
      [5, [0, 150, 150, 150, 50]],
      [1, [0, 50, 150, 150, 50]],
      [1, [0, 0, 150, 150, 50]],
      [21, [0, 0, 150, 150, 50]],
      [1, [0, 0, 50, 150, 50]],
      [1, [0, 0, 0, 150, 50]],
      [1, [0, 0, 0, 150, 0]],
    ] as const) {
      if (_name.startsWith('read')) await updatePeriods(before.app.services)
      before.clock.advance(days * 24 * 3600)
      expect(await now()).toEqual(expected)
    }
    await before.close()
  })
})

test('returns the three default groups in order; another period comes first', async () => {
  expect(await keys({})).toEqual(['7_days', '30_days', 'all_time'])
  expect(await keys({ period: 'all_time' })).toEqual(['7_days', '30_days', 'all_time'])
  for (const period of ['today', 'this_week', 'this_month'] as const)
    expect(await keys({ period })).toEqual([period, '7_days', '30_days', 'all_time'])
  await refused(ana.api.leaderboard.list({ period: 'yesteryear' as 'today' }), 400, 'invalid_period')
  await refused(ana.api.leaderboard.list({ limit: 0 }), 400, 'invalid_parameter')
  expect((await list({ limit: 100_000 })).leaderboard.length).toBe(3)
})

test('an entry contains the member, the components and the achievements', async () => {
  const feed = await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
  await ben.raw('POST', `/feeds/${feed.data.id}/react`, { type: 'like' })
  await ana.api.comments.create({ feed_id: feed.data.id, comment: 'Hello' })
  await world.runPendingJobs()
  const { leaderboard, current_user } = await list()
  const [entry] = leaderboard[2]?.items ?? []
  expect(current_user).toEqual(entry)
  expect(entry).toMatchObject({
    user_id: ana.id,
    rank: 1,
    total_points: 115,
    xprofile: { user_id: ana.id, username: ana.username, total_points: 115, last_activity: null },
    last_activity: null,
    level: { title: 'Member', min_points: 100, max_points: 499 },
    badge: { slug: 'member', title: 'Member' },
    points_breakdown: { posts_created: 50, comments_made: 10, reactions_received: 5, courses_completed: 0, helpful_votes: 0 },
    stats: { posts_count: 1, comments_count: 1, reactions_count: 1, courses_completed: 0, member_since: '2026-04-15 12:00:00' },
  })
  expect(entry?.achievements.map(({ title }) => title).sort()).toEqual(['First post', 'Member'])
})

test('the caller’s position is returned only on request', async () => {
  expect(await list({ include_current_user: false })).not.toHaveProperty('current_user')
  expect(await list({})).toHaveProperty('current_user')
})

test('a hidden space is missing; a closed one is visible to its members', async () => {
  await refused(list({ space_id: secret.id }, outsider), 404, 'space_not_found')
  await refused(list({ space_id: 999_999 }, outsider), 404, 'space_not_found')
  await refused(list({ space_id: closed.id }, outsider), 403, 'rest_forbidden')
  for (const who of [ana, admin]) for (const { id } of [secret, closed, space]) await list({ space_id: id }, who)
  await list({ space_id: space.id }, outsider)
  await refused(world.anonymous.leaderboard.list({}), 401, 'rest_forbidden')
})

test('is refused to members if the member list is limited to administrators', async () => {
  await give(ana, 10, 0)
  const show = async (to: string) => {
    const answer = await admin.raw('POST', '/settings/privacy-settings', { leaderboard_members_visibility: to })
    expect(answer.status, answer.text).toBe(200)
  }
  await show('admin_only')
  await refused(list(), 403, 'rest_forbidden')
  expect((await list({}, admin)).leaderboard.map(({ items }) => items.length)).toEqual([1, 1, 1])
  await show('everybody')
  expect((await list()).leaderboard[0]?.items.length).toBe(1)
})

test('is missing while disabled, but points are still counted', async () => {
  const features = (leaderboard: boolean) => world.app.write(null, (ctx) => saveSettings(ctx, { features: { leaderboard } }))
  await features(false)
  await refused(list(), 404, 'leaderboard_disabled')
  await refused(admin.api.leaderboardLevels.list(), 404, 'leaderboard_disabled')
  await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
  await world.runPendingJobs()
  await features(true)
  expect((await list()).current_user?.total_points).toBe(100)
})

test('scores of past periods are deleted', async () => {
  const names = async () =>
    (await world.app.services.database.read.selectFrom('score_periods').select('name').execute()).map((row) => row.name)
  await give(ana, 10, 0)
  await updatePeriods(world.app.services)
  expect((await names()).sort()).toEqual([
    '30_days:2026-04-15',
    '7_days:2026-04-15',
    'all_time',
    'this_month:2026-04-30',
    'this_week:2026-04-19',
    'today:2026-04-15',
  ])
  const { services } = world.app
  const clock = { now: () => new Date('2026-04-20T21:00:00Z') }
  const later: Services = { ...services, clock, stateOf: (create) => create(later) }
  expect(await updatePeriods(later)).toBeGreaterThan(0)
  expect((await names()).sort()).toEqual(
    ['7_days:2026-04-20', '7_days:2026-04-21', '30_days:2026-04-20', '30_days:2026-04-21', 'all_time', 'this_month:2026-04-30']
      .concat(['this_week:2026-04-26', 'today:2026-04-20', 'today:2026-04-21', 'this_week:2026-04-19'])
      .sort(),
  )
})

test('concurrent requests before the first computation share it', async () => {
  for (const who of [ana, ben, cleo]) await give(who, 10, 0)
  const answers = await Promise.all(Array.from({ length: 20 }, () => boards({ period: 'today' })))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.['today']?.length).toBe(3)
  const { read } = world.app.services.database
  const sums = await read.selectFrom('period_scores').select('user_id').execute()
  expect(sums.length).toBe(3 * 6)
})

test('every query reads an index in order', async () => {
  if (world.dialect !== 'sqlite') return
  for (const who of [ana, ben, cleo]) await give(who, 10, 0, space.id)
  await updatePeriods(world.app.services)
  await expectNoScan(world, () => list({ period: 'this_week', space_id: space.id }))
  await expectInOrder(world, () => list({ period: 'this_month', include_current_user: false }).then(() => undefined))
})
