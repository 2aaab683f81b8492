import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let moderator: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  const permissions = ['manage_feeds', 'manage_comments'] as const
  await admin.api.managers.save({ user_id: moderator.id, role: 'moderator', permissions: [...permissions] })
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const REASON = 'It named a third person.'
const post = async (message = 'As I wrote it') => (await ana.api.feeds.create({ title: 'Mine', message })).data
const feedNow = async (feed_id: number) => (await ben.api.feeds.byId({ feed_id })).data
const commentNow = async (comment_id: number) => (await ben.api.comments.byId({ comment_id })).data
const logged = async (object_type: string, object_id: number) => (await admin.api.audit.list({ object_type, object_id })).entries
const noticesOf = async (member: Member) =>
  (await member.api.notifications.list({ type: 'moderation' })).notifications.data.map(({ title, message }) => [title, message])

describe('editing another member’s post', () => {
  it('is refused to other members, and with an insufficient reason', async () => {
    const { id: feed_id } = await post()
    for (const who of [admin, moderator])
      await refused(who.api.feeds.update({ feed_id, message: 'Yours', reason: 'x' }), 400, 'invalid_data')
    await refused(ben.api.feeds.update({ feed_id, message: 'Yours', reason: REASON }), 403, 'rest_forbidden')
    expect(await feedNow(feed_id)).toMatchObject({ message: 'As I wrote it', edited_at: null, edited_by_moderator: false })
    expect(await logged('feed', feed_id)).toEqual([])
  })

  it('without a reason records the default reason', async () => {
    const standard = 'Edited by a moderator'
    for (const [who, change] of [
      [admin, { message: 'Yours' }],
      [moderator, { title: 'Yours' }],
      [moderator, { meta: { note: 'x' } }],
      [admin, { message: 'Yours', reason: '  ' }],
      [moderator, { message: 'Yours', reason: null }],
    ] as const) {
      const { id: feed_id } = await post()
      await who.api.feeds.update({ feed_id, ...change })
      await world.runPendingJobs()
      expect(await feedNow(feed_id)).toMatchObject({ edited_by_moderator: true, edited_at: expect.any(String) })
      expect(await logged('feed', feed_id)).toMatchObject([{ action: 'feed.edited', actor_id: who.id, details: { reason: standard } }])
      expect((await ana.api.feeds.revisions({ feed_id })).data).toMatchObject([{ message: 'As I wrote it', reason: standard }])
    }
    expect((await noticesOf(ana)).filter(([, message]) => message === `Reason: ${standard}`)).toHaveLength(5)
  })

  it('is marked, notified and audited, and keeps the previous version', async () => {
    const { id: feed_id } = await post()
    world.clock.advance(60)
    await moderator.api.feeds.update({ feed_id, message: 'Better', reason: REASON })
    await world.runPendingJobs()
    const seen = await feedNow(feed_id)
    expect(seen).toMatchObject({ message: 'Better', edited_by_moderator: true, edited_at: seen.updated_at })
    expect(await noticesOf(ana)).toContainEqual(['Your post was edited by a moderator', `Reason: ${REASON}`])
    const [entry] = await logged('feed', feed_id)
    expect(entry).toMatchObject({
      action: 'feed.edited',
      actor_id: moderator.id,
      details: { author_id: ana.id, reason: REASON, fields: ['message'], before_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(entry?.details['after_sha256']).not.toBe(entry?.details['before_sha256'])
    expect(JSON.stringify(entry)).not.toContain('As I wrote it')
    for (const who of [ana, moderator, admin]) {
      const { data, pagination } = await who.api.feeds.revisions({ feed_id })
      expect([pagination.total, data[0]]).toEqual([1, expect.objectContaining({ title: 'Mine', message: 'As I wrote it', reason: REASON })])
    }
    await refused(ben.api.feeds.revisions({ feed_id }), 404, 'feed_not_found')
  })

  it('the mark is removed by an edit of the author, and the history with the post', async () => {
    const { id: feed_id } = await post()
    await admin.api.feeds.update({ feed_id, title: 'Theirs', reason: REASON })
    await ana.api.feeds.update({ feed_id, title: 'Mine again' })
    expect(await feedNow(feed_id)).toMatchObject({ edited_by_moderator: false, edited_at: expect.any(String) })
    expect((await ana.api.feeds.revisions({ feed_id })).data).toHaveLength(1)
    await ana.api.feeds.remove({ feed_id })
    const rows = await world.app.services.database.read.selectFrom('content_revisions').selectAll().where('feed_id', '=', feed_id).execute()
    expect(rows).toEqual([])
  })

  it('includes the removal of its preview', async () => {
    const { id: feed_id } = (
      await ana.api.feeds.create({ message: 'Look', meta: { preview: { url: 'https://example.org/', title: 'x' } } })
    ).data
    await moderator.api.media.removePreview({ feed_id })
    expect(await feedNow(feed_id)).toMatchObject({ edited_by_moderator: true })
    expect((await ana.api.feeds.revisions({ feed_id })).data[0]?.meta).toHaveProperty('preview')
  })
})

describe('not an edit', () => {
  it('pinning, featuring, sorting and hiding set no mark and need no reason, but are audited', async () => {
    const { id: feed_id } = await post()
    const space = (await admin.api.spaces.create({ title: 'Somewhere else' })).data
    for (const change of [
      { is_sticky: true },
      { is_sticky: false },
      { priority: 3 },
      { space_id: space.id },
      { featured_image: 'https://example.org/x.png' },
      { meta: { comments_disabled: true } },
      { status: 'pending' as const },
      { status: 'published' as const },
    ]) {
      world.clock.advance(60)
      await admin.api.feeds.update({ feed_id, ...change })
    }
    expect(await feedNow(feed_id)).toMatchObject({ edited_at: null, edited_by_moderator: false })
    const entries = (await logged('feed', feed_id)).map(({ action, details }) => [action, details['fields']]).reverse()
    expect(entries).toEqual([
      ['feed.pinned', undefined],
      ['feed.unpinned', undefined],
      ['feed.changed', ['priority']],
      ['feed.changed', ['space_id']],
      ['feed.changed', ['featured_image']],
      ['feed.changed', ['comments_disabled']],
      ['feed.held', undefined],
      ['feed.approved', undefined],
    ])
  })

  it('changes to an author’s draft; changes to a published post are edits', async () => {
    const { id: feed_id } = (await ana.api.feeds.create({ message: 'First', status: 'draft' })).data
    await ana.api.feeds.update({ feed_id, message: 'Second' })
    await ana.api.feeds.update({ feed_id, status: 'published' })
    expect((await feedNow(feed_id)).edited_at).toBeNull()
    await ana.api.feeds.update({ feed_id, message: 'Third' })
    expect(await feedNow(feed_id)).toMatchObject({ edited_at: expect.any(String), edited_by_moderator: false })
    expect((await ana.api.feeds.revisions({ feed_id })).data).toEqual([])
    expect(await logged('feed', feed_id)).toEqual([])
  })
})

describe('editing another member’s comment', () => {
  const comment = async () => {
    const { id: feed_id } = await post()
    return { feed_id, comment_id: (await ana.api.comments.create({ feed_id, comment: 'As I said it' })).data.id }
  }

  it('is marked, notified, audited and kept', async () => {
    const ids = await comment()
    await refused(ben.api.comments.update({ ...ids, comment: 'Better', reason: REASON }), 403, 'rest_forbidden')
    expect(await commentNow(ids.comment_id)).toMatchObject({ message: 'As I said it', edited_at: null, edited_by_moderator: false })
    await moderator.api.comments.update({ ...ids, comment: 'Better', reason: REASON })
    await world.runPendingJobs()
    expect(await commentNow(ids.comment_id)).toMatchObject({ message: 'Better', edited_at: expect.any(String), edited_by_moderator: true })
    expect(await noticesOf(ana)).toContainEqual(['Your comment was edited by a moderator', `Reason: ${REASON}`])
    expect(await logged('comment', ids.comment_id)).toMatchObject([
      { action: 'comment.edited', details: { author_id: ana.id, feed_id: ids.feed_id, reason: REASON, fields: ['message'] } },
    ])
    for (const who of [ana, moderator])
      expect((await who.api.comments.revisions(ids)).data).toMatchObject([{ message: 'As I said it', reason: REASON }])
    await refused(ben.api.comments.revisions(ids), 404, 'comment_not_found')
    // The history of the post is separate.
    expect((await ana.api.feeds.revisions(ids)).data).toEqual([])
  })

  it('without a reason records the default reason', async () => {
    const ids = await comment()
    await moderator.api.comments.update({ ...ids, comment: 'Better' })
    await world.runPendingJobs()
    expect(await commentNow(ids.comment_id)).toMatchObject({ message: 'Better', edited_by_moderator: true })
    expect(await noticesOf(ana)).toContainEqual(['Your comment was edited by a moderator', 'Reason: Edited by a moderator'])
    expect(await logged('comment', ids.comment_id)).toMatchObject([{ details: { reason: 'Edited by a moderator' } }])
    expect((await ana.api.comments.revisions(ids)).data).toMatchObject([{ message: 'As I said it', reason: 'Edited by a moderator' }])
  })

  it('pinning is audited but not an edit', async () => {
    const ids = await comment()
    await moderator.api.comments.update({ ...ids, is_sticky: true })
    await moderator.api.comments.update({ ...ids, is_sticky: false })
    expect(await commentNow(ids.comment_id)).toMatchObject({ edited_at: null, edited_by_moderator: false })
    expect((await logged('comment', ids.comment_id)).map(({ action }) => action)).toEqual(['comment.unpinned', 'comment.pinned'])
  })
})

test('revisions name the editor to moderators and administrators, not to the author', async () => {
  const { id: feed_id } = await post()
  const { id: comment_id } = (await ana.api.comments.create({ feed_id, comment: 'As I said it' })).data
  await moderator.api.feeds.update({ feed_id, message: 'Better' })
  await moderator.api.comments.update({ feed_id, comment_id, comment: 'Better' })
  const editors = async ({ api }: Member) => {
    const listed = [...(await api.feeds.revisions({ feed_id })).data, ...(await api.comments.revisions({ comment_id })).data]
    return listed.map(({ editor }) => editor?.user_id ?? null)
  }
  expect(await editors(ana)).toEqual([null, null])
  for (const who of [moderator, admin]) expect(await editors(who)).toEqual([moderator.id, moderator.id])
})
