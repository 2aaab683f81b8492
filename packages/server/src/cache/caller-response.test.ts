import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type App, createApp } from '../app.ts'
import type { Db } from '../db/index.ts'

let world: World
/** The same community on the same data, through connections of its own and without caches. */
let bare: App
let people: Member[]
let spaces: Space[]
let courseId: number

const TIMEOUT_MS = 240_000

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
  bare = await createApp({ config: world.app.services.config, clock: world.clock, passwordCost: 4 })
  people = []
  for (const name of ['ana', 'ben', 'cleo']) people.push(await world.member({ username: name, displayName: name }))
  people.push(await world.member({ role: 'moderator', username: 'dora' }))
  people.push(await world.member({ role: 'admin', username: 'root' }))
  const [ana, ben, cleo, dora] = people as [Member, Member, Member, Member]
  await grant(world, dora, ['manage_feeds'])
  spaces = [
    await makeSpace(world, { members: [ana, ben, cleo], admins: [dora] }),
    await makeSpace(world, { privacy: 'private', members: [ana, ben], admins: [cleo] }),
  ]
  courseId = (await makeSchool(people[4] as Member, { students: [ana] })).courseId
}, TIMEOUT_MS)
afterAll(async () => {
  await bare.close()
  await world.close()
})

const timeless = (text: string) => text.replace(/"execution_time":[0-9.e+-]+/, '').replace(/"last_activity":("[^"]*"|null)/g, '')
const basic = ({ username, password }: Member) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

const paths = () => [
  '/notifications',
  '/notifications?is_read=false&per_page=3',
  '/notifications/unread',
  '/activities',
  '/activities?per_page=5&page=2',
  `/activities?context[space_id]=${spaces[1]?.id}`,
  '/activities?context[user_id]=1',
  '/feeds/bookmarks',
  '/feeds/bookmarks?order_by_type=oldest&per_page=2',
  '/feeds/bookmarks?order_by_type=likes',
  ...people.slice(0, 3).map(({ username }) => `/profile/${username}`),
  '/profile/me',
  '/members',
  '/members?order=asc&per_page=2&page=2',
  '/members?orderby=last_seen',
  '/feeds?search=dear',
  '/feeds?search=words&order_by_type=oldest&per_page=2',
  '/feeds?search=so&order_by_type=popular',
  '/leaderboard',
  '/leaderboard?limit=2&period=today',
  '/leaderboard?include_current_user=false&limit=3&period=this_week',
  `/leaderboard?space_id=${spaces[1]?.id}`,
]

/** Each look takes ten times as long on PostgreSQL. */
const PARTS = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? 2 : 4

/** Looks at a part of the answers, and the next time at another. */
const expectSame = async (who: Member, turn: number) => {
  for (const path of paths().filter((_, i) => i % PARTS === turn % PARTS)) {
    const kept = await who.raw('GET', path)
    const again = await who.raw('GET', path)
    const { statusCode, body } = await bare.http.inject({ method: 'GET', url: `/api/v2${path}`, headers: { authorization: basic(who) } })
    const expected = { path, who: who.username, status: statusCode, text: timeless(body) }
    expect({ path, who: who.username, status: kept.status, text: timeless(kept.text) }).toEqual(expected)
    expect({ path, who: who.username, status: again.status, text: timeless(again.text) }).toEqual(expected)
  }
}

const row = (table: 'feeds' | 'comments' | 'notifications') =>
  world.app.services.database.read.selectFrom(table).select('id').orderBy('id').execute()
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]
const past = (work: (db: Db) => Promise<unknown>, n: number) =>
  (n % 2 ? world.app : bare).write(null, async ({ db }) => {
    await work(db)
  })

type Act = (who: Member, n: number) => Promise<unknown>
const feedOf = async (n: number) => pick(await row('feeds'), n * 7)?.id ?? 0
const commentOf = async (n: number) => pick(await row('comments'), n * 5)?.id ?? 0

