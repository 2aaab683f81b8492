import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { eventsWith, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { actorFor } from '../../auth/authenticate.ts'
import { notify } from './listeners.ts'
import { presentNotifications, unreadCount } from './presenter.ts'

let world: World
let ana: Member
let ben: Member
let cleo: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana', displayName: 'Ana' })
  ben = await world.member({ username: 'ben', displayName: 'Ben' })
  cleo = await world.member({ username: 'cleo', displayName: 'Cleo' })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.runPendingJobs()
  await world.app.write(null, async ({ db }) => {
    for (const table of ['notifications', 'followers'] as const) await db.deleteFrom(table).execute()
    await db.updateTable('users').set({ status: 'active', is_private: 0 }).execute()
  })
})

const post = async (who: Member, message: string, body: object = {}): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const all = async (who: Member) => {
  await world.runPendingJobs()
  return (await who.api.notifications.list({ per_page: 100 })).notifications.data
}
const types = async (who: Member) => (await all(who)).map(({ type }) => type)
const database = () => world.app.services.database.read
const setStatus = (who: Member, status: 'active' | 'suspended' | 'banned') =>
  world.app.write(null, ({ db }) => db.updateTable('users').set({ status }).where('id', '=', who.id).execute())
const rejoin = (space: Space, who: Member) =>
  world.app.write(null, ({ db, now }) =>
    db.insertInto('space_members').values({ space_id: space.id, user_id: who.id, joined_at: now, updated_at: now }).execute(),
  )

/** What a member gets through every channel; they must all agree. */
const everywhere = async (who: Member) => {
  const list = await all(who)
  const { unread_count, notifications } = await who.api.notifications.unread()
  const actor = await actorFor(database(), who.id)
  if (!actor) throw new Error('not active')
  const ids = (await database().selectFrom('notifications').select('id').where('user_id', '=', who.id).execute()).map(({ id }) => id)
  const presented = await presentNotifications({ db: database(), actor, services: world.app.services }, ids)
  expect((await who.api.notifications.list({ per_page: 1 })).notifications.total).toBe(list.length)
  expect(presented.map(({ id }) => id).sort()).toEqual(list.map(({ id }) => id).sort())
  expect(unread_count).toBe(notifications.length)
  expect(await unreadCount(database(), actor)).toBe(unread_count)
  return list
}

it('notifications about a lesson are shown to enrolled students and to managers of all courses', async () => {
  const boss = await world.member({ role: 'admin', username: 'boss' })
  const { lessons } = await makeSchool(admin, { privacy: 'secret', lessons: 1, students: [ana, ben] })
  const { feed_id } = await database()
    .selectFrom('lessons')
    .select('feed_id')
    .where('id', '=', lessons[0] as number)
    .executeTakeFirstOrThrow()
  await ana.api.comments.create({ feed_id: feed_id as number, comment: '@ben @cleo @boss look' })
  expect(await Promise.all([ben, boss].map(async (who) => (await everywhere(who)).map(({ type }) => type)))).toEqual([
    ['mention'],
    ['mention'],
  ])
  expect((await everywhere(cleo)).length).toBe(0)
})

