import type { ReportAction } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { eventsWith, grant, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let moderator: Member
let author: Member
let ana: Member
let space: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  author = await world.member()
  ana = await world.member()
  space = await makeSpace(world, { members: [author, ana] })
})
afterAll(() => world.close())

const post = async (who = author) => (await who.api.feeds.create({ message: 'Something', space_id: space.id })).data.id
const reportOf = async (object_id: number, object_type: 'feed' | 'comment' | 'user' = 'feed', who = ana) =>
  (await who.api.moderation.report({ object_id, object_type, reason: 'spam', description: 'See' })).id
const decide = (who: Member, report_id: number, status: 'reviewed' | 'resolved' | 'dismissed', action_taken?: ReportAction) =>
  who.api.moderation.update({ report_id, status, ...(action_taken && { action_taken }) })
const notices = async (who: Member) =>
  (await who.api.notifications.list({ per_page: 100 })).notifications.data.filter(({ type }) => type === 'moderation')
const statusOf = async (report_id: number) =>
  (await admin.api.moderation.reports({ per_page: 100 })).reports.find(({ id }) => id === report_id)

test('a report can change from any status to any of the three', async () => {
  const id = await reportOf(await post())
  for (const status of ['resolved', 'dismissed', 'reviewed', 'dismissed', 'resolved', 'reviewed', 'resolved'] as const) {
    world.clock.advance(60)
    const answer = await decide(moderator, id, status)
    expect(answer).toEqual({
      id,
      status,
      action_taken: 'none',
      moderator_id: moderator.id,
      moderator_note: '',
      updated_at: expect.any(String),
      message: expect.any(String),
    })
    expect(await statusOf(id)).toMatchObject({ status, updated_at: answer.updated_at })
  }
})

test('a note stays until it is replaced', async () => {
  const id = await reportOf(await post())
  await moderator.api.moderation.update({ report_id: id, status: 'reviewed', moderator_note: 'Hm.' })
  expect(await decide(moderator, id, 'resolved')).toMatchObject({ moderator_note: 'Hm.' })
  expect(await statusOf(id)).toMatchObject({ moderator_note: 'Hm.', moderator_id: moderator.id })
})

test.each([
  [{ status: 'pending' }, 'invalid_data'],
  [{ status: 'nonsense' }, 'invalid_data'],
  [{}, 'missing_required_field'],
  [{ status: 'resolved', action_taken: 'nonsense' }, 'invalid_data'],
  [{ status: 'dismissed', action_taken: 'content_removed' }, 'invalid_data'],
])('%o is refused', async (body, code) => {
  const id = await reportOf(await post())
  expect(await admin.raw('PUT', `/moderation/reports/${id}`, body)).toMatchObject({ status: 400, body: { code } })
  expect(await statusOf(id)).toMatchObject({ status: 'pending' })
})

describe('content_removed', () => {
  test('deletes the feed with everything below it', async () => {
    const feed = await post()
    const { data: comment } = await ana.api.comments.create({ feed_id: feed, comment: 'x' })
    const before = (await admin.api.spaces.bySlug({ space_slug: space.slug })).data.posts_count
    const id = await reportOf(feed)
    expect(await decide(moderator, id, 'resolved', 'content_removed')).toMatchObject({ action_taken: 'content_removed' })
    await refused(author.api.feeds.byId({ feed_id: feed }), 404, 'feed_not_found')
    await refused(author.api.comments.byId({ comment_id: comment.id }), 404, 'comment_not_found')
    expect((await admin.api.spaces.bySlug({ space_slug: space.slug })).data.posts_count).toBe(before - 1)
    expect(await eventsWith(world, { feed_id: feed })).toContain('feed.deleted')
    expect(await eventsWith(world, { report_id: id })).toEqual(['report.created', 'report.resolved'])
    expect(await statusOf(id)).toMatchObject({ content: { status: 'removed', excerpt: 'Something' } })
  })

  test('deletes a comment with its replies', async () => {
    const feed = await post()
    const { data: top } = await author.api.comments.create({ feed_id: feed, comment: 'x' })
    await ana.api.comments.create({ feed_id: feed, comment: 'y', parent_id: top.id })
    await decide(moderator, await reportOf(top.id, 'comment'), 'resolved', 'content_removed')
    expect((await ana.api.feeds.byId({ feed_id: feed })).data.comments_count).toBe(0)
  })

  test('closes other reports about it', async () => {
    const feed = await post()
    const [one, two] = [await reportOf(feed), await reportOf(feed, 'feed', moderator)]
    await decide(admin, one, 'resolved', 'content_removed')
    expect(await statusOf(two)).toMatchObject({ status: 'reviewed', action_taken: 'content_removed' })
  })

  test('is recorded for content that is deleted already', async () => {
    const feed = await post()
    const id = await reportOf(feed)
    await author.api.feeds.remove({ feed_id: feed })
    expect(await decide(moderator, id, 'resolved', 'content_removed')).toMatchObject({ action_taken: 'content_removed' })
  })

  test('is refused for lessons, which are deleted in their course', async () => {
    const { courseId, lessons } = await makeSchool(admin, { students: [ana] })
    const { feed_id } = (await ana.api.lessons.byId({ course_id: courseId, lesson_id: lessons[0] ?? 0 })).data
    const id = await reportOf(feed_id ?? 0)
    await refused(decide(admin, id, 'resolved', 'content_removed'), 400, 'invalid_data')
    expect(await statusOf(id)).toMatchObject({ status: 'pending', action_taken: 'none' })
  })

  test('is refused for people', async () => {
    await refused(decide(admin, await reportOf(author.id, 'user'), 'resolved', 'content_removed'), 400, 'invalid_data')
  })
})

