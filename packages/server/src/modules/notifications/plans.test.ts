import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoScan, expectNotWhole, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { actorFor } from '../../auth/authenticate.ts'
import { insertRows } from '../../db/index.ts'
import { changeAll, countNotifications, loadNotifications, pageOfNotifications, spacesOfJoins } from './queries.ts'
import { causesOf, notifiedAboutComments } from './repository.ts'

/** Enough rows for a planner to consider a full scan. */
const MANY = 600

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  const { data: feed } = await ana.api.feeds.create({ message: 'Much talk' })
  await world.app.write(null, async ({ db, now }) => {
    const crowd = Array.from({ length: MANY }, (_, i) => [`crowd${i}`, `crowd${i}@example.org`, `Crowd ${i}`, now, now])
    await insertRows(db, 'users', ['username', 'email', 'display_name', 'created_at', 'updated_at'], crowd)
    const people = await db.selectFrom('users').select('id').where('username', 'like', 'crowd%').orderBy('id').execute()
    const follows = people.map(({ id }) => [id, ana.id, 'active', now, now])
    await insertRows(db, 'followers', ['follower_id', 'following_id', 'status', 'created_at', 'updated_at'], follows)
    const comments = people.map(({ id }) => [feed.id, id, 'Yes', '<p>Yes</p>', now, now])
    await insertRows(db, 'comments', ['post_id', 'user_id', 'message', 'message_rendered', 'created_at', 'updated_at'], comments)
    const written = await db.selectFrom('comments').select(['id', 'user_id']).orderBy('id').execute()
    const columns = [
      'user_id',
      'type',
      'dedup_key',
      'object_id',
      'object_type',
      'feed_id',
      'comment_id',
      'created_at',
      'updated_at',
    ] as const
    await insertRows(db, 'notifications', columns, [
      ...people.map(({ id }) => [ana.id, 'new_follower', `new_follower:user:${id}`, id, 'user', null, null, now, now]),
      ...written.map(({ id }) => [ana.id, 'mention', `mention:comment:${id}`, id, 'comment', feed.id, id, now, now]),
    ])
    const authors = new Map(written.map(({ id, user_id }) => [id, user_id]))
    const told = await db.selectFrom('notifications').select(['id', 'object_id', 'comment_id']).execute()
    const causes = told.map((row) => [row.id, authors.get(row.comment_id ?? 0) ?? row.object_id, row.comment_id, now])
    await insertRows(db, 'notification_actors', ['notification_id', 'actor_id', 'comment_id', 'created_at'], causes)
  })
})
afterAll(() => world.close())

const page = { limit: 20, offset: 0 }
const pick = async () => {
  const db = world.app.services.database.read
  const actor = (await actorFor(db, ana.id))!
  expect(await countNotifications(db, actor, { isRead: false })).toBe(2 * MANY)
  await pageOfNotifications(db, actor, { type: 'new_follower' }, 'asc', page)
  return { db, actor, ids: await pageOfNotifications(db, actor, {}, 'desc', page) }
}

const { LYCEUM_TEST_DATABASE: database } = process.env

test.runIf(database === 'sqlite')('notifications are found and checked by index', async () => {
  await expectNoScan(world, async () => {
    const { db, actor, ids } = await pick()
    expect(await loadNotifications(db, actor, ids)).toHaveLength(page.limit)
  })
})

/** Tables and indexes used by statements with this beginning, in order. */
const walked = async (begin: string, work: () => Promise<unknown>) => {
  const plans = await plansOf(world.app.services.database.read, work)
  return plans.filter(({ sql }) => sql.startsWith(begin)).flatMap(({ steps }) => steps.filter((step) => /^(SCAN|SEARCH)/.test(step)))
}

test.runIf(database === 'sqlite')('thousands of notifications are not scanned for a join, nor for those of one comment', async () => {
  const db = world.app.services.database.read
  expect(await walked('select distinct n.space_id', () => spacesOfJoins(db, [ana.id]))).toEqual([
    expect.stringContaining('USING COVERING INDEX notifications_space_joins (user_id=?'),
  ])
  await world.app.write(null, async (ctx) => {
    const plans = await plansOf(ctx.db, () => notifiedAboutComments(ctx.db, [1]))
    const steps = plans.flatMap((plan) => plan.steps).filter((step) => step.startsWith('SEARCH'))
    expect(steps).toEqual([
      expect.stringContaining('notification_actors_comment (comment_id=?)'),
      expect.stringContaining('INTEGER PRIMARY KEY'),
    ])
  })
})

test.runIf(database === 'sqlite')(
  'those of other members are not read to mark all as read, nor other actors for one reaction',
  async () => {
    const actor = (await actorFor(world.app.services.database.read, ana.id))!
    const rollback = new Error('rollback')
    const found: string[] = []
    const work = world.app.write(null, async (ctx) => {
      const reaction = {
        userId: ana.id,
        type: 'new_reaction',
        subject: 'new_reaction:feed:1',
        objectId: 1,
        objectType: 'feed',
        actorId: 1,
      } as const
      const plans = await plansOf(ctx.db, async () => {
        expect(await changeAll(ctx.db, actor, 'read', ctx.now)).toBe(2 * MANY)
        await causesOf(ctx.db, [reaction])
      })
      found.push(...plans.flatMap(({ steps }) => steps))
      throw rollback
    })
    await expect(work).rejects.toBe(rollback)
    expect(found).toContainEqual(expect.stringMatching(/^SEARCH n USING INDEX notifications_unread \(user_id=\?\)/))
    expect(found).toContainEqual(expect.stringMatching(/^SEARCH k USING .*notification_actors_once \(notification_id=\? AND actor_id=\?/))
    expect(found.filter((step) => step.includes('_age'))).toEqual([])
  },
)

test.runIf(database === 'postgres')('on PostgreSQL, checking a few notifications does not read all comments and users', async () => {
  await world.app.write(null, ({ db }) => db.executeQuery(CompiledQuery.raw('analyze')))
  await expectNotWhole(world, ['comments', 'users', 'followers', 'notification_actors'], pick)
})