describe('a member who may no longer see something', () => {
  it.each(['private', 'secret'] as const)('after leaving a %s space gets no notification about it through any channel', async (privacy) => {
    const space = await makeSpace(world, { privacy, members: [ana, ben, cleo] })
    const feed = await post(ana, 'Hello @ben', { space_id: space.id, title: 'Hidden words' })
    const { data } = await ben.api.comments.create({ feed_id: feed, comment: 'I say' })
    await ana.api.comments.create({ feed_id: feed, comment: 'And I', parent_id: data.id })
    await cleo.api.reactions.toComment({ feed_id: feed, comment_id: data.id, type: 'like' })
    const before = await everywhere(ben)
    expect(before.map(({ type }) => type).sort()).toEqual(['mention', 'new_reaction', 'new_reply'])
    await leaveSpace(world, space, ben)
    expect(await everywhere(ben)).toEqual([])
    expect((await ben.raw('GET', '/notifications')).text).not.toMatch(/Hidden|I say|space-/)
    for (const { id } of before) {
      await refused(ben.api.notifications.read({ notification_id: id }), 404, 'notification_not_found')
      await refused(ben.api.notifications.remove({ notification_id: id }), 404, 'notification_not_found')
    }
    await rejoin(space, ben)
    expect((await everywhere(ben)).length).toBe(3)
  })

  it('after a ban from a private space gets none either', async () => {
    const space = await makeSpace(world, { privacy: 'private', members: [ben], admins: [ana] })
    await post(ana, 'Hello @ben', { space_id: space.id })
    expect(await types(ben)).toEqual(['mention'])
    await ana.api.spaceMembers.ban({ space_slug: space.slug, user_id: ben.id })
    expect(await everywhere(ben)).toEqual([])
  })

  it('gets none after a feed was unpublished, while its author still does', async () => {
    const feed = await post(ana, 'Hello @ben')
    await ben.api.reactions.toFeed({ feed_id: feed, type: 'like' })
    expect([await types(ana), await types(ben)]).toEqual([['new_reaction'], ['mention']])
    for (const status of ['draft', 'pending', 'spam'] as const) {
      await (status === 'draft' ? ana : admin).raw('POST', `/feeds/${feed}`, { status: status === 'draft' ? 'draft' : 'published' })
      await admin.raw('POST', `/feeds/${feed}`, { status })
      const { status: now } = await database().selectFrom('feeds').select('status').where('id', '=', feed).executeTakeFirstOrThrow()
      expect(now).not.toBe('published')
      expect([await everywhere(ana), await everywhere(ben)].map((list) => list.length)).toEqual([1, 0])
    }
  })

  it('gets none after a feed was made private or moved to a hidden space', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
    for (const body of [{ privacy: 'private' }, { space_id: secret.id }]) {
      const feed = await post(ana, 'Hello @ben')
      expect(await types(ben)).toEqual(['mention'])
      await ana.raw('POST', `/feeds/${feed}`, body)
      expect(await everywhere(ben)).toEqual([])
    }
  })

  it('gets none after a comment was held for moderation', async () => {
    const feed = await post(ana, 'Some words')
    const { data } = await ben.api.comments.create({ feed_id: feed, comment: 'Dear @cleo' })
    expect([await types(ana), await types(cleo)]).toEqual([['new_comment'], ['mention']])
    await admin.api.comments.update({ feed_id: feed, comment_id: data.id, status: 'spam' })
    expect([await everywhere(ana), await everywhere(cleo)]).toEqual([[], []])
    await admin.api.comments.update({ feed_id: feed, comment_id: data.id, status: 'published' })
    expect([await everywhere(ana), await everywhere(cleo)].map((list) => list.length)).toEqual([1, 1])
  })

  it('still gets those about expired feeds', async () => {
    const feed = await post(ana, 'Hello @ben', { expired_at: '2027-01-01 00:00:00' })
    expect(await types(ben)).toEqual(['mention'])
    await world.app.write(null, ({ db }) =>
      db.updateTable('feeds').set({ listed: 0, expired_at: '2026-01-01 00:00:00' }).where('id', '=', feed).execute(),
    )
    expect((await everywhere(ben)).length).toBe(1)
  })

  it('gets none after it was deleted, and no rows are left', async () => {
    const feed = await post(ana, 'Hello @ben')
    const { data } = await ben.api.comments.create({ feed_id: feed, comment: 'Dear @cleo' })
    await cleo.api.reactions.toComment({ feed_id: feed, comment_id: data.id, type: 'like' })
    expect([await types(ana), await types(ben), await types(cleo)].map((list) => list.length)).toEqual([1, 2, 1])
    await ben.api.comments.remove({ feed_id: feed, comment_id: data.id })
    expect([await everywhere(ana), await everywhere(ben), await everywhere(cleo)].map((list) => list.length)).toEqual([0, 1, 0])
    await ana.api.feeds.remove({ feed_id: feed })
    await world.runPendingJobs()
    expect(await database().selectFrom('notifications').selectAll().execute()).toEqual([])
  })
})

