import { afterAll, beforeAll, expect, test } from 'vitest'
import { pendingEvents } from '#test/jobs/pending-events.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const PEOPLE = 6
const TOGGLES = 21

let world: World
const people: Member[] = []
beforeAll(async () => {
  world = await createWorld()
  for (let i = 0; i < PEOPLE; i++) people.push(await world.member())
})
afterAll(() => world.close())

test('after many toggles, reads and deletions while jobs run, the result is correct, with at most one unread notification', async () => {
  const author = people[0] as Member
  const ids = await Promise.all(Array.from({ length: 3 }, async () => (await author.api.feeds.create({ message: 'A feed' })).data.id))
  world.app.worker.start()
  // An odd number of toggles leaves a reaction, an even one none.
  const others = people.slice(1)
  const toggles = others.map((_, i) => TOGGLES + (i % 2))
  const toggle = others.map(async ({ api }, i) => {
    for (let n = 0; n < (toggles[i] as number); n++) {
      await api.reactions.toFeed({ feed_id: ids[i % ids.length] as number, type: 'like' })
      await api.comments.create({ feed_id: ids[n % ids.length] as number, comment: 'x' })
    }
  })
  let busy = true
  const read = async () => {
    while (busy) {
      await author.api.notifications.markAllRead()
      const [first] = (await author.api.notifications.unread()).notifications
      if (first) await author.raw('DELETE', `/notifications/${first.id}`)
    }
  }
  const toggled = Promise.all(toggle).finally(() => {
    busy = false
  })
  await Promise.all([toggled, read()])
  await world.app.worker.stop()
  await world.runPendingJobs()

  const db = world.app.services.database.read
  const rows = await db
    .selectFrom('notifications as n')
    .innerJoin('notification_actors as k', 'k.notification_id', 'n.id')
    .select(['k.actor_id', 'n.feed_id'])
    .where('n.type', '=', 'new_reaction')
    .orderBy('k.actor_id')
    .execute()
  const standing = others.flatMap(({ id }, i) => ((toggles[i] as number) % 2 === 1 ? [{ actor_id: id, feed_id: ids[i % ids.length] }] : []))
  expect(rows).toEqual(standing)
  const open = await db.selectFrom('notifications').select(['type', 'feed_id']).where('is_open', '=', 1).where('is_read', '=', 0).execute()
  expect(new Set(open.map(({ type, feed_id }) => `${type} ${feed_id}`)).size).toBe(open.length)
  const left = await db.selectFrom('jobs').select(['name', 'last_error']).where('name', 'not like', 'delivery.%').execute()
  expect([left, await pendingEvents(db)]).toEqual([[], []])
})
