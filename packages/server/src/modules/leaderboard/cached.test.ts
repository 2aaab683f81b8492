import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { runText } from '../../db/index.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
let cleo: Member
let space: Space
beforeAll(async () => {
  world = await createWorld({ start: '2026-04-15T12:00:00Z' })
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana', displayName: 'Ana' })
  ben = await world.member({ username: 'ben', displayName: 'Ben' })
  cleo = await world.member({ username: 'cleo', displayName: 'Cleo' })
  space = await makeSpace(world, { privacy: 'private', members: [ana, ben] })
})
afterAll(() => world.close())

type Input = Parameters<Member['api']['leaderboard']['list']>[0]

/** The members of each group, requested twice: the cached response must equal the first one. */
const board = async (who: Member, input: Input = {}) => {
  const [first, again] = [await who.api.leaderboard.list(input), await who.api.leaderboard.list(input)]
  expect(again).toEqual(first)
  return first
}
const people = async (who: Member, input: Input = {}) =>
  (await board(who, input)).leaderboard.map(({ items }) => items.map(({ user_id, rank, total_points }) => [user_id, rank, total_points]))
const onAll = (...rows: (readonly [Member, number, number])[]) =>
  [0, 1, 2].map(() => rows.map(([who, rank, points]) => [who.id, rank, points]))
const post = async (who: Member, spaceId: number | null = null) => {
  const { data } = await who.api.feeds.create({ message: 'Hello', space_id: spaceId })
  await world.runPendingJobs()
  return data.id
}
const past = (text: string, values: (string | number)[]) => world.app.write(null, ({ db }) => runText(db, text, values))

beforeEach(async () => {
  await past('delete from feeds', [])
  for (const table of ['points_ledger', 'daily_scores', 'period_scores', 'contribution_counts', 'achievements'])
    await past(`delete from ${table}`, [])
  await past(`update users set total_points = 0, status = 'active'`, [])
})

test('every caller gets their own position after the shared part', async () => {
  await post(ana)
  await post(ben)
  await ben.api.comments.create({ feed_id: await post(ben), comment: 'Yes' })
  await world.runPendingJobs()
  const expected = onAll([ben, 1, 160], [ana, 2, 100])
  for (const [who, rank] of [
    [ana, 2],
    [ben, 1],
    [cleo, null],
    [admin, null],
  ] as const) {
    expect(await people(who)).toEqual(expected)
    const { current_user } = await board(who)
    expect([current_user?.user_id, current_user?.rank]).toEqual([who.id, rank])
  }
  expect(await board(ana, { include_current_user: false })).not.toHaveProperty('current_user')
})

test('gained and lost points move members immediately', async () => {
  const feed = await post(ana)
  expect(await people(cleo)).toEqual(onAll([ana, 1, 100]))
  await post(ben)
  await ben.api.comments.create({ feed_id: feed, comment: 'Yes' })
  await world.runPendingJobs()
  expect(await people(cleo)).toEqual(onAll([ben, 1, 110], [ana, 2, 100]))
  expect((await board(ana)).current_user?.rank).toBe(2)
  await admin.api.feeds.remove({ feed_id: feed })
  await world.runPendingJobs()
  expect(await people(cleo)).toEqual(onAll([ben, 1, 100]))
  expect((await board(ana)).current_user?.rank).toBe(null)
})

test('suspended, banned and deleted members leave all boards immediately, and return when restored', async () => {
  await post(ana)
  await post(ben)
  const both = onAll([ana, 1, 100], [ben, 2, 100])
  expect(await people(cleo)).toEqual(both)
  for (const status of ['suspended', 'banned', 'deleted']) {
    await past('update users set status = $1 where id = $2', [status, ana.id])
    expect(await people(cleo)).toEqual(onAll([ben, 1, 100]))
    expect((await board(ben)).current_user?.rank).toBe(1)
    await past(`update users set status = 'active' where id = $1`, [ana.id])
    expect(await people(cleo)).toEqual(both)
    expect((await board(ben)).current_user?.rank).toBe(2)
  }
})

test('an entry shows the current name, level and achievements', async () => {
  await post(ana)
  const entries = async (who: Member) => (await board(who)).leaderboard.map(({ items }) => items[0])
  const names = async (who: Member) => (await entries(who)).map((entry) => entry?.xprofile.display_name)
  expect(await names(cleo)).toEqual(['Ana', 'Ana', 'Ana'])
  await ana.api.profiles.update({ username: 'ana', display_name: 'Anna' })
  for (const who of [cleo, ana]) expect(await names(who)).toEqual(['Anna', 'Anna', 'Anna'])
  expect((await board(ana)).current_user?.xprofile.display_name).toBe('Anna')

  const { levels } = await admin.api.leaderboardLevels.list()
  const level = levels.find(({ title }) => title === 'Member')
  await admin.api.leaderboardLevels.save({ levels: [{ id: level?.id ?? 0, title: 'Fellow' }] })
  for (const who of [cleo, ana]) {
    expect((await entries(who)).map((entry) => entry?.level?.title)).toEqual(['Fellow', 'Fellow', 'Fellow'])
    expect((await entries(who))[0]?.achievements.map(({ title }) => title).sort()).toEqual(['Fellow', 'First post'])
  }
  await past(`delete from achievements where user_id = $1 and level_id is not null`, [ana.id])
  expect((await entries(cleo))[0]?.achievements.map(({ title }) => title)).toEqual(['First post'])
  expect((await board(ana)).current_user?.achievements.map(({ title }) => title)).toEqual(['First post'])
})

