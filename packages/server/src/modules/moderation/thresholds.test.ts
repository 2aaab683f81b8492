import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsWith, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let moderator: Member
let author: Member
let people: Member[]
let space: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  author = await world.member()
  people = await Promise.all(Array.from({ length: 20 }, (_, i) => world.member({ username: `person${i}` })))
  space = await makeSpace(world, { members: [author, ...people] })
})
afterAll(() => world.close())

const thresholds = (auto_hide_threshold: number, auto_ban_threshold = 0) =>
  admin.api.moderation.saveConfig({ report_thresholds: { auto_hide_threshold, auto_ban_threshold }, auto_moderation: { enabled: false } })
const post = async (who = author) => (await who.api.feeds.create({ message: 'Something', space_id: space.id })).data.id
const report = (who: Member, object_id: number, object_type: 'feed' | 'comment' | 'user' = 'feed', reason: 'spam' | 'violence' = 'spam') =>
  who.api.moderation.report({ object_id, object_type, reason })

describe('auto_hide', () => {
  test('counts different reporters, and sets the feed to pending', async () => {
    await thresholds(2)
    const feed = await post()
    await report(people[0]!, feed)
    await report(people[0]!, feed, 'feed', 'violence')
    await people[2]!.api.feeds.byId({ feed_id: feed })
    await report(people[1]!, feed)
    await refused(people[2]!.api.feeds.byId({ feed_id: feed }), 404, 'feed_not_found')
    expect((await moderator.api.feeds.byId({ feed_id: feed })).data.status).toBe('pending')
    expect((await moderator.api.moderation.queue()).items.at(-1)).toMatchObject({
      object_type: 'feed',
      object_id: feed,
      reason: 'reports',
      reports_count: 2,
      details: { reporters: 2 },
    })
  })

  test('twenty concurrent reports hide once, with correct counters', async () => {
    await thresholds(5)
    const feed = await post()
    const before = (await admin.api.spaces.bySlug({ space_slug: space.slug })).data.posts_count
    const answers = await Promise.all(
      people.map((who) => who.raw('POST', '/moderation/report', { object_id: feed, object_type: 'feed', reason: 'spam' })),
    )
    // Later reporters can no longer see it.
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(15)
    expect((await eventsWith(world, { feed_id: feed })).filter((name) => name === 'feed.hidden')).toEqual(['feed.hidden'])
    expect((await admin.api.spaces.bySlug({ space_slug: space.slug })).data.posts_count).toBe(before - 1)
  })

  test('also applies to comments, and updates the counters of the feed', async () => {
    await thresholds(3)
    const feed = await post()
    const { data } = await author.api.comments.create({ feed_id: feed, comment: 'x' })
    const answers = await Promise.all(
      people.map((who) => who.raw('POST', '/moderation/report', { object_id: data.id, object_type: 'comment', reason: 'spam' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect((await people[0]!.api.feeds.byId({ feed_id: feed })).data.comments_count).toBe(0)
    expect((await author.api.comments.byId({ comment_id: data.id })).data.status).toBe('pending')
  })

  test('starts again after a moderator publishes it', async () => {
    await thresholds(2)
    const feed = await post()
    await report(people[0]!, feed)
    await report(people[1]!, feed)
    await moderator.api.feeds.update({ feed_id: feed, status: 'published' })
    expect((await admin.api.moderation.reports({ per_page: 100 })).reports.filter(({ object_id }) => object_id === feed)).toMatchObject([
      { status: 'dismissed', moderator_id: moderator.id },
      { status: 'dismissed', moderator_id: moderator.id },
    ])
    await report(people[2]!, feed)
    await people[5]!.api.feeds.byId({ feed_id: feed })
    await report(people[3]!, feed)
    await refused(people[5]!.api.feeds.byId({ feed_id: feed }), 404, 'feed_not_found')
  })

  test('0 disables it', async () => {
    await thresholds(0)
    const feed = await post()
    for (const who of people.slice(0, 6)) await report(who, feed)
    await people[7]!.api.feeds.byId({ feed_id: feed })
  })
})

describe('auto_ban', () => {
  const uphold = async (userId: number, by: Member) => {
    const { id } = await report(by, userId, 'user')
    return moderator.api.moderation.update({ report_id: id, status: 'resolved' })
  }

  test('applies after enough upheld reports, not dismissed ones', async () => {
    await thresholds(0, 2)
    const bad = await world.member()
    const { id } = await report(people[0]!, bad.id, 'user')
    await moderator.api.moderation.update({ report_id: id, status: 'dismissed' })
    await uphold(bad.id, people[1]!)
    await bad.api.feeds.list()
    await uphold(bad.id, people[2]!)
    await refused(bad.api.feeds.list(), 403, 'account_banned')
    const { entries } = await admin.api.audit.list({ object_type: 'user', object_id: bad.id })
    expect(entries).toMatchObject([{ action: 'account.changed', actor_id: null, details: { status: 'banned', upheld_reports: 2 } }])
  })

  test('applies once for concurrent decisions', async () => {
    await thresholds(0, 3)
    const bad = await world.member()
    const ids = []
    for (const who of people.slice(0, 6)) ids.push((await report(who, bad.id, 'user')).id)
    await Promise.all(ids.map((report_id) => moderator.api.moderation.update({ report_id, status: 'resolved' })))
    await refused(bad.api.feeds.list(), 403, 'account_banned')
    expect((await eventsWith(world, { user_id: bad.id })).filter((name) => name === 'user.status_changed')).toHaveLength(1)
  })

  test('never applies to staff', async () => {
    await thresholds(0, 1)
    for (const role of ['admin', 'manager', 'moderator'] as const) {
      const staff = await world.member({ role })
      const { id } = await report(people[0]!, staff.id, 'user')
      await admin.api.moderation.update({ report_id: id, status: 'resolved' })
      await staff.api.feeds.list()
    }
  })
})