describe('no notification is created', () => {
  it('for a suspended or banned account', async () => {
    for (const status of ['suspended', 'banned'] as const) {
      await setStatus(ben, status)
      const feed = await post(ana, 'Hello @ben')
      await ana.api.comments.create({ feed_id: feed, comment: 'Dear @ben' })
      await world.runPendingJobs()
      expect(await database().selectFrom('notifications').selectAll().execute()).toEqual([])
    }
  })

  it('if the recipient may no longer see it when the job runs', async () => {
    const space = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
    const feed = await post(ana, 'Hello @ben', { space_id: space.id })
    const { data } = await ben.api.comments.create({ feed_id: feed, comment: 'x' })
    await ana.api.comments.create({ feed_id: feed, comment: 'x', parent_id: data.id })
    await ana.api.reactions.toComment({ feed_id: feed, comment_id: data.id, type: 'like' })
    await leaveSpace(world, space, ben)
    await world.runPendingJobs()
    await rejoin(space, ben)
    expect(await everywhere(ben)).toEqual([])
  })

  it('if the object is deleted when the job runs', async () => {
    const feed = await post(ana, 'Hello @ben')
    const { data } = await ben.api.comments.create({ feed_id: feed, comment: 'Dear @cleo' })
    await cleo.api.reactions.toComment({ feed_id: feed, comment_id: data.id, type: 'like' })
    await ben.api.comments.remove({ feed_id: feed, comment_id: data.id })
    await ben.api.reactions.toFeed({ feed_id: feed, type: 'like' })
    await ben.api.reactions.toFeed({ feed_id: feed, type: 'like' })
    await ana.api.feeds.update({ feed_id: feed, status: 'draft' })
    await world.runPendingJobs()
    expect(await database().selectFrom('notifications').selectAll().execute()).toEqual([])
    const other = await post(ana, 'Hello @ben')
    await ana.api.feeds.remove({ feed_id: other })
    await world.runPendingJobs()
    expect(await database().selectFrom('notifications').selectAll().execute()).toEqual([])
  })

  it('for a mentioned member who cannot see it, except staff', async () => {
    const space = await makeSpace(world, { privacy: 'secret', members: [ana] })
    await post(ana, `Hello @ben and @${admin.username}`, { space_id: space.id })
    expect([await types(ben), await types(admin)]).toEqual([[], ['mention']])
  })
})

describe('notifications about spaces', () => {
  it('admins are notified about new members while both are in the space', async () => {
    const space = await makeSpace(world, { privacy: 'private', admins: [ana], moderators: [cleo] })
    await ben.api.spaceMembers.join({ space_slug: space.slug })
    const [asked] = await everywhere(ana)
    expect(asked).toMatchObject({ type: 'space_join', actor_id: ben.id, object_id: space.id, object_type: 'space' })
    expect([asked?.title, asked?.action_url]).toEqual([
      `Ben asks to join the space “Space ${space.slug.slice(6)}”`,
      `${world.origin}/spaces/${space.slug}/members?status=pending`,
    ])
    expect(await types(cleo)).toEqual([])
    await ana.api.spaceMembers.add({ space_slug: space.slug, user_id: ben.id })
    const joined = await everywhere(ana)
    expect(joined.map(({ id, title }) => [id, title.includes('Ben joined')])).toEqual([[asked?.id, true]])

    const setRole = (role: 'member' | 'admin') =>
      world.app.write(null, ({ db }) =>
        db.updateTable('space_members').set({ role }).where('space_id', '=', space.id).where('user_id', '=', ana.id).execute(),
      )
    await setRole('member')
    expect(await everywhere(ana)).toEqual([])
    await setRole('admin')
    await ben.api.spaceMembers.leave({ space_slug: space.slug })
    expect(await everywhere(ana)).toEqual([])
    await setStatus(ben, 'active')
    await ben.api.spaceMembers.join({ space_slug: space.slug })
    expect((await everywhere(ana)).length).toBe(1)
    await setStatus(ben, 'banned')
    expect(await everywhere(ana)).toEqual([])
  })

  it('an added member is notified until removed, and again when added again', async () => {
    const space = await makeSpace(world, { privacy: 'secret', admins: [ana, cleo] })
    await ana.api.spaceMembers.add({ space_slug: space.slug, user_id: ben.id })
    const [first] = await everywhere(ben)
    expect(first).toMatchObject({ type: 'space_invite', actor_id: ana.id, action_url: `${world.origin}/spaces/${space.slug}` })
    await ben.api.notifications.remove({ notification_id: first?.id as number })
    await ana.api.spaceMembers.removeByPath({ space_slug: space.slug, user_id: ben.id })
    world.clock.advance(60)
    expect(await everywhere(ben)).toEqual([])
    await cleo.api.spaceMembers.add({ space_slug: space.slug, user_id: ben.id })
    expect(await everywhere(ben)).toMatchObject([{ type: 'space_invite', actor_id: cleo.id, is_read: false, read_at: null }])
    await ana.api.spaceMembers.removeByPath({ space_slug: space.slug, user_id: ben.id })
    expect(await everywhere(ben)).toEqual([])
  })

  it.each(['by changing the membership', 'by adding them'])(
    'a member whose request is approved is notified, %s, and the approver is not',
    async (way) => {
      const space = await makeSpace(world, { privacy: 'private', admins: [ana, cleo] })
      await ben.api.spaceMembers.join({ space_slug: space.slug })
      expect(await everywhere(ben)).toEqual([])
      const place = { space_slug: space.slug, user_id: ben.id, role: 'member', status: 'active' } as const
      await (way === 'by changing the membership' ? ana.api.spaceMembers.update(place) : ana.api.spaceMembers.add(place))
      expect(await everywhere(ben)).toMatchObject([{ type: 'space_invite', actor_id: ana.id, object_type: 'space', object_id: space.id }])
      expect(await everywhere(ana)).toMatchObject([{ type: 'space_join', actor_id: ben.id }])
    },
  )

  it('a member who joins on their own is not notified', async () => {
    const space = await makeSpace(world, { admins: [ana] })
    await ben.api.spaceMembers.join({ space_slug: space.slug })
    expect(await everywhere(ben)).toEqual([])
  })
})

