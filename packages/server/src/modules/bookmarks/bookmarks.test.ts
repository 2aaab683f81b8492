import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsWith, leaveSpace, makeSpace } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let bob: Member
let moderator: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  bob = await world.member()
  moderator = await world.member({ role: 'moderator' })
})
afterAll(() => world.close())

const post = async (fields: object = {}): Promise<number> => (await ana.api.feeds.create({ message: 'A feed', ...fields })).data.id
const bookmark = async (who: Member, feed_id: number) => (await who.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })).data
const forget = async (who: Member, feed_id: number) =>
  (await who.api.reactions.toFeed({ feed_id, react_type: 'bookmark', remove: true })).data
const listed = async (who: Member, query: object = {}) => (await who.api.bookmarks.list(query)).data.map((row) => row.feed_id)

describe('bookmarking', () => {
  it('returns the record, and only the caller sees the feed as bookmarked', async () => {
    const feed_id = await post()
    const { status, body } = await bob.api.reactions.toFeed.answer({ feed_id, react_type: 'bookmark', remove: false })
    expect(status).toBe(200)
    const made = body.data.bookmark
    expect(body.data).toEqual({ bookmark: { id: made?.id, user_id: bob.id, feed_id, created_at: made?.created_at }, action: 'added' })
    expect((await bob.api.feeds.byId({ feed_id })).data).toMatchObject({ bookmarked: true, reactions_count: 0, has_user_react: null })
    expect((await ana.api.feeds.byId({ feed_id })).data.bookmarked).toBe(false)
    expect(await eventsWith(world, { bookmark_id: made?.id ?? 0 })).toEqual(['bookmark.added'])
  })

  it('happens once for concurrent requests', async () => {
    const feed_id = await post()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bob.raw('POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark' })),
    )
    const made = answers.filter((answer) => answer.status === 200)
    expect(made.length).toBe(1)
    for (const { status, body } of answers) {
      if (status !== 200)
        expect([status, body.code, body.data.bookmark_id]).toEqual([400, 'already_bookmarked', made[0]?.body.data.bookmark.id])
    }
    const error = await refused(bookmark(bob, feed_id), 400, 'already_bookmarked')
    expect(error.data.bookmark_id).toBe(made[0]?.body.data.bookmark.id)
  })

  it('is undone with remove', async () => {
    const feed_id = await post()
    await refused(forget(bob, feed_id), 404, 'bookmark_not_found')
    const { bookmark: made } = await bookmark(bob, feed_id)
    expect(await forget(bob, feed_id)).toEqual({ action: 'removed' })
    expect(await listed(bob)).not.toContain(feed_id)
    await refused(forget(bob, feed_id), 404, 'bookmark_not_found')
    expect(await eventsWith(world, { bookmark_id: made?.id ?? 0 })).toEqual(['bookmark.added', 'bookmark.removed'])
  })

  it('can be set idempotently with state', async () => {
    const feed_id = await post()
    const set = async (state: unknown) => {
      const { status, body } = await bob.raw('POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark', state })
      return [status, body.data.action, body.data.bookmark?.feed_id ?? null, (await bob.api.feeds.byId({ feed_id })).data.bookmarked]
    }
    expect(await set(false)).toEqual([200, 'unchanged', null, false])
    expect(await set(true)).toEqual([200, 'added', feed_id, true])
    expect(await set('1')).toEqual([200, 'unchanged', feed_id, true])
    expect(await set(0)).toEqual([200, 'removed', null, false])
    const there = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const hidden = await post({ space_id: there.id })
    for (const state of [true, false])
      await refused(bob.api.reactions.toFeed({ feed_id: hidden, react_type: 'bookmark', state }), 404, 'feed_not_found')
  })

  it('leaves reactions unchanged', async () => {
    const feed_id = await post()
    await bob.api.reactions.toFeed({ feed_id, type: 'like' })
    await bookmark(bob, feed_id)
    await forget(bob, feed_id)
    expect((await bob.api.feeds.byId({ feed_id })).data).toMatchObject({ reactions_count: 1, has_user_react: 'like' })
  })

  it('requires only that the feed is visible', async () => {
    const open = await makeSpace(world, { members: [ana] })
    const feed_id = await post({ space_id: open.id })
    expect((await bookmark(bob, feed_id)).action).toBe('added')
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const hidden = await post({ space_id: secret.id })
    for (const body of [{ react_type: 'bookmark' }, { react_type: 'bookmark', remove: true }]) {
      const there = await bob.raw('POST', `/feeds/${hidden}/react`, body)
      const missing = await bob.raw('POST', '/feeds/987654321/react', body)
      expect([there.status, there.body.code, there.text]).toEqual([404, 'feed_not_found', missing.text])
    }
    await refused(world.anonymous.reactions.toFeed({ feed_id, react_type: 'bookmark' }), 401, 'rest_forbidden')
  })
})

