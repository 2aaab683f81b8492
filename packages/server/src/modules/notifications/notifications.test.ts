import type { api, InputOf } from '@lyceum/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { leaveSpace, makeSpace } from '#test/fixtures.ts'
import { expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

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
afterAll(async () => {
  await world.runPendingJobs()
  await world.close()
})
beforeEach(async () => {
  await world.runPendingJobs()
  await world.app.write(null, ({ db }) => db.deleteFrom('notifications').execute())
})

const post = async (body: object = {}, who = ana): Promise<number> =>
  (await who.api.feeds.create({ message: 'Some words', ...body } as InputOf<typeof api.feeds.create>)).data.id
const comment = async (who: Member, feed_id: number, text = 'Well said', parent_id?: number): Promise<number> =>
  (await who.api.comments.create({ feed_id, comment: text, ...(parent_id && { parent_id }) })).data.id
const like = (who: Member, feed_id: number) => who.api.reactions.toFeed({ feed_id, type: 'like' })
const list = async (who = ana, query: InputOf<typeof api.notifications.list> = {}) => {
  await world.runPendingJobs()
  return (await who.api.notifications.list(query)).notifications
}
const told = async (who = ana, query: InputOf<typeof api.notifications.list> = {}) => (await list(who, query)).data
const created = async () =>
  (await world.app.services.database.read.selectFrom('events').select('payload').where('name', '=', 'notification.created').execute())
    .length

describe('a notification', () => {
  it('names the actor, the action and the object in plain text, with a link', async () => {
    const id = await post({ title: 'Seeds to swap' })
    const answer = await comment(ben, id, 'I have **tomatoes** <b>left</b>')
    const [found] = await told()
    expect(found).toMatchObject({
      user_id: ana.id,
      type: 'new_comment',
      title: 'Ben commented on your post “Seeds to swap”',
      message: 'I have tomatoes <b>left</b>',
      action_url: `${world.origin}/feeds/seeds-to-swap?comment_id=${answer}`,
      is_read: false,
      actor_id: ben.id,
      actors_count: 1,
      object_id: id,
      object_type: 'feed',
      about: { feed: 'Seeds to swap', comment: 'I have tomatoes <b>left</b>', place: '', pending: false, everyone: false },
      created_at: '2026-03-10 12:00:00',
      read_at: null,
      xprofile: { user_id: ben.id, username: 'ben' },
    })
  })

  it('uses present names and titles', async () => {
    const id = await post({ title: 'Before' })
    await like(ben, id)
    expect((await told())[0]?.title).toBe('Ben reacted to your post “Before”')
    await ana.api.feeds.update({ feed_id: id, title: 'After' })
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ display_name: 'Benjamin' }).where('id', '=', ben.id).execute())
    expect((await told())[0]).toMatchObject({ title: 'Benjamin reacted to your post “After”', message: 'Some words' })
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ display_name: 'Ben' }).where('id', '=', ben.id).execute())
  })
})