test('last activity of others is shown only if the community allows it, the own one always', async () => {
  await post(ana)
  await post(ben)
  await past(`update users set last_activity = '2026-04-15 11:00:00'`, [])
  const times = async (who: Member) => {
    const { leaderboard, current_user } = await board(who)
    return [...(leaderboard[2]?.items ?? []).map((one) => [one.last_activity, one.xprofile.last_activity]), current_user?.last_activity]
  }
  const at = '2026-04-15 11:00:00'
  const set = (to: 'yes' | 'no') => admin.raw('POST', '/settings/privacy-settings', { show_last_activity: to })
  expect(await times(cleo)).toEqual([[at, at], [at, at], at])
  await past(`update users set last_activity = '2026-04-15 11:30:00' where id = $1`, [ben.id])
  expect((await times(cleo))[1]).toEqual(['2026-04-15 11:30:00', '2026-04-15 11:30:00'])
  await past(`update users set last_activity = $1`, [at])
  await set('no')
  const none = [null, null]
  // Independent of who requests first.
  for (let turn = 0; turn < 2; turn++) {
    expect(await times(ana)).toEqual([[at, at], none, at])
    expect(await times(ben)).toEqual([none, [at, at], at])
    expect(await times(cleo)).toEqual([none, none, at])
    expect(await times(admin)).toEqual([[at, at], [at, at], at])
    await post(ana)
    await past(`update users set last_activity = $1`, [at])
  }
  await set('yes')
  expect((await times(cleo))[0]).toEqual([at, at])
})

test('the board of a space is visible to its members while they are members', async () => {
  await post(ana, space.id)
  const inSpace = { space_id: space.id }
  expect(await people(ben, inSpace)).toEqual(onAll([ana, 1, 50]))
  await refused(cleo.api.leaderboard.list(inSpace), 403, 'rest_forbidden')
  await leaveSpace(world, space, ben)
  await refused(ben.api.leaderboard.list(inSpace), 403, 'rest_forbidden')
  expect(await people(ana, inSpace)).toEqual(onAll([ana, 1, 50]))
  await past(`update spaces set privacy = 'secret' where id = $1`, [space.id])
  await refused(cleo.api.leaderboard.list(inSpace), 404, 'space_not_found')
  expect(await people(ana, inSpace)).toEqual(onAll([ana, 1, 50]))
  await past(`update spaces set privacy = 'private' where id = $1`, [space.id])
})

test('callers who lose access are refused immediately', async () => {
  await post(ana)
  expect(await people(cleo)).toEqual(onAll([ana, 1, 100]))
  const show = (to: string) => admin.raw('POST', '/settings/privacy-settings', { leaderboard_members_visibility: to })
  await show('admin_only')
  await refused(cleo.api.leaderboard.list({}), 403, 'rest_forbidden')
  expect(await people(admin)).toEqual(onAll([ana, 1, 100]))
  await show('everybody')
  expect(await people(cleo)).toEqual(onAll([ana, 1, 100]))
})

test('on the next day the boards are for that day', async () => {
  await post(ana)
  const today = async () => (await people(cleo, { period: 'today' })).map((rows) => rows.length)
  expect(await today()).toEqual([1, 1, 1, 1])
  world.clock.advance(24 * 3600)
  expect(await today()).toEqual([0, 1, 1, 1])
})

test('the ETag stays while nothing changes, and differs for another end', async () => {
  await post(ana)
  const tagOf = async (who: Member) => (await who.raw('GET', '/leaderboard')).headers.get('etag')
  const before = await tagOf(cleo)
  expect(await tagOf(cleo)).toBe(before)
  expect(await tagOf(ana)).not.toBe(before)
  const unchanged = await cleo.raw('GET', '/leaderboard', undefined, { 'if-none-match': String(before) })
  expect(unchanged.status).toBe(304)
  await post(ben)
  expect(await tagOf(cleo)).not.toBe(before)
})

test('cached responses read neither boards nor users', async () => {
  if (world.dialect !== 'sqlite') return
  await post(ana)
  const ask = () => ana.api.leaderboard.list({})
  await ask()
  await ask()
  const tables = async () => (await plansOf(world.app.services.database.read, ask)).map(({ sql }) => /from (\w+)/.exec(sql)?.[1])
  expect(new Set(await tables())).toEqual(new Set(['settings']))
  await post(ben)
  const afterwards = await plansOf(world.app.services.database.read, () => cleo.api.leaderboard.list({}))
  // Of members already on the board only the scores are read.
  const read = afterwards.filter(({ sql }) => sql.includes('u_short_description') && sql.includes('u.id in'))
  expect(read.length).toBe(1)
})
