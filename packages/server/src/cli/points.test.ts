import { afterAll, beforeAll, expect, test } from 'vitest'
import { envOf, lyceum, lyceumJson } from '#test/command.ts'
import { pointsOf } from '#test/points.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { runText } from '../db/index.ts'

let world: World
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  for (const who of [ana, ben]) await who.api.feeds.create({ message: 'Words' })
  await world.runPendingJobs()
})
afterAll(() => world.close())

interface Rebuilt {
  readonly members: number
  readonly differences: Record<'total_points' | 'daily_scores' | 'period_scores' | 'contribution_counts', number[]>
}
const rebuild = () => lyceumJson<Rebuilt>(envOf(world), 'points', 'rebuild')
const RIGHT = { members: 0, differences: { total_points: [], daily_scores: [], period_scores: [], contribution_counts: [] } }

test('correct points stay unchanged', async () => {
  expect(await rebuild()).toEqual(RIGHT)
  expect(await lyceum(envOf(world), ['points', 'rebuild'])).toMatchObject({ code: 0, out: 'All points are what the ledger gives.\n' })
})

test('wrong points are recomputed from the ledger, and reported', async () => {
  for (const text of [
    `update users set total_points = 7 where id = ${ana.id}`,
    `delete from daily_scores where user_id = ${ben.id}`,
    `update period_scores set posts = 0 where user_id = ${ana.id}`,
    `update contribution_counts set posts = 9 where user_id = ${ben.id}`,
  ])
    await world.app.write(null, ({ db }) => runText(db, text, []))
  const { members, differences } = await rebuild()
  expect(members).toBe(2)
  // The sums of windows are made from the days, and these were right again by then.
  expect(differences).toEqual({ total_points: [ana.id], daily_scores: [ben.id], period_scores: [ana.id], contribution_counts: [ben.id] })
  expect(await rebuild()).toEqual(RIGHT)
  expect([await pointsOf(world, ana), await pointsOf(world, ben)]).toEqual([100, 100])
  const { leaderboard } = await ana.api.leaderboard.list({ period: 'today' })
  expect(leaderboard.map(({ items }) => items.map((item) => item.total_points))).toEqual(Array.from({ length: 4 }, () => [100, 100]))
})