describe('the list', () => {
  const several = async (n: number) => {
    for (let i = 0; i < n; i++) {
      world.clock.advance(1)
      await like(ben, await post({ title: `Post ${i}` }))
      await world.runPendingJobs()
    }
  }

  it('has pages, newest first', async () => {
    await several(5)
    const page = await list(ana, { per_page: 2, page: 2 })
    expect(page.data.map(({ title }) => title)).toEqual(['Ben reacted to your post “Post 2”', 'Ben reacted to your post “Post 1”'])
    expect(page).toMatchObject({ total: 5, per_page: 2, current_page: 2, last_page: 3, from: 3, to: 4 })
    expect(page.path).toBe(`${world.base}/notifications`)
    expect(page.links).toHaveLength(5)
    expect((await told(ana, { order: 'asc', orderby: 'created_at', per_page: 1 }))[0]?.title).toContain('Post 0')
    expect(await list(ana, { page: 9 })).toMatchObject({ data: [], total: 5 })
  })

  it('is filtered by read state and type', async () => {
    await several(2)
    const id = await post()
    await comment(ben, id)
    const [newest] = await told()
    await ana.api.notifications.read({ notification_id: newest?.id as number })
    expect((await told(ana, { is_read: true })).map(({ type }) => type)).toEqual(['new_comment'])
    expect(await list(ana, { is_read: false })).toMatchObject({ total: 2 })
    expect(await list(ana, { type: 'new_reaction' })).toMatchObject({ total: 2 })
    expect(await list(ana, { type: 'mention' })).toMatchObject({ total: 0, data: [] })
    for (const query of ['is_read=maybe', 'type=constructor', 'orderby=user_id', 'order=up', 'page=0', 'per_page=-1']) {
      expect((await ana.raw('GET', `/notifications?${query}`)).body.code).toBe('invalid_parameter')
    }
  })

  it('is only visible to its owner', async () => {
    await several(1)
    expect(await told(ben)).toEqual([])
    expect(await told(admin)).toEqual([])
    await refused(world.anonymous.notifications.list(), 401, 'rest_forbidden')
    await refused(world.anonymous.notifications.unread(), 401, 'rest_forbidden')
  })

  it('is read from an index in order', async () => {
    if (world.dialect !== 'sqlite') return
    await several(3)
    await world.runPendingJobs()
    const pages = async (work: () => Promise<unknown>) => {
      // Nothing is cached by now.
      await world.app.write(null, ({ db }) =>
        db
          .updateTable('users')
          .set((of) => ({ is_private: sql`1 - ${of.ref('is_private')}` }))
          .where('id', '=', cleo.id)
          .execute(),
      )
      return (await expectNoScan(world, work)).filter(({ sql }) => /order by n.created_at (asc|desc), n.id (asc|desc) limit/.test(sql))
    }
    for (const who of [ana, admin]) {
      for (const query of [{}, { is_read: false }, { is_read: true }, { type: 'mention' as const }, { order: 'asc' as const }]) {
        const [page] = await pages(() => who.api.notifications.list(query))
        expect(page?.steps[0]).toMatch(/^SEARCH n USING INDEX notifications_(newest|unread) \(user_id=\?\)$/)
        expect(page?.steps.join()).not.toContain('TEMP B-TREE')
      }
      const [page] = await pages(() => who.api.notifications.unread())
      expect(page?.steps[0]).toMatch(/^SEARCH n USING INDEX notifications_unread \(user_id=\?\)$/)
      expect(page?.steps.join()).not.toContain('TEMP B-TREE')
    }
  })
})

describe('unread notifications', () => {
  it('are listed up to fifty, and all are counted', async () => {
    const ids = await Promise.all(Array.from({ length: 53 }, () => post()))
    await Promise.all(ids.map((id) => like(ben, id)))
    await world.runPendingJobs()
    const { notifications, unread_count } = await ana.api.notifications.unread()
    expect([notifications.length, unread_count]).toEqual([50, 53])
    await Promise.all(notifications.slice(0, 10).map(({ id }) => ana.api.notifications.read({ notification_id: id })))
    expect((await ana.api.notifications.unread()).unread_count).toBe(43)
    expect((await ana.api.notifications.markAllRead()).data).toEqual({ marked_count: 43 })
    expect((await ana.api.notifications.removeAll()).data).toEqual({ deleted_count: 53 })
  })

  it('are marked one by one, idempotently', async () => {
    await like(ben, await post())
    const [{ id } = { id: 0 }] = await told()
    const first = await ana.api.notifications.read({ notification_id: id })
    expect(first.data).toEqual({ id, is_read: true, read_at: expect.stringMatching(/^2026-/) })
    world.clock.advance(60)
    expect((await ana.api.notifications.read({ notification_id: id })).data).toEqual(first.data)
    expect((await told())[0]).toMatchObject({ is_read: true, read_at: first.data.read_at })
  })

  it('are marked all together, and concurrent calls add up', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => post()))
    await Promise.all(ids.map((id) => like(ben, id)))
    await world.runPendingJobs()
    const answers = await Promise.all(Array.from({ length: 4 }, () => ana.api.notifications.markAllRead()))
    expect(answers.reduce((sum, { data }) => sum + data.marked_count, 0)).toBe(12)
    expect((await ana.api.notifications.unread()).unread_count).toBe(0)
    expect(await list(ana, { is_read: true })).toMatchObject({ total: 12 })
  })

  it('arriving while all are marked are either marked and counted, or left', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => post()))
    await Promise.all(ids.map((id) => like(ben, id)))
    const marked: number[] = []
    const marking = async () => {
      for (let i = 0; i < 10; i++) marked.push((await ana.api.notifications.markAllRead()).data.marked_count)
    }
    await Promise.all([world.runPendingJobs(), marking()])
    await world.runPendingJobs()
    const { unread_count } = await ana.api.notifications.unread()
    expect(marked.reduce((a, b) => a + b, 0) + unread_count).toBe(30)
  })
})

