import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'
import { acceptAllPending } from './index.ts'

const AT_ONCE = 50

let world: World
let ana: Member
let bob: Member

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})
beforeEach(async () => {
  ana = await world.member()
  bob = await world.member()
})

const setPrivate = (who: Member, is_private: 0 | 1) =>
  world.app.write(who.id, async (ctx) => {
    if (!is_private) await acceptAllPending(ctx, who.id)
    await ctx.db.updateTable('users').set({ is_private }).where('id', '=', who.id).execute()
  })
const follow = (who: Member, whom: Member) => who.raw('POST', `/profile/${whom.username}/follow`)
const unfollow = (who: Member, whom: Member) => who.raw('POST', `/profile/${whom.username}/unfollow`)
const drop = (who: Member, whom: Member) => who.raw('POST', `/profile/${whom.username}/remove-follower`)
const tally = (answers: readonly RawAnswer[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = body.code ?? String(status)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
const many = <T>(make: (i: number) => T): T[] => Array.from({ length: AT_ONCE }, (_, i) => make(i))
const followsOf = (who: Member, whom: Member) =>
  world.app.services.database.read
    .selectFrom('followers')
    .select(['id', 'status'])
    .where('follower_id', '=', who.id)
    .where('following_id', '=', whom.id)
    .execute()
/** Number of follows reported as started minus those reported as ended. */
const told = async (who: Member) => {
  const rows = await world.app.services.database.read.selectFrom('events').select(['name', 'payload']).execute()
  const own = rows.filter(({ payload }) => (JSON.parse(payload) as { follower_id?: number }).follower_id === who.id)
  const count = (name: string) => own.filter((row) => row.name === name).length
  return { requested: count('follow.requested'), started: count('follow.started'), ended: count('follow.ended') }
}

describe('concurrent requests', () => {
  test('one person follows another once', async () => {
    const answers = await Promise.all(many(() => follow(ana, bob)))
    expect(tally(answers)).toEqual({ 201: 1, already_following: AT_ONCE - 1 })
    expect(await followsOf(ana, bob)).toHaveLength(1)
    expect(await told(ana)).toEqual({ requested: 0, started: 1, ended: 0 })
    await expectSound(world)
    expect(tally(await Promise.all(many(() => unfollow(ana, bob))))).toEqual({ 200: 1, not_following: AT_ONCE - 1 })
    expect((await told(ana)).ended).toBe(1)
  })

  test('mutual follows do not deadlock', async () => {
    const circle = [ana, bob, await world.member(), await world.member(), await world.member()]
    const pairs = circle.flatMap((who) => circle.filter((other) => other !== who).map((whom) => [who, whom] as const))
    const answers = await Promise.all(pairs.map(([who, whom]) => follow(who, whom)))
    expect(tally(answers)).toEqual({ 201: pairs.length })
    await expectSound(world)
    const ends = await Promise.all(pairs.flatMap(([who, whom]) => [unfollow(who, whom), drop(whom, who)]))
    expect(tally(ends)).toEqual({ 200: pairs.length, not_following: pairs.length })
    for (const who of circle) {
      const { profile } = await who.api.profiles.get({ username: 'me' })
      expect([profile.followers_count, profile.followings_count]).toEqual([0, 0])
    }
  })

  test('the last of follow, unfollow and removal decides the state', async () => {
    const acts = [follow, unfollow, (who: Member, whom: Member) => drop(whom, who)]
    const answers = await Promise.all(many((i) => (acts[i % 3] as typeof follow)(ana, bob)))
    for (const { status } of answers) expect([200, 201, 400]).toContain(status)
    const { started, ended } = await told(ana)
    expect(await followsOf(ana, bob)).toHaveLength(started - ended)
  })

  test('of approval, rejection, withdrawal and removal exactly one succeeds', async () => {
    await setPrivate(bob, 1)
    for (let round = 0; round < 2 * SOAK; round++) {
      const who = await world.member()
      await follow(who, bob)
      const [row] = await followsOf(who, bob)
      const path = `/profile/follow-requests/${row?.id}`
      const answers = await Promise.all(many((i) => (i % 2 === 0 ? bob.raw('POST', `${path}/approve`) : bob.raw('POST', `${path}/reject`))))
      expect(tally(answers)).toEqual({ 200: 1, request_not_found: AT_ONCE - 1 })
      const approved = answers.some(({ status }, i) => status === 200 && i % 2 === 0)
      expect((await followsOf(who, bob)).map(({ status }) => status)).toEqual(approved ? ['active'] : [])

      const other = await world.member()
      await follow(other, bob)
      const [request] = await followsOf(other, bob)
      const [approval, withdrawal, removal] = await Promise.all([
        bob.raw('POST', `/profile/follow-requests/${request?.id}/approve`),
        unfollow(other, bob),
        drop(bob, other),
      ])
      // An approved follow can still be ended, by whichever comes first.
      expect([withdrawal?.status, removal?.status].sort()).toEqual([200, 400])
      expect([200, 404]).toContain(approval?.status)
      expect(await followsOf(other, bob)).toEqual([])
    }
  })

  test.each(SOAK > 1 ? [8, 0, 0, 0] : [8, 0])(
    'requests sent while the profile becomes public are accepted, and none stays pending: %i before',
    async (already) => {
      await setPrivate(bob, 1)
      const before = await Promise.all(Array.from({ length: already }, () => world.member()))
      const meanwhile = await Promise.all(Array.from({ length: 12 }, () => world.member()))
      for (const fan of before) await follow(fan, bob)
      const [first, then] = [meanwhile.slice(0, 6), meanwhile.slice(6)]
      await Promise.all([...first.map((fan) => follow(fan, bob)), setPrivate(bob, 0), ...then.map((fan) => follow(fan, bob))])
      await world.runPendingJobs()
      const { read } = world.app.services.database
      const rows = await read.selectFrom('followers').select('status').where('following_id', '=', bob.id).execute()
      expect(rows.map(({ status }) => status)).toEqual([...before, ...meanwhile].map(() => 'active'))
      expect((await bob.api.profiles.get({ username: 'me' })).profile.followers_count).toBe(rows.length)
    },
  )

  test('two profiles with requests to each other become public', async () => {
    await Promise.all([setPrivate(ana, 1), setPrivate(bob, 1)])
    await Promise.all([follow(ana, bob), follow(bob, ana)])
    await Promise.all([setPrivate(ana, 0), setPrivate(bob, 0)])
    expect((await followsOf(ana, bob))[0]?.status).toBe('active')
    expect((await followsOf(bob, ana))[0]?.status).toBe('active')
  })
})
