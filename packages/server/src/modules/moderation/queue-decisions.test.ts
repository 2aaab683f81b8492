import { DEFAULT_PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { listHeld } from './queries.ts'

let world: World
let admin: Member
let moderator: Member
let author: Member
let ana: Member
let space: Space
let other: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  author = await world.member({ username: 'author' })
  ana = await world.member()
  space = await makeSpace(world, { members: [author, ana] })
  other = await makeSpace(world, { privacy: 'secret', members: [author], settings: { require_approval: true } })
  await admin.api.moderation.saveConfig({ auto_moderation: { enabled: true }, blocked_words: ['foulword'] })
})
afterAll(() => world.close())

const post = async (message = 'foulword', where: Space | null = space) =>
  (await author.api.feeds.create({ message, ...(where && { space_id: where.id }) })).data
const queue = async (who: Member, query = {}) => (await who.api.moderation.queue({ per_page: 100, ...query })).items
const notices = async (who: Member) =>
  (await who.api.notifications.list({ per_page: 100 })).notifications.data.filter(({ type }) => type === 'moderation')

test('lists held content, longest waiting first, with the reason', async () => {
  const feed = await post('a foulword')
  const ruled = await post('Harmless', other)
  const published = await post('Good')
  const { data: comment } = await author.api.comments.create({ feed_id: published.id, comment: 'foulword too' })
  await moderator.api.feeds.update({ feed_id: published.id, status: 'spam' })
  expect(comment.status).toBe('pending')
  const items = await queue(moderator)
  expect(items.map(({ object_type, object_id, status, reason }) => [object_type, object_id, status, reason])).toEqual([
    ['feed', feed.id, 'pending', 'word'],
    ['feed', ruled.id, 'pending', 'rule'],
    ['comment', comment.id, 'pending', 'word'],
    ['feed', published.id, 'spam', 'moderator'],
  ])
  expect(items[0]).toMatchObject({
    details: { word: 'foulword' },
    excerpt: 'a foulword',
    space: { id: space.id, slug: space.slug },
    xprofile: { username: 'author' },
    reports_count: 0,
  })
  expect((await queue(moderator, { status: 'spam' })).map(({ object_id }) => object_id)).toEqual([published.id])
  expect((await queue(moderator, { object_type: 'comment' })).map(({ object_id }) => object_id)).toEqual([comment.id])
  const page = await moderator.api.moderation.queue({ per_page: 1, page: 2 })
  expect(page.items.map(({ object_id }) => object_id)).toEqual([ruled.id])
  expect(page.pagination.total).toBe(4)
})

test('approving publishes and notifies the author', async () => {
  const feed = await post()
  world.clock.advance(60)
  expect(await moderator.api.moderation.decideFeed({ feed_id: feed.id, decision: 'approve' })).toEqual({
    message: expect.any(String),
    data: { id: feed.id, status: 'published' },
  })
  expect((await ana.api.feeds.byId({ feed_id: feed.id })).data.status).toBe('published')
  expect((await queue(moderator)).map(({ object_id }) => object_id)).not.toContain(feed.id)
  await world.runPendingJobs()
  const told = (await notices(author)).filter(({ object_id }) => object_id === feed.id)
  expect(told).toMatchObject([{ object_type: 'feed', title: 'Your post was approved', action_url: expect.stringContaining(feed.slug) }])
  await refused(moderator.api.moderation.decideFeed({ feed_id: feed.id, decision: 'approve' }), 404, 'feed_not_found')
})

test('rejecting deletes, notifies the author of the reason, and upholds reports', async () => {
  const feed = await post('Harmless')
  await ana.api.moderation.report({ object_id: feed.id, object_type: 'feed', reason: 'spam' })
  await moderator.api.feeds.update({ feed_id: feed.id, status: 'pending' })
  expect(await moderator.api.moderation.decideFeed({ feed_id: feed.id, decision: 'reject', note: 'Not here.' })).toMatchObject({
    data: { id: feed.id, status: 'removed' },
  })
  await refused(author.api.feeds.byId({ feed_id: feed.id }), 404, 'feed_not_found')
  await world.runPendingJobs()
  expect(await notices(author)).toContainEqual(expect.objectContaining({ object_id: feed.id, message: 'Not here.' }))
  expect((await admin.api.moderation.reports()).reports[0]).toMatchObject({
    object_id: feed.id,
    status: 'resolved',
    action_taken: 'content_removed',
  })
})

test('comments', async () => {
  const feed = await post('Good')
  const write = async () => (await author.api.comments.create({ feed_id: feed.id, comment: 'foulword' })).data.id
  const [one, two] = [await write(), await write()]
  await moderator.api.moderation.decideComment({ comment_id: one, decision: 'approve' })
  await moderator.api.moderation.decideComment({ comment_id: two, decision: 'reject' })
  expect((await ana.api.feeds.byId({ feed_id: feed.id })).data.comments_count).toBe(1)
  expect((await ana.api.comments.byId({ comment_id: one })).data.status).toBe('published')
  await refused(author.api.comments.byId({ comment_id: two }), 404, 'comment_not_found')
  await world.runPendingJobs()
  expect(
    (await notices(author))
      .filter(({ object_type }) => object_type === 'comment')
      .map(({ object_id }) => object_id)
      .sort(),
  ).toEqual([one, two])
})

