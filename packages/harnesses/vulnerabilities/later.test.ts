import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { expectNoEffect, makeStage, type Stage } from './stage.ts'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
})
afterAll(() => world.close())

const stored = (id: number) =>
  world.app.services.database.read.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** In an hour, in the API's time format. */
const inAnHour = () => new Date(world.clock.now().getTime() + 3_600_000).toISOString().slice(0, 19)
const anHourLater = async () => {
  world.clock.advance(3601)
  await world.runPendingJobs()
}

const setPlace = (space: Space, who: Member, place: { role?: 'member' | 'moderator'; status?: 'active' | 'banned' }) =>
  world.app.write(null, ({ db }) =>
    db.updateTable('space_members').set(place).where('space_id', '=', space.id).where('user_id', '=', who.id).execute(),
  )

test('vuln-07: nothing can be scheduled where the author may not post', async () => {
  await expectNoEffect(world, async () => {
    for (const [space, status] of [
      [stage.closed, 403],
      [stage.secret, 404],
    ] as const) {
      const body = { message: 'x', status: 'scheduled', scheduled_at: inAnHour(), space_id: space.id }
      expect((await stage.attacker.raw('POST', '/feeds', body)).status).toBe(status)
    }
  })
})

describe('vuln-07: permission to post is checked when publishing', () => {
  const CHANGES: Readonly<Record<string, (space: Space, who: Member) => Promise<unknown>>> = {
    'the author has left the space': (space, who) => leaveSpace(world, space, who),
    'the author is banned from the space': (space, who) => setPlace(space, who, { status: 'banned' }),
    'the account is suspended': (_space, who) =>
      world.app.write(null, ({ db }) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', who.id).execute()),
    'the space is closed for posts': (space) =>
      world.app.write(null, ({ db }) =>
        db.updateTable('spaces').set({ settings: '{"allow_posts":false}' }).where('id', '=', space.id).execute(),
      ),
    'the space is archived': (space) =>
      world.app.write(null, ({ db }) => db.updateTable('spaces').set({ status: 'archived' }).where('id', '=', space.id).execute()),
  }

  test.each(Object.keys(CHANGES))('%s', async (name) => {
    const who = await world.member()
    const space = await makeSpace(world, { privacy: 'private', members: [who, stage.victim] })
    const plan = { message: 'Planned', status: 'scheduled', scheduled_at: inAnHour(), space_id: space.id } as const
    const { data } = await who.api.feeds.create(plan)
    await CHANGES[name]?.(space, who)
    await anHourLater()
    expect((await stored(data.id)).status).toBe('draft')
    expect((await stage.victim.api.feeds.list({ space: space.slug })).feeds.total).toBe(0)
    await refused(stage.victim.api.feeds.byId({ feed_id: data.id }), 404, 'feed_not_found')
  })
})

describe('vuln-07: privileged flags cannot be stored for later', () => {
  const MARKS = [{ is_sticky: true }, { priority: 9 }, { type: 'announcement' }] as const

  const demoted = async () => {
    const who = await world.member()
    const space = await makeSpace(world, { moderators: [who], members: [stage.victim], admins: [stage.moderator] })
    const pinned = (await stage.moderator.api.feeds.create({ message: 'Pinned', space_id: space.id, is_sticky: true })).data.id
    return { who, space, pinned, demote: () => setPlace(space, who, { role: 'member' }) }
  }

  test.each(MARKS)('by scheduling: %o', async (mark) => {
    const { who, space, pinned, demote } = await demoted()
    const body = { message: 'Mine', space_id: space.id, status: 'scheduled', scheduled_at: inAnHour(), ...mark } as const
    const { data } = await who.api.feeds.create(body)
    await demote()
    await anHourLater()
    // A moderator reviews it first, and decides about the pin as well.
    expect((await stored(data.id)).status).toBe('pending')
    expect((await stage.victim.api.feeds.list({ space: space.slug })).sticky?.id).toBe(pinned)
    await stage.moderator.api.feeds.update({ feed_id: data.id, status: 'published' })
    expect((await stored(data.id)).status).toBe('published')
  })

  test.each(MARKS)('in a draft: %o', async (mark) => {
    const { who, space, pinned, demote } = await demoted()
    const { data } = await who.api.feeds.create({ message: 'Mine', space_id: space.id, status: 'draft', ...mark })
    await demote()
    const answer = await who.raw('POST', `/feeds/${data.id}`, { status: 'published' })
    const row = await stored(data.id)
    if (mark === MARKS[2]) expect([answer.status, row.status]).toEqual([403, 'draft'])
    else expect([answer.status, row.status, row.is_sticky, row.priority]).toEqual([200, 'published', 0, 0])
    expect((await stage.victim.api.feeds.list({ space: space.slug })).sticky?.id).toBe(pinned)
  })

  test('in a feed that has expired', async () => {
    const { space, pinned } = await demoted()
    const author = stage.victim
    const { data } = await author.api.feeds.create({ message: 'Mine', space_id: space.id, expired_at: inAnHour() })
    await stage.moderator.api.feeds.update({ feed_id: data.id, is_sticky: true, priority: 4 })
    await anHourLater()
    // It was pinned until it expired; then another feed is pinned.
    await stage.moderator.api.feeds.update({ feed_id: pinned, is_sticky: true })
    for (const expired_at of [null, inAnHour()]) {
      expect((await author.raw('POST', `/feeds/${data.id}`, { expired_at })).status).toBe(200)
      expect(await stored(data.id)).toMatchObject({ listed: 1, is_sticky: 0, priority: 0 })
      expect((await author.api.feeds.list({ space: space.slug })).sticky?.id).toBe(pinned)
    }
  })

  test('an author with the permission keeps the flag', async () => {
    const { who, space } = await demoted()
    const plan = { status: 'scheduled', scheduled_at: inAnHour() } as const
    const outside = (await stage.admin.api.feeds.create({ message: 'x', is_sticky: true, priority: 3, type: 'announcement', ...plan })).data
      .id
    const inside = (await who.api.feeds.create({ message: 'x', space_id: space.id, is_sticky: true, priority: 3, ...plan })).data.id
    const draft = (await who.api.feeds.create({ message: 'x', space_id: space.id, status: 'draft', priority: 3, type: 'announcement' }))
      .data.id
    await anHourLater()
    await who.api.feeds.update({ feed_id: draft, status: 'published' })
    for (const id of [outside, inside, draft]) expect(await stored(id)).toMatchObject({ status: 'published', priority: 3 })
    for (const id of [outside, inside]) expect(await stored(id)).toMatchObject({ is_sticky: 1 })
  })
})

describe('vuln-b2: a deleted parent', () => {
  test('accepts no reply, reaction or change, and is not treated as no parent', async () => {
    const { attacker, victim, open } = stage
    const feed_id = (await victim.api.feeds.create({ message: 'x', space_id: open.id })).data.id
    const top = (await attacker.api.comments.create({ feed_id, comment: 'top' })).data.id
    const reply = (await victim.api.comments.create({ feed_id, comment: 'reply', parent_id: top })).data.id
    await attacker.api.comments.remove({ feed_id, comment_id: top })
    await expectNoEffect(world, async () => {
      for (const id of [top, reply]) {
        await refused(attacker.api.comments.create({ feed_id, comment: 'x', parent_id: id }), 404, 'parent_not_found')
        await refused(attacker.api.comments.update({ feed_id, comment_id: id, comment: 'x' }), 404, 'comment_not_found')
        await refused(attacker.api.comments.remove({ feed_id, comment_id: id }), 404, 'comment_not_found')
        await refused(attacker.api.reactions.toComment({ feed_id, comment_id: id, type: 'like' }), 404, 'content_not_found')
      }
    })
  })

  test('a deleted or closed feed accepts no reply to its comments', async () => {
    const { attacker, victim, open } = stage
    const feed_id = (await victim.api.feeds.create({ message: 'x', space_id: open.id })).data.id
    const top = (await attacker.api.comments.create({ feed_id, comment: 'top' })).data.id
    await victim.api.feeds.update({ feed_id, meta: { comments_disabled: true } })
    await refused(attacker.api.comments.create({ feed_id, comment: 'x', parent_id: top }), 403, 'feed_locked')
    await victim.api.feeds.remove({ feed_id })
    await refused(attacker.api.comments.create({ feed_id, comment: 'x', parent_id: top }), 404, 'feed_not_found')
    await refused(attacker.api.reactions.toComment({ feed_id, comment_id: top, type: 'like' }), 404, 'content_not_found')
  })
})

test('a ban from a space ends writing in it, including old posts', async () => {
  const banned = await world.member()
  const space = await makeSpace(world, { members: [banned], admins: [stage.victim] })
  const feed_id = (await banned.api.feeds.create({ message: 'Old', space_id: space.id })).data.id
  const comment_id = (await banned.api.comments.create({ feed_id, comment: 'Old' })).data.id
  await stage.victim.api.spaceMembers.ban({ space_slug: space.slug, user_id: banned.id })
  await expectNoEffect(world, async () => {
    for (const [path, body] of [
      [`/feeds/${feed_id}`, { message: 'Revenge' }],
      [`/feeds/${feed_id}`, { title: 'Revenge' }],
      [`/feeds/${feed_id}`, { meta: { gif: { url: 'https://example.org/revenge.gif' } } }],
      [`/feeds/${feed_id}/comments/${comment_id}`, { comment: 'Revenge' }],
      [`/feeds/${feed_id}/comments`, { comment: 'Revenge' }],
      [`/feeds/${feed_id}/react`, { type: 'angry' }],
    ] as const) {
      const { status, body: answer } = await banned.raw('POST', path, body)
      expect([path, status, answer.code]).toEqual([path, 403, 'rest_forbidden'])
    }
  })
  // Banned authors can still delete their own content.
  expect((await banned.raw('DELETE', `/feeds/${feed_id}/comments/${comment_id}`)).status).toBe(200)
  expect((await banned.raw('DELETE', `/feeds/${feed_id}`)).status).toBe(200)
})
