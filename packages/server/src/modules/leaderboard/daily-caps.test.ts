import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { earnedBy, pointsOf } from '#test/points.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  admin = await world.member({ role: 'admin' })
  const limits = { post_points_per_day: 120, comment_points_per_day: 30, reaction_points_per_day: 5, helpful_points_per_day: 0 }
  await admin.api.settings.save({ limits } as never)
})
afterAll(() => world.close())

const posts = async (who: Member, count: number) => {
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    ids.push((await who.api.feeds.create({ message: `Post ${i}` })).data.id)
    // Jobs about several posts may run in any order.
    await world.runPendingJobs()
  }
  return ids
}

test('points of a kind end at the daily limit, and the ledger stays consistent', async () => {
  const [ana, ben, cleo] = [await world.member(), await world.member(), await world.member()]
  let ids: number[] = []
  // 50 + 50 + 20 for posts, and 50 for the first post.
  expect(
    await earnedBy(world, ana, async () => {
      ids = await posts(ana, 5)
    }),
  ).toBe(170)
  const comments = async () => {
    for (let i = 0; i < 6; i++) await ben.api.comments.create({ feed_id: ids[0] as number, comment: `Comment ${i}` })
  }
  expect(await earnedBy(world, ben, comments)).toBe(30)
  const reactions = async () => {
    for (const who of [ben, cleo]) await who.api.reactions.toFeed({ feed_id: ids[0] as number, type: 'like' })
  }
  expect(await earnedBy(world, ana, reactions)).toBe(5)

  const [first, , third, fourth] = ids as [number, number, number, number]
  // An entry worth nothing removes nothing when reversed; a capped one removes its capped value.
  expect(await earnedBy(world, ana, () => ana.api.feeds.remove({ feed_id: fourth }))).toBe(0)
  expect(await earnedBy(world, ana, () => ana.api.feeds.remove({ feed_id: third }))).toBe(-20)
  // Points below the limit become available again after a reversal.
  expect(await earnedBy(world, ana, () => posts(ana, 2))).toBe(20)
  // Hidden and published again, it has its former value.
  const hide = (status: string) => admin.raw('POST', `/feeds/${first}`, { status })
  const toggled = await earnedBy(world, ana, async () => {
    await hide('pending')
    await world.runPendingJobs()
    await hide('published')
  })
  expect(toggled).toBe(0)
  const before = await pointsOf(world, ana)
  world.clock.advance(86_400)
  expect(await earnedBy(world, ana, () => posts(ana, 1))).toBeGreaterThanOrEqual(50)
  expect(await pointsOf(world, ana)).toBeGreaterThan(before)
  await expectSound(world)
})