describe('warning', () => {
  test('notifies the person once, without the reporter and the notes', async () => {
    const bad = await world.member()
    const id = await reportOf(bad.id, 'user')
    for (let i = 0; i < 2; i++) {
      await moderator.api.moderation.update({ report_id: id, status: 'resolved', action_taken: 'warning', moderator_note: 'Internal' })
      await world.runPendingJobs()
    }
    const told = await notices(bad)
    expect(told).toMatchObject([{ object_type: 'report', object_id: id, actor_id: bad.id }])
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`Internal|${ana.username}"|${moderator.username}"`))
  })
})

describe.each([
  ['user_suspended', 'account_suspended'],
  ['user_banned', 'account_banned'],
] as const)('%s', (action, code) => {
  test('suspends the account and ends its sessions', async () => {
    const bad = await world.member()
    await decide(admin, await reportOf(bad.id, 'user'), 'resolved', action)
    await refused(bad.api.feeds.list(), 403, code)
    await refused(bad.api.feeds.create({ message: 'x' }), 403, code)
    expect(await eventsWith(world, { user_id: bad.id })).toContain('user.status_changed')
  })

  test('requires ban_members', async () => {
    const bad = await world.member()
    const id = await reportOf(bad.id, 'user')
    await refused(decide(moderator, id, 'resolved', action), 403, 'rest_forbidden')
    expect(await statusOf(id)).toMatchObject({ status: 'pending', action_taken: 'none' })
    await bad.api.feeds.list()
    const guard = await world.member({ role: 'moderator' })
    await grant(world, guard, ['view_reports', 'resolve_reports', 'ban_members'])
    await decide(guard, id, 'resolved', action)
    await refused(bad.api.feeds.list(), 403, code)
  })

  test('is refused for accounts with higher rights and for the last administrator', async () => {
    const guard = await world.member({ role: 'moderator' })
    await grant(world, guard, ['view_reports', 'resolve_reports', 'ban_members'])
    const manager = await world.member({ role: 'manager' })
    await refused(decide(guard, await reportOf(manager.id, 'user'), 'resolved', action), 403, 'rest_forbidden')
    await refused(decide(guard, await reportOf(admin.id, 'user'), 'resolved', action), 403, 'rest_forbidden')
    await refused(decide(admin, await reportOf(admin.id, 'user', author), 'resolved', action), 409, 'last_admin')
  })
})

test('nobody can warn or remove content of accounts with higher rights', async () => {
  const manager = await world.member({ role: 'manager' })
  const feed = await post(admin)
  await refused(decide(moderator, await reportOf(manager.id, 'user'), 'resolved', 'warning'), 403, 'rest_forbidden')
  const id = await reportOf(feed)
  await refused(decide(moderator, id, 'resolved', 'content_removed'), 403, 'rest_forbidden')
  await admin.api.feeds.byId({ feed_id: feed })
  expect(await statusOf(id)).toMatchObject({ status: 'pending' })
})

test('every decision is in the audit log', async () => {
  const id = await reportOf(await post())
  await decide(moderator, id, 'resolved', 'content_edited')
  await admin.api.moderation.remove({ report_id: id })
  const { entries } = await admin.api.audit.list({ object_type: 'report', object_id: id })
  expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['report.deleted', admin.id],
    ['report.decided', moderator.id],
  ])
  expect(entries[1]?.details).toMatchObject({ status: 'resolved', action_taken: 'content_edited' })
})

test('twenty concurrent moderators remove once', async () => {
  const feed = await post()
  const id = await reportOf(feed)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      moderator.raw('PUT', `/moderation/reports/${id}`, { status: 'resolved', action_taken: 'content_removed' }),
    ),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect((await eventsWith(world, { feed_id: feed })).filter((name) => name === 'feed.deleted')).toEqual(['feed.deleted'])
})