describe('notifications about followers', () => {
  const follow = (who: Member, whom: Member) => who.raw('POST', `/profile/${whom.username}/follow`)
  const unfollow = (who: Member, whom: Member) => who.raw('POST', `/profile/${whom.username}/unfollow`)

  it('are sent once per follower, and disappear when they unfollow', async () => {
    await follow(ben, ana)
    expect(await everywhere(ana)).toMatchObject([
      { type: 'new_follower', title: 'Ben follows you', actor_id: ben.id, object_id: ben.id, object_type: 'user' },
    ])
    expect((await all(ana))[0]?.action_url).toBe(`${world.origin}/u/ben`)
    await unfollow(ben, ana)
    expect(await everywhere(ana)).toEqual([])
    await follow(ben, ana)
    await unfollow(ben, ana)
    await follow(ben, ana)
    expect((await everywhere(ana)).length).toBe(1)
    await setStatus(ben, 'suspended')
    expect(await everywhere(ana)).toEqual([])
  })

  it('a request and its approval are one', async () => {
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ is_private: 1 }).where('id', '=', ana.id).execute())
    await follow(ben, ana)
    const [asked] = await everywhere(ana)
    expect(asked?.title).toBe('Ben wants to follow you')
    const { data } = (await ana.raw('GET', '/profile/follow-requests')).body
    await ana.raw('POST', `/profile/follow-requests/${data[0].id}/approve`)
    expect((await everywhere(ana)).map(({ id, title }) => [id, title])).toEqual([[asked?.id, 'Ben follows you']])
  })
})

it('copies of an event that are processed together notify and announce once', async () => {
  const dan = await world.member()
  const space = await makeSpace(world, { admins: [dan] })
  await ben.api.spaceMembers.join({ space_slug: space.slug })
  const { data } = (await ben.raw('POST', `/profile/${dan.username}/follow`)).body
  await world.app.write(null, async (ctx) => {
    for (let copy = 0; copy < 3; copy++) {
      await ctx.emit('space.member_joined', { space_id: space.id, user_id: ben.id })
      await ctx.emit('follow.started', { follow_id: data.id, follower_id: ben.id, following_id: dan.id })
    }
  })
  expect((await types(dan)).sort()).toEqual(['new_follower', 'space_join'])
  const announced = (await eventsWith(world, { user_id: dan.id })).filter((name) => name === 'notification.created')
  expect(announced).toHaveLength(2)
})

describe('notifications of other modules', () => {
  it('are created once per dedup key, with their own texts if given, and do not name moderators', async () => {
    const warn = (userId: number) =>
      world.app.write(null, (ctx) =>
        notify(ctx, [
          {
            userId,
            type: 'moderation',
            subject: 'moderation:report:1',
            objectType: 'report',
            objectId: 1,
            actorId: admin.id,
            meta: { message: 'Please keep to the rules.' },
          },
        ]),
      )
    await warn(ana.id)
    await warn(ana.id)
    await warn(admin.id)
    expect(await everywhere(ana)).toMatchObject([{ type: 'moderation', message: 'Please keep to the rules.', actor_id: ana.id }])
    expect(await everywhere(admin)).toEqual([])
  })
})
