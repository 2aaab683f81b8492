import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  admin = await world.member({ role: 'admin' })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})

const makeOne = (options: Parameters<typeof makeSpace>[1] = {}) => makeSpace(world, { members: [ana], moderators: [admin], ...options })
const post = async (space: Space | null, body: object = {}, who = admin): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message: 'rhubarb', space_id: space?.id ?? null, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const change = async (id: number, body: object, who = admin) => {
  const answer = await who.raw('POST', `/feeds/${id}`, body)
  expect(answer.status, answer.text).toBe(200)
}
type Query = Parameters<Member['api']['feeds']['list']>[0]
const look = async (query: Query, who = ana) => {
  const { feeds, sticky } = await who.api.feeds.list(query)
  return { sticky: sticky?.id ?? null, ids: feeds.data.map(({ id }) => id), total: feeds.total }
}
const pinned = async (): Promise<number[]> => {
  const db = world.app.services.database.read
  return (await db.selectFrom('feeds').select('id').where('is_sticky', '=', 1).orderBy('id').execute()).map(({ id }) => id)
}
const isPinned = async (feed_id: number) => (await admin.api.feeds.byId({ feed_id })).data.is_sticky

describe('the pinned feed', () => {
  it('of a space is above its first page, and is excluded from every page', async () => {
    const space = await makeOne()
    const ids = [await post(space), await post(space), await post(space), await post(space)] as const
    await change(ids[1], { is_sticky: true })
    const [first, second, third, ...more] = [ids[3], ids[2], ids[0]]
    expect(more).toEqual([])
    expect(await look({ space: space.slug })).toEqual({ sticky: ids[1], ids: [first, second, third], total: 3 })
    expect(await look({ space: space.slug, per_page: 2 })).toEqual({ sticky: ids[1], ids: [first, second], total: 3 })
    expect(await look({ space: space.slug, per_page: 2, page: 2 })).toEqual({ sticky: null, ids: [third], total: 3 })
    expect(await look({ space: space.slug, per_page: 2, page: 3 })).toEqual({ sticky: null, ids: [], total: 3 })
    const { feeds } = await ana.api.feeds.list({ space: space.slug, per_page: 2 })
    expect(await look({ space: space.slug, per_page: 2, cursor: feeds.next_cursor as string })).toEqual({
      sticky: null,
      ids: [third],
      total: 3,
    })
    expect(await look({ space: space.slug, order_by_type: 'oldest' })).toEqual({ sticky: ids[1], ids: [third, second, first], total: 3 })
  })

  it('is a full feed with the caller’s own fields', async () => {
    const space = await makeOne()
    const id = await post(space, { is_sticky: true })
    await ana.api.reactions.toFeed({ feed_id: id, type: 'wow' })
    for (const who of [ana, admin]) {
      expect((await who.api.feeds.list({ space: space.slug })).sticky).toEqual((await who.api.feeds.byId({ feed_id: id })).data)
    }
  })

  it('of the community is in no space, and the pinned feeds of spaces are plain there', async () => {
    const space = await makeOne()
    const inside = await post(space, { is_sticky: true })
    const everywhere = await post(null, { is_sticky: true })
    const { sticky, ids } = await look({})
    expect([sticky, ids.includes(inside), ids.includes(everywhere)]).toEqual([everywhere, true, false])
    expect((await look({ space: space.slug })).sticky).toBe(inside)
    await change(everywhere, { is_sticky: false })
    expect((await look({})).sticky).toBeNull()
  })

  it('and all others are hidden with disable_sticky=yes', async () => {
    const space = await makeOne()
    const [inside, plain] = [await post(space, { is_sticky: true }), await post(space)]
    const everywhere = await post(null, { is_sticky: true })
    expect(await look({ space: space.slug, disable_sticky: 'yes' })).toEqual({ sticky: null, ids: [plain], total: 1 })
    const all = await look({ disable_sticky: 'yes', per_page: 100 })
    expect([all.sticky, all.ids.includes(inside), all.ids.includes(everywhere), all.ids.includes(plain)]).toEqual([
      null,
      false,
      false,
      true,
    ])
    expect(all.total).toBe(all.ids.length)
    expect((await look({ space: space.slug, disable_sticky: 'no' })).sticky).toBe(inside)
  })

  it('is an ordinary feed in searches, lists of one member and unpublished lists', async () => {
    const space = await makeOne()
    const [id, other] = [await post(space, { is_sticky: true }), await post(space)]
    for (const query of [{ search: 'rhubarb' }, { user_id: admin.id }, { search: 'rhubarb', user_id: admin.id }]) {
      expect(await look({ space: space.slug, ...query })).toEqual({ sticky: null, ids: [other, id], total: 2 })
      expect(await look({ space: space.slug, ...query, disable_sticky: 'yes' })).toEqual({ sticky: null, ids: [other], total: 1 })
    }
    expect(await look({ space: space.slug, status: 'draft', user_id: ana.id })).toEqual({ sticky: null, ids: [], total: 0 })
  })

  it('is null for callers who may not see it', async () => {
    const space = await makeOne()
    const id = await post(space, { is_sticky: true, privacy: 'private' })
    const stranger = await world.member()
    expect(await look({ space: space.slug })).toEqual({ sticky: id, ids: [], total: 0 })
    expect(await look({ space: space.slug }, stranger)).toEqual({ sticky: null, ids: [], total: 0 })
    expect(await look({ space: space.slug, disable_sticky: 'yes' }, stranger)).toEqual({ sticky: null, ids: [], total: 0 })
  })
})