test('requires resolve_reports in the space', async () => {
  const here = await post('foulword')
  const there = await post('Harmless', other)
  const outside = await post('foulword', null)
  await refused(ana.api.moderation.queue(), 403, 'rest_forbidden')
  await refused(author.api.moderation.decideFeed({ feed_id: here.id, decision: 'approve' }), 403, 'rest_forbidden')
  await refused(world.anonymous.moderation.queue(), 401, 'rest_forbidden')
  const scoped = await world.member({ role: 'moderator' })
  await grant(world, scoped, DEFAULT_PERMISSIONS.moderator, [space])
  const seen = await scoped.api.moderation.queue({ per_page: 100 })
  expect(new Set(seen.items.map((item) => item.space?.id))).toEqual(new Set([space.id]))
  expect(seen.pagination.total).toBe(seen.items.length)
  for (const { id } of [there, outside])
    for (const decision of ['approve', 'reject'] as const)
      await refused(scoped.api.moderation.decideFeed({ feed_id: id, decision }), 404, 'feed_not_found')
  await scoped.api.moderation.decideFeed({ feed_id: here.id, decision: 'approve' })
  await refused(moderator.api.moderation.decideFeed({ feed_id: 987654, decision: 'approve' }), 404, 'feed_not_found')
  await refused(moderator.api.moderation.decideComment({ comment_id: 987654, decision: 'reject' }), 404, 'comment_not_found')
})

test('decisions are in the audit log', async () => {
  const feed = await post()
  await moderator.api.moderation.decideFeed({ feed_id: feed.id, decision: 'reject' })
  expect((await admin.api.audit.list({ action: 'feed.rejected' })).entries[0]).toMatchObject({
    actor_id: moderator.id,
    object_id: feed.id,
    details: { reason: 'word', author_id: author.id },
  })
})

test('decisions outside of the queue are in the audit log too', async () => {
  const feed = await post()
  const { data: comment } = await author.api.comments.create({ feed_id: (await post('Good')).id, comment: 'Good' })
  await moderator.api.feeds.update({ feed_id: feed.id, status: 'published' })
  await moderator.api.feeds.update({ feed_id: feed.id, status: 'spam' })
  await moderator.api.comments.update({ feed_id: comment.post_id, comment_id: comment.id, status: 'pending' })
  await admin.api.comments.remove({ feed_id: comment.post_id, comment_id: comment.id })
  await admin.api.feeds.remove({ feed_id: feed.id })
  const { entries } = await admin.api.audit.list({ per_page: 5 })
  expect(entries.map(({ action, actor_id, object_id, details }) => [action, actor_id, object_id, details])).toEqual([
    ['feed.removed', admin.id, feed.id, { author_id: author.id, space_id: space.id, status: 'spam' }],
    ['comment.removed', admin.id, comment.id, { feed_id: comment.post_id, author_id: author.id, status: 'pending' }],
    ['comment.held', moderator.id, comment.id, { reason: 'moderator', feed_id: comment.post_id, author_id: author.id }],
    ['feed.held', moderator.id, feed.id, { reason: 'moderator', author_id: author.id }],
    ['feed.approved', moderator.id, feed.id, { reason: 'word', author_id: author.id }],
  ])
})

test('only administrators can release their own reported content', async () => {
  await admin.api.moderation.saveConfig({ report_thresholds: { auto_hide_threshold: 1 } })
  const { id } = (await moderator.api.feeds.create({ message: 'Mine' })).data
  const under = (await post('Good')).id
  const { data: comment } = await moderator.api.comments.create({ feed_id: under, comment: 'Mine' })
  await ana.api.moderation.report({ object_id: id, object_type: 'feed', reason: 'spam' })
  await ana.api.moderation.report({ object_id: comment.id, object_type: 'comment', reason: 'spam' })
  await admin.api.moderation.saveConfig({ report_thresholds: { auto_hide_threshold: 0 } })
  for (const call of [
    () => moderator.api.moderation.decideFeed({ feed_id: id, decision: 'approve' }),
    () => moderator.api.moderation.decideComment({ comment_id: comment.id, decision: 'approve' }),
    () => moderator.api.feeds.update({ feed_id: id, status: 'published' }),
    () => moderator.api.feeds.update({ feed_id: id, status: 'draft' }),
    () => moderator.api.comments.update({ feed_id: under, comment_id: comment.id, status: 'published' }),
  ])
    await refused(call(), 403, 'rest_forbidden')
  const other = await world.member({ role: 'moderator' })
  await other.api.moderation.decideFeed({ feed_id: id, decision: 'approve' })
  await other.api.moderation.decideComment({ comment_id: comment.id, decision: 'approve' })
  expect((await ana.api.feeds.byId({ feed_id: id })).data.status).toBe('published')
})

test('twenty concurrent requests decide once', async () => {
  const feed = await post()
  const path = `/moderation/queue/feeds/${feed.id}`
  const answers = await Promise.all(Array.from({ length: 20 }, () => moderator.raw('POST', path, { decision: 'approve' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
})

test.runIf(process.env['LYCEUM_TEST_DATABASE'] !== 'postgres')('pages are read from an index', async () => {
  const db = world.app.services.database.read
  const actor = {
    id: admin.id,
    username: '',
    role: 'admin',
    permissions: new Set<never>(),
    managedSpaces: null,
    createdAt: '',
    sessionId: null,
  } as const
  await expectInOrder(world, () => listHeld(db, actor, { status: 'pending' }))
  await expectNoScan(world, () => listHeld(db, { ...actor, role: 'moderator', managedSpaces: [1] }, {}))
})