describe('deleting', () => {
  it('deletes one permanently', async () => {
    await like(ben, await post())
    const [{ id } = { id: 0 }] = await told()
    await refused(ben.api.notifications.remove({ notification_id: id }), 403, 'rest_forbidden')
    await refused(admin.api.notifications.read({ notification_id: id }), 403, 'rest_forbidden')
    expect((await told()).length).toBe(1)
    expect((await ana.api.notifications.remove({ notification_id: id })).message).not.toBe('')
    for (const call of ['remove', 'read'] as const) {
      await refused(ana.api.notifications[call]({ notification_id: id }), 404, 'notification_not_found')
    }
    expect(await list()).toMatchObject({ total: 0, data: [] })
    expect((await ana.api.notifications.unread()).unread_count).toBe(0)
  })

  it('refuses another member’s, and reports a missing one as not found', async () => {
    await like(ben, await post())
    const [{ id } = { id: 0 }] = await told()
    for (const [method, rest] of [
      ['DELETE', ''],
      ['POST', '/read'],
    ] as const) {
      const [theirs, none] = [
        await ben.raw(method, `/notifications/${id}${rest}`),
        await ben.raw(method, `/notifications/987654321${rest}`),
      ]
      expect([theirs.status, theirs.body.code]).toEqual([403, 'rest_forbidden'])
      expect([none.status, none.body.code]).toEqual([404, 'notification_not_found'])
      expect((await ben.raw(method, `/notifications/none${rest}`)).body.code).toBe('invalid_parameter')
    }
    expect(await list()).toMatchObject({ total: 1 })
  })

  it('deletes all, counting the visible ones', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
    await like(ben, await post())
    await like(ben, await post({ space_id: secret.id }))
    expect(await list()).toMatchObject({ total: 2 })
    await leaveSpace(world, secret, ana)
    expect((await ana.api.notifications.removeAll()).data).toEqual({ deleted_count: 1 })
    expect((await ana.api.notifications.removeAll()).data).toEqual({ deleted_count: 0 })
    const rows = world.app.services.database.read.selectFrom('notifications').where('user_id', '=', ana.id).where('removed', '=', 0)
    expect(await rows.selectAll().execute()).toEqual([])
  })

  it('does not notify again about the same mention', async () => {
    const id = await post({ message: 'Hello @ben' })
    const [{ id: notification_id } = { id: 0 }] = await told(ben)
    await ben.api.notifications.remove({ notification_id })
    await ana.api.feeds.update({ feed_id: id, message: 'Hello again @ben' })
    await ana.api.feeds.update({ feed_id: id, status: 'draft' })
    await ana.api.feeds.update({ feed_id: id, status: 'published' })
    expect(await told(ben)).toEqual([])
  })
})