describe('pinning', () => {
  it('a second feed unpins the first in the same space only', async () => {
    const [space, elsewhere] = [await makeOne(), await makeOne()]
    const [one, two, other] = [await post(space, { is_sticky: true }), await post(space), await post(elsewhere, { is_sticky: true })]
    const outside = await post(null, { is_sticky: true })
    await change(two, { is_sticky: true })
    expect([await isPinned(one), await isPinned(two), await isPinned(other), await isPinned(outside)]).toEqual([false, true, true, true])
    expect((await eventsWith(world, { feed_id: one })).slice(-2)).toEqual(['feed.pinned', 'feed.unpinned'])
    const three = await post(space, { is_sticky: true })
    expect([await isPinned(two), await isPinned(three)]).toEqual([false, true])
    await change(three, { is_sticky: true, title: 'Still' })
    expect(await look({ space: space.slug })).toEqual({ sticky: three, ids: [two, one], total: 2 })
  })

  it('an unlisted feed takes effect when it is listed', async () => {
    const space = await makeOne()
    const now = await post(space, { is_sticky: true })
    const draft = await post(space, { is_sticky: true, status: 'draft' })
    const scheduled = await post(space, { is_sticky: true, status: 'scheduled', scheduled_at: '2026-03-10 13:00:00' })
    expect((await look({ space: space.slug })).sticky).toBe(now)
    await change(draft, { status: 'published' })
    expect(await look({ space: space.slug })).toEqual({ sticky: draft, ids: [now], total: 1 })
    world.clock.advance(3600)
    await world.runPendingJobs()
    expect(await look({ space: space.slug })).toEqual({ sticky: scheduled, ids: [draft, now], total: 2 })
    expect([await isPinned(now), await isPinned(draft)]).toEqual([false, false])
  })

  it('ends when the feed leaves the lists, and another can be pinned', async () => {
    const space = await makeOne()
    const at = new Date(world.clock.now().getTime() + 60_000).toISOString().slice(0, 19)
    const [short, plain] = [await post(space, { is_sticky: true, expired_at: at }), await post(space)]
    world.clock.advance(60)
    await world.runPendingJobs()
    expect(await look({ space: space.slug })).toEqual({ sticky: null, ids: [plain], total: 1 })
    await change(plain, { is_sticky: true })
    expect(await look({ space: space.slug })).toEqual({ sticky: plain, ids: [], total: 0 })
    await change(short, { expired_at: null })
    expect(await look({ space: space.slug })).toEqual({ sticky: short, ids: [plain], total: 1 })
    await change(short, { status: 'draft' })
    await change(plain, { is_sticky: true })
    expect((await look({ space: space.slug })).sticky).toBe(plain)
    await admin.api.feeds.remove({ feed_id: plain })
    expect(await look({ space: space.slug })).toEqual({ sticky: null, ids: [], total: 0 })
  })

  it('moves with the feed to another space, out of spaces and back', async () => {
    const [from, to] = [await makeOne(), await makeOne()]
    const [moving, staying] = [await post(from, { is_sticky: true }), await post(to, { is_sticky: true })]
    await change(moving, { space_id: to.id })
    expect(await look({ space: from.slug })).toEqual({ sticky: null, ids: [], total: 0 })
    expect(await look({ space: to.slug })).toEqual({ sticky: moving, ids: [staying], total: 1 })
    await change(moving, { space_id: null })
    expect([(await look({ space: to.slug })).sticky, (await look({})).sticky]).toEqual([null, moving])
    await change(moving, { space_id: from.id, is_sticky: false })
    expect(await look({ space: from.slug })).toEqual({ sticky: null, ids: [moving], total: 1 })
  })

  it.each(['in a space', 'outside of spaces'])('many feeds concurrently, %s: all succeed, one stays pinned', async (where) => {
    const space = where === 'in a space' ? await makeOne() : null
    for (const id of await pinned()) await change(id, { is_sticky: false })
    const ids = await Promise.all(Array.from({ length: 12 }, () => post(space)))
    await Promise.all(ids.map((id) => change(id, { is_sticky: true })))
    const [winner, ...others] = await pinned()
    expect([ids.includes(winner as number), others]).toEqual([true, []])
    await Promise.all([
      ...ids.map((id) => change(id, { is_sticky: true })),
      ...Array.from({ length: 6 }, () => post(space, { is_sticky: true })),
      ...ids.map((id) => change(id, { title: 'Edited meanwhile' })),
    ])
    expect(await pinned()).toHaveLength(1)
    const { sticky, ids: listed, total } = await look(space ? { space: space.slug, per_page: 100 } : { per_page: 100 })
    expect([sticky, total]).toEqual([(await pinned())[0], listed.length])
  })

  it('two feeds that swap spaces concurrently: the first keeps the pin', async () => {
    const [one, two] = [await makeOne(), await makeOne()]
    for (let i = 0; i < 5; i++) {
      const [a, b] = [await post(one, { is_sticky: true }), await post(two, { is_sticky: true })]
      await Promise.all([change(a, { space_id: two.id }), change(b, { space_id: one.id })])
      const found = [(await look({ space: one.slug })).sticky, (await look({ space: two.slug })).sticky]
      expect([
        [null, a],
        [b, null],
      ]).toContainEqual(found)
      for (const id of [a, b]) await admin.api.feeds.remove({ feed_id: id })
    }
  })
})