describe('the list', () => {
  it('contains the caller’s own bookmarks, newest first, with the full feed', async () => {
    const reader = await world.member()
    const [one, two] = [await post({ title: 'One' }), await post({ title: 'Two' })]
    await ana.api.comments.create({ feed_id: two, comment: 'x' })
    await bookmark(ana, one)
    await bookmark(reader, two)
    await bookmark(reader, one)
    const { data, meta } = await reader.api.bookmarks.list()
    expect(data.map((row) => row.feed_id)).toEqual([one, two])
    expect(data[1]).toMatchObject({ user_id: reader.id, feed: { id: two, title: 'Two', bookmarked: true, comments: [{ message: 'x' }] } })
    expect(data[1]?.feed).toEqual((await reader.api.feeds.byId({ feed_id: two })).data)
    expect(meta).toEqual({ total: 2, per_page: 20, current_page: 1, total_pages: 1 })
    await refused(world.anonymous.bookmarks.list(), 401, 'rest_forbidden')
  })

  it('supports every order', async () => {
    const reader = await world.member()
    const ids: number[] = []
    for (const title of ['Cherry', 'Apple', 'Banana']) {
      ids.push(await post({ title }))
      world.clock.advance(60)
    }
    const [cherry, apple, banana] = ids as [number, number, number]
    for (const feed_id of [banana, cherry, apple]) await bookmark(reader, feed_id)
    await ana.api.reactions.toFeed({ feed_id: cherry, type: 'like' })
    for (const comment of ['x', 'y']) await ana.api.comments.create({ feed_id: apple, comment })
    expect(await listed(reader)).toEqual([apple, cherry, banana])
    expect(await listed(reader, { order_by_type: 'latest' })).toEqual([apple, cherry, banana])
    expect(await listed(reader, { order_by_type: 'oldest' })).toEqual([banana, cherry, apple])
    expect(await listed(reader, { order_by_type: 'alphabetical' })).toEqual([apple, banana, cherry])
    expect(await listed(reader, { order_by_type: 'likes' })).toEqual([cherry, banana, apple])
    expect(await listed(reader, { order_by_type: 'popular' })).toEqual([apple, cherry, banana])
    expect(await listed(reader, { order_by_type: 'new_activity' })).toEqual([apple, banana, cherry])
    expect(await listed(reader, { order_by_type: 'unanswered' })).toEqual([banana, cherry])
    expect((await reader.api.bookmarks.list({ order_by_type: 'unanswered' })).meta.total).toBe(2)
    for (const order of ['nonsense', 'recent', '__proto__']) {
      const { status, body } = await reader.raw('GET', `/feeds/bookmarks?order_by_type=${order}`)
      expect({ order, status, code: body.code }).toEqual({ order, status: 400, code: 'invalid_parameter' })
    }
  })

  it('is paginated and can be limited to one space', async () => {
    const reader = await world.member()
    const space = await makeSpace(world, { members: [ana] })
    const ids = [await post(), await post({ space_id: space.id }), await post()]
    for (const feed_id of ids) await bookmark(reader, feed_id)
    const pages = await Promise.all([1, 2, 3].map((page) => reader.api.bookmarks.list({ page, per_page: 2 })))
    expect(pages.map((page) => page.data.map((row) => row.feed_id))).toEqual([[ids[2], ids[1]], [ids[0]], []])
    expect(pages.map((page) => page.meta.total)).toEqual([3, 3, 3])
    expect((await reader.raw('GET', '/feeds/bookmarks?per_page=101')).body.meta.per_page).toBe(100)
    const inSpace = await reader.api.bookmarks.list({ space: space.slug })
    expect([inSpace.data.map((row) => row.feed_id), inSpace.meta.total]).toEqual([[ids[1]], 1])
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const hidden = await reader.raw('GET', `/feeds/bookmarks?space=${secret.slug}`)
    const missing = await reader.raw('GET', '/feeds/bookmarks?space=no-such-space')
    expect([hidden.status, hidden.body.code, hidden.text]).toEqual([404, 'space_not_found', missing.text])
  })

  it('hides feeds while they are not visible', async () => {
    const reader = await world.member()
    const space = await makeSpace(world, { privacy: 'private', members: [ana, reader] })
    const [kept, left] = [await post(), await post({ space_id: space.id })]
    const expiring = await post({ expired_at: '2030-01-01 00:00:00' })
    const hidden = await post()
    const gone = await post()
    for (const feed_id of [kept, left, expiring, hidden, gone]) await bookmark(reader, feed_id)
    await leaveSpace(world, space, reader)
    await ana.api.feeds.remove({ feed_id: gone })
    await ana.api.feeds.update({ feed_id: hidden, status: 'draft' })
    await ana.api.feeds.update({ feed_id: expiring, expired_at: '2026-03-01 00:00:00' })
    expect(await listed(reader)).toEqual([kept])
    expect((await reader.api.bookmarks.list()).meta.total).toBe(1)
    await ana.api.feeds.update({ feed_id: hidden, status: 'published' })
    expect(await listed(reader)).toEqual([hidden, kept])
  })

  it('allows removing a bookmark of a hidden feed', async () => {
    const reader = await world.member()
    const space = await makeSpace(world, { privacy: 'private', members: [ana, reader] })
    const feed_id = await post({ space_id: space.id })
    await bookmark(reader, feed_id)
    await leaveSpace(world, space, reader)
    expect(await forget(reader, feed_id)).toEqual({ action: 'removed' })
    await refused(forget(reader, feed_id), 404, 'feed_not_found')
  })

  it('starts with the bookmarks of the caller in the query plan', async () => {
    if (world.dialect !== 'sqlite') return
    const feed_id = await post()
    await bookmark(bob, feed_id)
    for (const who of [bob, moderator]) {
      await expectInOrder(world, () => who.api.bookmarks.list())
      await expectInOrder(world, () => who.api.bookmarks.list({ order_by_type: 'oldest', page: 2 }))
      const plans = await expectNoScan(world, () => who.api.bookmarks.list({ order_by_type: 'likes' }))
      const [first] = plans.filter((plan) => plan.sql.includes('b_feed_id'))
      expect(first?.steps[0]).toMatch(/^SEARCH b USING/)
    }
  })
})
