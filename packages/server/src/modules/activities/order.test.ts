import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

const PEOPLE = 8
const TOGGLES = 41

let world: World
const people: Member[] = []
beforeAll(async () => {
  world = await createWorld()
  for (let i = 0; i < PEOPLE; i++) people.push(await world.member())
})
afterAll(() => world.close())

test('reactions toggled while jobs run leave one activity if they exist, and none otherwise', async () => {
  const author = people[0] as Member
  const feeds = await Promise.all(people.map(async () => (await author.api.feeds.create({ message: 'A feed' })).data.id))
  world.app.worker.start()
  // An odd number of toggles leaves a reaction, an even number does not.
  const toggles = people.map((_, i) => TOGGLES + (i % 2))
  await Promise.all(
    people.map(async ({ api }, i) => {
      const feed_id = feeds[i] as number
      for (let n = 0; n < (toggles[i] as number); n++) {
        await api.reactions.toFeed({ feed_id, type: 'like' })
        await api.reactions.toFeed({ feed_id, react_type: 'bookmark', ...(n % 2 === 1 && { remove: true }) })
      }
    }),
  )
  await world.app.worker.stop()
  await world.runPendingJobs()
  const rows = await world.app.services.database.read
    .selectFrom('activities')
    .select(['user_id', 'action_type', 'feed_id'])
    .where('action_type', 'in', ['reaction_added', 'bookmark_added'])
    .orderBy('action_type')
    .orderBy('user_id')
    .execute()
  const standing = people.flatMap(({ id }, i) => ((toggles[i] as number) % 2 === 1 ? [{ user_id: id, feed_id: feeds[i] }] : []))
  expect(rows).toEqual(['bookmark_added', 'reaction_added'].flatMap((action_type) => standing.map((row) => ({ ...row, action_type }))))
})