const ACTS: readonly Act[] = [
  async (who, n) => {
    const [other] = [pick(people, n) as Member]
    const space_id = pick([...spaces, null], n)?.id ?? null
    await who.raw('POST', '/feeds', { message: `Dear @${other.username} ${n}`, space_id, privacy: n % 5 ? 'public' : 'private' })
  },
  async (who, n) => who.raw('POST', `/feeds/${await feedOf(n)}/comments`, { comment: `@ben says ${n}` }),
  async (who, n) => who.raw('POST', `/feeds/${await feedOf(n)}/comments`, { comment: `so ${n}`, parent_id: await commentOf(n) }),
  async (who, n) => who.raw('POST', `/feeds/${await feedOf(n)}/react`, { type: 'like' }),
  async (who, n) => who.raw('POST', `/feeds/${await feedOf(n)}/react`, { react_type: 'bookmark', ...(n % 4 === 0 && { remove: true }) }),
  async (who, n) => who.raw('POST', `/profile/${(pick(people, n) as Member).username}/${n % 3 ? 'follow' : 'unfollow'}`, {}),
  async (who, n) => who.raw('POST', `/spaces/${pick(spaces, n)?.slug}/${n % 2 ? 'join' : 'leave'}`, {}),
  async (_who, n) => (people[4] as Member).raw('POST', `/feeds/${await feedOf(n)}`, { status: n % 2 ? 'published' : 'spam' }),
  async (_who, n) => (people[4] as Member).raw('DELETE', `/feeds/${await feedOf(n * 3)}`),
  async (who, n) => who.raw('POST', `/feeds/${await feedOf(n)}`, { message: `other words ${n}`, title: n % 2 ? `T${n}` : '' }),
  async (who) => who.raw('POST', '/notifications/mark-all-read', {}),
  async (who, n) => who.raw('POST', `/notifications/${pick(await row('notifications'), n)?.id}/mark-read`, {}),
  async (who, n) => who.raw('DELETE', `/notifications/${pick(await row('notifications'), n)?.id}`),
  async (who, n) => who.raw('POST', `/courses/${courseId}/${n % 3 ? 'enroll' : 'unenroll'}`, {}),
  async (_who, n) =>
    past(
      async (db) =>
        db
          .updateTable('comments')
          .set({ status: n % 3 ? 'published' : 'spam' })
          .where('id', '=', await commentOf(n))
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      async (db) =>
        db
          .deleteFrom('comments')
          .where('id', '=', await commentOf(n * 11))
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('users')
          .set({ display_name: `Name ${n}`, total_points: n })
          .where('id', '=', (pick(people, n) as Member).id)
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('users')
          .set({ is_private: n % 2 ? 1 : 0, short_description: `Like @newcomer${n}` })
          .where('id', '=', (pick(people, n) as Member).id)
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('users')
          .set({ status: n % 2 ? 'active' : 'suspended' })
          .where('id', '=', (people[2] as Member).id)
          .execute(),
      n >> 1,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('spaces')
          .set({ privacy: n % 2 ? 'public' : 'secret', title: `Space ${n}`, slug: `space-${n}` })
          .where('id', '=', pick(spaces, n >> 1)?.id ?? 0)
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('courses')
          .set({ title: `Course ${n}`, privacy: n % 2 ? 'public' : 'private' })
          .where('id', '=', courseId)
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('managers')
          .set({ all_spaces: n % 2 ? 1 : 0, permissions: n % 3 ? '["manage_feeds"]' : '[]' })
          .where('user_id', '=', (people[3] as Member).id)
          .execute(),
      n,
    ),
  async (_who, n) =>
    past(
      (db) =>
        db
          .updateTable('space_members')
          .set({ role: n % 2 ? 'member' : 'admin', status: n % 5 ? 'active' : 'banned' })
          .where('user_id', '=', (pick(people, n) as Member).id)
          .execute(),
      n,
    ),
  async (_who, n) =>
    (people[4] as Member).raw('POST', '/settings/privacy-settings', {
      user_space_visibility: n % 2 ? 'admin_only' : 'everybody',
      show_last_activity: n % 2 ? 'no' : 'yes',
    }),
]

it(
  'always responds like a server without a response cache',
  async () => {
    for (let n = 0; n < ACTS.length * SOAK; n++) {
      // A row of numbers that meets every pair of somebody and something.
      const act = ACTS[(n * 11) % ACTS.length] as Act
      await act(people[(n >> 2) % people.length] as Member, (n * 2654435761) >>> 16)
      await world.runPendingJobs()
      if (n % 7 === 0) world.clock.advance(61)
      await expectSame(people[n % people.length] as Member, n)
    }
  },
  TIMEOUT_MS,
)

it('omits a member who left a space, and includes them again after they return', async () => {
  const [, ben, cleo] = people as [Member, Member, Member]
  await past((db) => db.updateTable('users').set({ status: 'active' }).where('id', '=', cleo.id).execute(), 1)
  const space = await makeSpace(world, { admins: [cleo] })
  await ben.api.spaceMembers.join({ space_slug: space.slug })
  await world.runPendingJobs()
  const told = async () => {
    const { notifications } = await cleo.api.notifications.list({ type: 'space_join', per_page: 100 })
    return notifications.data.filter(({ action_url }) => action_url.includes(`/spaces/${space.slug}/`)).length
  }
  expect([await told(), await told()]).toEqual([1, 1])
  await leaveSpace(world, space, ben)
  expect([await told(), await told()]).toEqual([0, 0])
  await past(
    (db) =>
      db
        .insertInto('space_members')
        .values({ space_id: space.id, user_id: ben.id, joined_at: '2026-03-10 12:00:00', updated_at: '2026-03-10 12:00:00' })
        .execute(),
    0,
  )
  expect([await told(), await told()]).toEqual([1, 1])
})

