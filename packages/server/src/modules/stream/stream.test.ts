import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { leaveSpace, makeSpace } from '#test/fixtures.ts'
import { expectNoScan } from '#test/plans.ts'
import { type Listener, listen, summaryOf } from '#test/sse-client.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let outsider: Member
let administrator: Member
const listeners: Listener[] = []

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  ana = await world.member()
  ben = await world.member()
  outsider = await world.member()
  administrator = await world.member({ role: 'admin' })
})
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.stop())))
afterAll(() => world.close())

const hear = async (who: Member, lastEventId?: string): Promise<Listener> => {
  const listener = await listen(world, who, lastEventId)
  listeners.push(listener)
  return listener
}

const post = async (who: Member, space_id: number | null = null, more: object = {}) =>
  (await who.api.feeds.create({ message: 'Hello there', space_id, ...more })).data.id

describe('a stream', () => {
  test('starts with the number of unread notifications', async () => {
    const [{ event, data, id }] = (await hear(ana)).received as never as [{ event: string; data: object; id: string }]
    expect([event, data]).toEqual(['ready', { unread_count: 0, last_event_id: id }])
  })

  test('is neither cached, compressed nor buffered on the way', async () => {
    const abort = new AbortController()
    const authorization = `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
    const { status, headers, body } = await fetch(`${world.base}/stream`, {
      headers: { authorization, 'accept-encoding': 'gzip' },
      signal: abort.signal,
    })
    const first = await body?.getReader().read()
    abort.abort()
    const of = (name: string) => headers.get(name)
    expect([status, of('content-type'), of('cache-control'), of('x-accel-buffering'), of('content-encoding')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
      'no',
      null,
    ])
    expect(of('x-request-id')).toBeTruthy()
    expect(of('x-ratelimit-limit')).toBeTruthy()
    expect(Buffer.from(first?.value ?? []).toString()).toMatch(
      /^event: ready\nid: [0-9a-z-]+\ndata: \{"unread_count":0,"last_event_id":"[0-9a-z-]+"\}\n\n$/,
    )
  })

  test('requires authentication', async () => {
    const answer = await world.request('GET', '/stream')
    expect([answer.status, answer.body.code]).toEqual([401, 'rest_forbidden'])
    await refused(world.anonymous.stream.listen().next(), 401, 'rest_forbidden')
    const head = await ana.raw('HEAD', '/stream')
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'text/event-stream', ''])
  })

  test('delivers posts, comments and reactions with their current state', async () => {
    const listener = await hear(ben)
    const feed_id = await post(ana, null, { title: 'News' })
    expect((await listener.next('feed')).data).toEqual({
      action: 'published',
      feed_id,
      space_id: null,
      user_id: ana.id,
      slug: 'news',
      is_sticky: false,
      comments_count: 0,
      reactions_count: 0,
    })
    const { data: comment } = await ben.api.comments.create({ feed_id, comment: 'Well' })
    expect((await listener.next('comment')).data).toEqual({
      action: 'published',
      comment_id: comment.id,
      feed_id,
      space_id: null,
      user_id: ben.id,
      parent_id: null,
      comments_count: 1,
    })
    await ana.api.reactions.toFeed({ feed_id, type: 'like' })
    expect((await listener.next('reaction')).data).toEqual({ feed_id, comment_id: null, space_id: null, reactions_count: 1 })
    await ana.api.reactions.toComment({ feed_id, comment_id: comment.id, type: 'wow' })
    expect((await listener.next('reaction')).data).toEqual({ feed_id, comment_id: comment.id, space_id: null, reactions_count: 1 })
    await ana.api.feeds.update({ feed_id, message: 'Better' })
    expect(summaryOf(await listener.all())).toEqual([`feed updated ${feed_id}`])
    await ben.api.comments.remove({ feed_id, comment_id: comment.id })
    expect((await listener.next('comment')).data).toEqual({
      action: 'deleted',
      comment_id: comment.id,
      feed_id,
      space_id: null,
      user_id: ben.id,
      comments_count: 0,
    })
    await ana.api.feeds.remove({ feed_id })
    expect((await listener.next('feed')).data).toEqual({ action: 'deleted', feed_id, space_id: null, user_id: ana.id })
  })

  test('delivers notifications as in their list, with the unread count', async () => {
    const listener = await hear(ana)
    const feed_id = await post(ana)
    await ben.api.comments.create({ feed_id, comment: 'Well' })
    await world.runPendingJobs()
    const { data } = await listener.next('notification')
    const { notifications } = await ana.api.notifications.list()
    // Sums of points follow when they are folded.
    const withoutPoints = (value: unknown) => JSON.parse(JSON.stringify(value, (key, inner) => (key === 'total_points' ? 0 : inner)))
    expect(withoutPoints(data)).toEqual(withoutPoints({ notification: notifications.data[0], unread_count: 1 }))
    await ana.api.notifications.markAllRead()
    expect((await listener.next('unread')).data).toEqual({ unread_count: 0 })
  })

  test('delivers bookmarks only to their owner', async () => {
    const feed_id = await post(ana)
    const [own, other] = [await hear(ben), await hear(ana)]
    await ben.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })
    expect(summaryOf(await own.all())).toEqual([`bookmark added ${feed_id}`])
    expect(summaryOf(await other.all())).toEqual([])
  })
})

describe('hidden content', () => {
  const inAndOut = async (privacy: 'public' | 'private' | 'secret', status: 'published' | 'draft' = 'published') => {
    const space = await makeSpace(world, { privacy, status, members: [ana, ben], moderators: [] })
    return { space, member: await hear(ben), stranger: await hear(outsider), chief: await hear(administrator) }
  }

  test.each(['private', 'secret'] as const)('in a %s space is not delivered', async (privacy) => {
    const { space, member, stranger, chief } = await inAndOut(privacy)
    const feed_id = await post(ana, space.id)
    const { data } = await ana.api.comments.create({ feed_id, comment: 'Well' })
    await ana.api.reactions.toFeed({ feed_id, type: 'like' })
    await ana.api.feeds.update({ feed_id, message: 'Better' })
    await ana.api.comments.remove({ feed_id, comment_id: data.id })
    await ana.api.feeds.remove({ feed_id })
    const seen = summaryOf(await member.all())
    expect(seen.at(-1)).toBe(`feed deleted ${feed_id}`)
    expect(summaryOf(await chief.all()).at(-1)).toBe(`feed deleted ${feed_id}`)
    expect(summaryOf(await stranger.all())).toEqual([])
  })

  test('drafts, held posts and private posts are not delivered', async () => {
    const [own, other, chief] = [await hear(ana), await hear(ben), await hear(administrator)]
    const space = await makeSpace(world, { members: [ana, ben] })
    const draft = await post(ana, space.id, { status: 'draft' })
    const secret = await post(ana, space.id, { privacy: 'private' })
    const alone = await post(ana, null, { privacy: 'private' })
    const feed_id = await post(ana)
    expect(summaryOf(await own.all())).toEqual([`feed published ${secret}`, `feed published ${alone}`, `feed published ${feed_id}`])
    expect(summaryOf(await other.all())).toEqual([`feed published ${secret}`, `feed published ${feed_id}`])
    await ana.api.feeds.remove({ feed_id: draft })
    await ana.api.feeds.remove({ feed_id: alone })
    await administrator.api.feeds.update({ feed_id, status: 'pending' })
    await ana.api.feeds.update({ feed_id, message: 'Hidden' })
    expect(summaryOf(await own.all())).toEqual([`feed deleted ${draft}`, `feed deleted ${alone}`, `feed updated ${feed_id}`])
    expect(summaryOf(await chief.all())).toContain(`feed updated ${feed_id}`)
    expect(summaryOf(await other.all())).toEqual([`feed hidden ${feed_id}`])
  })

  test('a post that is moved and hidden in one step does not reveal its new space', async () => {
    const from = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
    const to = await makeSpace(world, { privacy: 'public', members: [ana] })
    const feed_id = await post(ana, from.id)
    const [other, stranger] = [await hear(ben), await hear(outsider)]
    await ana.api.feeds.update({ feed_id, space_id: to.id, status: 'draft' })
    expect(await other.all()).toMatchObject([{ event: 'feed', data: { action: 'hidden', feed_id, space_id: from.id } }])
    expect(summaryOf(await stranger.all())).toEqual([])
  })

  test('a moved post is hidden from viewers who lose access, and from nobody else', async () => {
    const closed = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const open = await makeSpace(world, { privacy: 'public', members: [ana, ben] })
    const feed_id = await post(ana, open.id)
    const [own, other, stranger] = [await hear(ana), await hear(ben), await hear(outsider)]
    const hidden = [`feed hidden ${feed_id}`]
    const updated = [`feed updated ${feed_id}`]
    await ana.api.feeds.update({ feed_id, privacy: 'private' })
    expect([summaryOf(await own.all()), summaryOf(await other.all()), summaryOf(await stranger.all())]).toEqual([updated, updated, hidden])
    await ana.api.feeds.update({ feed_id, space_id: closed.id })
    expect([summaryOf(await own.all()), summaryOf(await other.all()), summaryOf(await stranger.all())]).toEqual([updated, hidden, []])
    await ana.api.feeds.update({ feed_id, message: 'Again' })
    expect([summaryOf(await own.all()), summaryOf(await other.all()), summaryOf(await stranger.all())]).toEqual([updated, [], []])
  })

  test('held comments are delivered only to their author and to moderators', async () => {
    const feed_id = await post(ana)
    const { data } = await ben.api.comments.create({ feed_id, comment: 'Well' })
    await administrator.api.comments.update({ feed_id, comment_id: data.id, status: 'pending' })
    const [author, other, chief] = [await hear(ben), await hear(ana), await hear(administrator)]
    await ben.api.comments.update({ feed_id, comment_id: data.id, comment: 'Again' })
    await administrator.api.comments.remove({ feed_id, comment_id: data.id })
    expect(summaryOf(await author.all())).toEqual([`comment deleted ${data.id}`])
    expect(summaryOf(await chief.all())).toEqual([])
    expect(summaryOf(await other.all())).toEqual([])
  })

  test('a comment that was visible and is held sends hidden', async () => {
    const feed_id = await post(ana)
    const { data } = await ben.api.comments.create({ feed_id, comment: 'Well' })
    const [author, other] = [await hear(ben), await hear(ana)]
    await administrator.api.comments.update({ feed_id, comment_id: data.id, status: 'pending' })
    expect(summaryOf(await author.all())).toEqual([`comment updated ${data.id}`])
    expect(summaryOf(await other.all())).toEqual([`comment hidden ${data.id}`])
  })

  test('a removed member receives the removal, and nothing from the space afterwards', async () => {
    const { space, member } = await inAndOut('secret')
    const first = await post(ana, space.id)
    expect(summaryOf(await member.all())).toEqual([`feed published ${first}`])
    await administrator.api.spaceMembers.remove({ space_slug: space.slug, user_id: ben.id })
    await post(ana, space.id)
    expect(summaryOf(await member.all()).filter((line) => line !== 'unread')).toEqual([`space left ${space.id}`])
    await leaveSpace(world, space, ana)
  })

  test('events before the end of a membership are not delivered after it', async () => {
    const { space, member } = await inAndOut('private')
    await world.app.write(null, async (ctx) => {
      // One transaction, so that both events are processed together.
      await ctx.db.deleteFrom('space_members').where('space_id', '=', space.id).where('user_id', '=', ben.id).execute()
      await ctx.emit('space.updated', { space_id: space.id })
    })
    const feed_id = await post(ana, space.id)
    expect(summaryOf(await member.all()).filter((line) => line.includes(String(feed_id)))).toEqual([])
  })

  test('a manager receives what their record allows', async () => {
    const staff = await world.member({ role: 'moderator' })
    const space = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const listener = await hear(staff)
    const feed_id = await post(ana, space.id)
    expect(summaryOf(await listener.all())).toEqual([`feed published ${feed_id}`])
    await world.app.write(null, async ({ db }) => {
      await db.deleteFrom('managers').where('user_id', '=', staff.id).execute()
    })
    await post(ana, space.id)
    expect(summaryOf(await listener.all())).toEqual([])
  })

  test('a private post outside of spaces is delivered to followers of its author', async () => {
    const follower = await world.member()
    await world.app.write(null, async ({ db, now }) => {
      const pair = { follower_id: follower.id, following_id: ana.id }
      await db
        .insertInto('followers')
        .values({ ...pair, status: 'active', created_at: now, updated_at: now })
        .execute()
    })
    const [follows, other] = [await hear(follower), await hear(ben)]
    const feed_id = await post(ana, null, { privacy: 'private' })
    expect(summaryOf(await follows.all())).toEqual([`feed published ${feed_id}`])
    expect(summaryOf(await other.all())).toEqual([])
  })
})

describe('spaces', () => {
  test('are delivered to those who can see them', async () => {
    const { data: known } = await administrator.api.spaces.create({ title: 'Known', settings: {} })
    const secret = await makeSpace(world, { privacy: 'secret', members: [ben] })
    const [member, stranger] = [await hear(ben), await hear(outsider)]
    await administrator.api.spaces.updateById({ space_id: secret.id, title: 'Other' })
    await administrator.api.spaces.updateById({ space_id: known.id, title: 'Other too' })
    expect(summaryOf(await member.all())).toEqual([`space updated ${secret.id}`, `space updated ${known.id}`])
    expect(summaryOf(await stranger.all())).toEqual([`space updated ${known.id}`])
    await administrator.api.spaces.remove({ space_slug: secret.slug })
    await administrator.api.spaces.remove({ space_slug: known.slug })
    expect(summaryOf(await member.all())).toEqual([`space deleted ${known.id}`])
    expect(summaryOf(await stranger.all())).toEqual([`space deleted ${known.id}`])
  })
})

test('all lookups of a stream use indexes', async () => {
  const space = await makeSpace(world, { privacy: 'private', members: [ana, ben] })
  const listener = await hear(ben)
  const tell = async () => {
    const feed_id = await post(ana, space.id)
    const alone = await post(ana, null, { privacy: 'private' })
    const { data } = await ben.api.comments.create({ feed_id, comment: 'Well' })
    await ana.api.reactions.toComment({ feed_id, comment_id: data.id, type: 'like' })
    await ana.api.feeds.remove({ feed_id: alone })
    await listener.all()
  }
  if (world.dialect === 'sqlite') await expectNoScan(world, tell)
  else await tell()
})