describe('PATCH', () => {
  it('pins, prioritizes and locks with the rights of an update', async () => {
    const space = await makeOne()
    const id = await post(space, {}, ana)
    const state = { id, is_sticky: false, priority: 0, comments_disabled: false }
    const patch = (who: Member, body: object) => who.api.feeds.patch({ feed_id: id, ...body })
    expect((await patch(admin, { is_sticky: 1, priority: 2 })).data).toMatchObject({ ...state, is_sticky: true, priority: 2 })
    expect((await look({ space: space.slug })).sticky).toBe(id)
    await refused(patch(ana, { is_sticky: false }), 403, 'rest_forbidden')
    await refused(patch(ana, { priority: 0 }), 403, 'rest_forbidden')
    expect((await patch(ana, { comments_disabled: true })).data).toMatchObject({
      ...state,
      is_sticky: true,
      priority: 2,
      comments_disabled: true,
    })
    await refused(ana.api.comments.create({ feed_id: id, comment: 'x' }), 403, 'feed_locked')
    expect((await patch(ana, { comments_disabled: false })).data.comments_disabled).toBe(false)
    await ana.api.comments.create({ feed_id: id, comment: 'x' })
    const { data } = await ana.api.feeds.byId({ feed_id: id })
    expect(data).toMatchObject({ message: 'rhubarb', edited_at: null, edited_by_moderator: false, is_sticky: true, priority: 2 })
    expect((await patch(admin, {})).data).toMatchObject({ is_sticky: true, priority: 2, comments_disabled: false })
  })

  it('changes nothing of others, and hides what is hidden', async () => {
    const space = await makeOne({ privacy: 'secret' })
    const id = await post(space)
    const stranger = await world.member()
    for (const body of [{ is_sticky: true }, { comments_disabled: true }, { priority: 1 }]) {
      await refused(ana.api.feeds.patch({ feed_id: id, ...body }), 403, 'rest_forbidden')
      await refused(stranger.api.feeds.patch({ feed_id: id, ...body }), 404, 'feed_not_found')
    }
    expect((await ana.api.feeds.byId({ feed_id: id })).data).toMatchObject({ is_sticky: false, priority: 0, meta: {} })
    for (const [body, code] of [
      [{ message: 'x' }, 'invalid_data'],
      [{ is_sticky: 'maybe' }, 'invalid_data'],
    ] as const)
      expect((await admin.raw('PATCH', `/feeds/${id}`, body)).body.code).toBe(code)
  })

  it('of another’s feed is audited as an update is', async () => {
    const id = await post(null, {}, ana)
    await admin.api.feeds.patch({ feed_id: id, is_sticky: true, priority: 3, comments_disabled: true })
    const { entries } = await admin.api.audit.list({ object_type: 'feed', object_id: id })
    expect(entries.map(({ action }) => action).sort()).toEqual(['feed.changed', 'feed.pinned'])
    await admin.api.feeds.patch({ feed_id: id, is_sticky: false })
  })
})