it('the notifications show the present title of a post', async () => {
  const [writer, reader] = [await world.member(), await world.member()]
  const { data } = await writer.api.feeds.create({ message: 'Hello', title: 'Former' })
  await reader.api.reactions.toFeed({ feed_id: data.id, type: 'like' })
  await world.runPendingJobs()
  const titles = async () => (await writer.api.notifications.list()).notifications.data.map(({ about }) => about.feed)
  expect(await titles()).toEqual(['Former'])
  await writer.api.feeds.update({ feed_id: data.id, title: 'Present' })
  expect(await titles()).toEqual(['Present'])
})

it('the notifications show the present title of a space', async () => {
  const [reader, root] = [await world.member(), people[4] as Member]
  const { data } = await root.api.spaces.create({ title: 'Former' })
  await root.api.spaceMembers.add({ space_slug: data.slug, user_id: reader.id })
  await world.runPendingJobs()
  const titles = async () => (await reader.api.notifications.list()).notifications.data.map(({ about }) => about.place)
  expect(await titles()).toEqual(['Former'])
  await past((db) => db.updateTable('spaces').set({ title: 'Present' }).where('id', '=', data.id).execute(), 1)
  expect(await titles()).toEqual(['Present'])
})

it('the activities show the present name of a member who was followed', async () => {
  const [ana, reader, followed] = [people[0] as Member, await world.member(), await world.member({ displayName: 'Former' })]
  await ana.api.followers.follow({ username: followed.username })
  await world.runPendingJobs()
  const told = async () => (await reader.raw('GET', '/activities')).text
  expect(await told()).toContain('Former')
  await past((db) => db.updateTable('users').set({ display_name: 'Present' }).where('id', '=', followed.id).execute(), 1)
  expect(await told()).toContain('Present')
})

describe('a body stays cached while other rows change', () => {
  let reader: Member
  let other: Member
  let feedId: number
  let commentId: number
  let elsewhere: Space
  beforeAll(async () => {
    const [ana, root] = [people[0] as Member, people[4] as Member]
    reader = await world.member({ username: 'reader' })
    other = await world.member()
    const space = await makeSpace(world, { members: [ana], admins: [reader] })
    elsewhere = await makeSpace(world, { members: [other] })
    const { data } = await reader.api.feeds.create({ message: 'Mine', title: 'Mine', space_id: space.id })
    await ana.raw('POST', `/feeds/${data.id}/comments`, { comment: 'Yes' })
    await reader.raw('POST', `/feeds/${data.id}/react`, { react_type: 'bookmark' })
    await root.raw('POST', `/spaces/${space.slug}/join`, {})
    await world.runPendingJobs()
    feedId = (await other.api.feeds.create({ message: 'Other', title: 'Other', space_id: elsewhere.id, privacy: 'private' })).data.id
    await other.raw('POST', `/feeds/${feedId}/comments`, { comment: 'Other' })
    await other.raw('POST', `/feeds/${feedId}/react`, { react_type: 'bookmark' })
    commentId = (await row('comments')).at(-1)?.id ?? 0
    await world.runPendingJobs()
  }, TIMEOUT_MS)

  const change = (db: Db) =>
    [
      db.updateTable('users').set({ total_points: 7, last_activity: '2026-03-10 13:00:00', display_name: 'O' }).where('id', '=', other.id),
      db.updateTable('feeds').set({ title: 'New', comments_count: 1, meta: '{"a":1}' }).where('id', '=', feedId),
      db.updateTable('comments').set({ message: 'New', reactions_count: 2 }).where('id', '=', commentId),
      db.updateTable('spaces').set({ title: 'New', members_count: 9, position: 8 }).where('id', '=', elsewhere.id),
      db.updateTable('space_members').set({ role: 'moderator' }).where('user_id', '=', other.id),
      db.deleteFrom('bookmarks').where('user_id', '=', other.id),
      db.updateTable('notifications').set({ is_read: 1 }).where('user_id', 'not in', [reader.id]),
      db.updateTable('notification_actors').set({ actor_id: other.id }).where('id', '=', 0),
      db
        .updateTable('managers')
        .set({ permissions: '[]' })
        .where('user_id', '=', (people[3] as Member).id),
    ] as const

  it.each([
    '/notifications',
    '/notifications/unread',
    '/activities?per_page=1&page=3',
    '/feeds/bookmarks',
    '/profile/reader',
    '/members?order=asc&per_page=1',
    '/leaderboard?limit=1',
  ])('%s', async (path) => {
    const misses = () => world.app.services.caches.stats().caches.reduce((sum, cache) => sum + cache.misses, 0)
    for (let n = 0; n < 3; n++) await reader.raw('GET', path)
    for (const at of change(world.app.services.database.read).keys()) {
      const before = misses()
      expect((await reader.raw('GET', path)).status).toBe(200)
      expect(misses() - before).toBe(0)
      await world.app.write(null, async ({ db }) => {
        await change(db)[at]?.execute()
      })
      expect((await reader.raw('GET', path)).status).toBe(200)
      expect({ change: at, misses: misses() - before }).toEqual({ change: at, misses: 0 })
    }
  })
})