describe('grouping', () => {
  it('reactions to an object are one notification until it is read', async () => {
    const id = await post({ title: 'Hot' })
    await like(ben, id)
    expect((await told())[0]?.title).toBe('Ben reacted to your post “Hot”')
    world.clock.advance(60)
    await like(cleo, id)
    const [grouped, ...rest] = await told()
    expect(rest).toEqual([])
    expect(grouped).toMatchObject({ title: 'Cleo and 1 other reacted to your post “Hot”', actor_id: cleo.id, actors_count: 2 })
    await like(admin, id)
    expect((await told())[0]?.title).toMatch(/ and 2 others reacted/)
    await ana.api.notifications.read({ notification_id: grouped?.id as number })
    await like(admin, id)
    await world.runPendingJobs()
    await like(admin, id)
    const after = await told()
    expect(after.map((one) => [one.is_read, one.actors_count])).toEqual([
      [false, 1],
      [true, 2],
    ])
  })

  it('further activity moves it to the top', async () => {
    const [first, second] = [await post({ title: 'First' }), await post({ title: 'Second' })]
    await comment(ben, first)
    await world.runPendingJobs()
    world.clock.advance(60)
    await comment(ben, second)
    expect((await told()).map(({ object_id }) => object_id)).toEqual([second, first])
    world.clock.advance(60)
    await comment(ben, first, 'Once more')
    const found = await told()
    expect(found.map(({ object_id, actors_count }) => [object_id, actors_count])).toEqual([
      [first, 1],
      [second, 1],
    ])
    expect(found[0]?.message).toBe('Once more')
    expect(found[0]?.created_at).toBe(found[0]?.updated_at)
  })

  it('actors are counted up to a hundred', async () => {
    const id = await post({ title: 'Hot' })
    await like(ben, id)
    const [{ id: notification } = { id: 0 }] = await told()
    await world.app.write(null, async ({ db, now }) => {
      for (let i = 0; i < 120; i++) {
        const name = `crowd${i}`
        const user = {
          username: name,
          email: `${name}@example.net`,
          display_name: name,
          created_at: now,
          updated_at: now,
          password_hash: null,
        }
        const { id: actor_id } = await db
          .insertInto('users')
          .values({ ...user, last_activity: null })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('notification_actors')
          .values({ notification_id: notification, actor_id, comment_id: null, created_at: now })
          .execute()
      }
    })
    expect((await told())[0]).toMatchObject({ title: 'crowd119 and 99+ others reacted to your post “Hot”', actors_count: 100 })
  })

  it('taking a reaction back removes its activity, and the last one the notification', async () => {
    const id = await post()
    await like(ben, id)
    await world.runPendingJobs()
    await like(cleo, id)
    expect((await told())[0]).toMatchObject({ actor_id: cleo.id, actors_count: 2 })
    await like(cleo, id)
    expect((await told())[0]).toMatchObject({ actor_id: ben.id, actors_count: 1 })
    await like(ben, id)
    expect(await told()).toEqual([])
    const mine = await comment(ben, id)
    await world.runPendingJobs()
    const theirs = await comment(cleo, id)
    expect((await told())[0]).toMatchObject({ actor_id: cleo.id, actors_count: 2 })
    await cleo.api.comments.remove({ feed_id: id, comment_id: theirs })
    expect((await told())[0]).toMatchObject({ actor_id: ben.id, actors_count: 1 })
    await ben.api.comments.remove({ feed_id: id, comment_id: mine })
    expect(await told()).toEqual([])
    expect((await ana.api.notifications.unread()).unread_count).toBe(0)
  })

  it('each new activity emits one event', async () => {
    const before = await created()
    const id = await post()
    await like(ben, id)
    await like(cleo, id)
    await comment(ben, id, 'Dear @cleo')
    await world.runPendingJobs()
    expect((await created()) - before).toBe(4)
    await ben.api.reactions.toFeed({ feed_id: id, type: 'love' })
    await world.runPendingJobs()
    expect((await created()) - before).toBe(4)
  })
})

describe('retention', () => {
  it('notifications are deleted ninety days after reading, or after a year', async () => {
    await like(ben, await post())
    await like(ben, await post())
    const [{ id } = { id: 0 }] = await told()
    await ana.api.notifications.read({ notification_id: id })
    world.clock.advance(91 * 86_400)
    await world.app.maintenance.run()
    expect((await told()).map(({ is_read }) => is_read)).toEqual([false])
    world.clock.advance(275 * 86_400)
    await world.app.maintenance.run()
    expect(await told()).toEqual([])
  })
})
