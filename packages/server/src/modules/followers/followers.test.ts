import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'
import { acceptAllPending, eraseSomeFollows } from './index.ts'

let world: World
let ana: Member
let bob: Member

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  ana = await world.member()
  bob = await world.member()
})

const set = (who: Member, values: { is_private?: 0 | 1; status?: 'active' | 'suspended' | 'banned' }) =>
  world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set(values).where('id', '=', who.id).execute()
  })
const privately = async () => {
  const who = await world.member()
  await set(who, { is_private: 1 })
  return who
}
const follow = (who: Member, whom: Member) => who.api.followers.follow({ username: whom.username })
const unfollow = (who: Member, whom: Member) => who.api.followers.unfollow({ username: whom.username })
const statusOf = async (who: Member, whom: Member) => (await who.api.followers.status({ username: whom.username })).data
const counts = async (who: Member) => {
  const { profile } = await who.api.profiles.get({ username: 'me' })
  return [profile.followers_count, profile.followings_count]
}
const requestsTo = async (who: Member) => (await who.api.followers.requests()).data
const followersOf = async (reader: Member, whom: Member, query: { status?: 'active' | 'pending' } = {}) => {
  const { followers } = await reader.api.followers.followers({ username: whom.username, ...query })
  expect(followers.data.length).toBe(followers.total)
  return followers.data.map((row) => row.follower_id)
}
const followingsOf = async (reader: Member, whom: Member, query: { status?: 'active' | 'pending' } = {}) => {
  const { followings } = await reader.api.followers.followings({ username: whom.username, ...query })
  expect(followings.data.length).toBe(followings.total)
  return followings.data.map((row) => row.following_id)
}
const NONE = { is_following: false, status: '', is_followed_by: false }

it('lists say whom the caller follows', async () => {
  const cleo = await privately()
  for (const whom of [bob, cleo]) await follow(ana, whom)
  await follow(bob, ana)
  const username = ana.username
  expect((await ana.api.followers.followings({ username })).current_user_follows).toEqual({ [bob.id]: 1 })
  expect((await bob.api.followers.followings({ username })).current_user_follows).toEqual({})
  expect((await ana.api.followers.followers({ username })).current_user_follows).toEqual({ [bob.id]: 1 })
  expect((await ana.api.followers.followings({ username, status: 'pending' })).current_user_follows).toEqual({})
})

describe('a public profile', () => {
  it('is followed immediately', async () => {
    const { status, body } = await ana.api.followers.follow.answer({ username: bob.username })
    expect(status).toBe(201)
    expect(body).toEqual({
      message: expect.any(String),
      data: { id: expect.any(Number), follower_id: ana.id, following_id: bob.id, status: 'active', created_at: '2026-03-10 12:00:00' },
    })
    expect(await counts(ana)).toEqual([0, 1])
    expect(await counts(bob)).toEqual([1, 0])
    expect(await eventsWith(world, { follower_id: ana.id, following_id: bob.id, follow_id: body.data.id as number })).toEqual([
      'follow.started',
    ])
    await expectSound(world)
  })

  it('can be followed once', async () => {
    await follow(ana, bob)
    await refused(follow(ana, bob), 400, 'already_following')
    expect(await counts(bob)).toEqual([1, 0])
  })

  it('can be unfollowed, and followed again', async () => {
    await follow(ana, bob)
    expect(await unfollow(ana, bob)).toEqual({ message: expect.any(String) })
    expect(await counts(ana)).toEqual([0, 0])
    expect(await counts(bob)).toEqual([0, 0])
    expect(await eventsWith(world, { follower_id: ana.id, following_id: bob.id })).toEqual(['follow.started', 'follow.ended'])
    await refused(unfollow(ana, bob), 400, 'not_following')
    expect((await follow(ana, bob)).data.status).toBe('active')
  })

  it('can remove a follower', async () => {
    await follow(ana, bob)
    await follow(bob, ana)
    expect(await bob.api.followers.removeFollower({ username: ana.username })).toEqual({ message: expect.any(String) })
    expect(await statusOf(ana, bob)).toEqual({ ...NONE, is_followed_by: true })
    expect([await counts(ana), await counts(bob)]).toEqual([
      [1, 0],
      [0, 1],
    ])
    await refused(bob.api.followers.removeFollower({ username: ana.username }), 400, 'not_following')
    await refused(bob.api.followers.removeFollower({ username: 'me' }), 400, 'not_following')
  })

  it('is found by its username in any case', async () => {
    expect((await ana.api.followers.follow({ username: bob.username.toUpperCase() })).data.following_id).toBe(bob.id)
    for (const name of ['nobody-here', 'follow-requests']) {
      await refused(ana.api.followers.follow({ username: name }), 404, 'user_not_found')
      await refused(ana.api.followers.unfollow({ username: name }), 404, 'user_not_found')
      await refused(ana.api.followers.removeFollower({ username: name }), 404, 'user_not_found')
      await refused(ana.api.followers.followers({ username: name }), 404, 'user_not_found')
      await refused(ana.api.followers.followings({ username: name }), 404, 'user_not_found')
      await refused(ana.api.followers.status({ username: name }), 404, 'user_not_found')
    }
  })

  it('cannot be the own one', async () => {
    await refused(follow(ana, ana), 400, 'cannot_follow_self')
    await refused(ana.api.followers.follow({ username: 'me' }), 400, 'cannot_follow_self')
    await refused(unfollow(ana, ana), 400, 'not_following')
    expect(await statusOf(ana, ana)).toEqual(NONE)
  })

  it('requires authentication', async () => {
    await refused(world.anonymous.followers.follow({ username: bob.username }), 401, 'rest_forbidden')
    await refused(world.anonymous.followers.followers({ username: bob.username }), 401, 'rest_forbidden')
  })
})

describe('follow-status', () => {
  it('returns the start, and the other direction', async () => {
    expect(await statusOf(ana, bob)).toEqual(NONE)
    await follow(ana, bob)
    expect(await statusOf(ana, bob)).toEqual({
      is_following: true,
      status: 'active',
      followed_at: '2026-03-10 12:00:00',
      is_followed_by: false,
    })
    expect(await statusOf(bob, ana)).toEqual({ ...NONE, is_followed_by: true })
  })
})

describe('a private profile', () => {
  let cleo: Member
  beforeEach(async () => {
    cleo = await privately()
  })

  it('gets a request, and the response reveals no more', async () => {
    const { status, body } = await ana.api.followers.follow.answer({ username: cleo.username })
    expect(status).toBe(200)
    expect(body).toEqual({ message: expect.any(String), data: { status: 'pending' } })
    expect(await statusOf(ana, cleo)).toEqual({ ...NONE, status: 'pending' })
    expect(await statusOf(cleo, ana)).toEqual(NONE)
    expect([await counts(ana), await counts(cleo)]).toEqual([
      [0, 0],
      [0, 0],
    ])
    await refused(follow(ana, cleo), 400, 'already_following')
    const [request, ...others] = await requestsTo(cleo)
    expect(others).toEqual([])
    expect(request).toEqual({
      id: expect.any(Number),
      follower_id: ana.id,
      status: 'pending',
      created_at: '2026-03-10 12:00:00',
      follower: { id: ana.id, username: ana.username, display_name: expect.any(String), avatar: '' },
    })
    expect(await eventsWith(world, { follow_id: request?.id as number })).toEqual(['follow.requested'])
  })

  it('can approve', async () => {
    await follow(ana, cleo)
    const [request] = await requestsTo(cleo)
    const request_id = request?.id as number
    world.clock.advance(60)
    expect(await cleo.api.followers.approve({ request_id })).toEqual({
      message: expect.any(String),
      data: { id: request_id, status: 'active' },
    })
    expect((await statusOf(ana, cleo)).followed_at).toBe('2026-03-10 12:01:00')
    expect([await counts(ana), await counts(cleo)]).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect(await eventsWith(world, { follow_id: request_id })).toEqual(['follow.requested', 'follow.started'])
    await refused(cleo.api.followers.approve({ request_id }), 404, 'request_not_found')
    await refused(cleo.api.followers.reject({ request_id }), 404, 'request_not_found')
    await expectSound(world)
  })

  it('can reject, after which the request may be sent again', async () => {
    await follow(ana, cleo)
    const [request] = await requestsTo(cleo)
    expect(await cleo.api.followers.reject({ request_id: request?.id as number })).toEqual({ message: expect.any(String) })
    expect(await requestsTo(cleo)).toEqual([])
    expect(await statusOf(ana, cleo)).toEqual(NONE)
    await refused(unfollow(ana, cleo), 400, 'not_following')
    expect((await follow(ana, cleo)).data.status).toBe('pending')
    expect(await counts(cleo)).toEqual([0, 0])
  })

  it('can be withdrawn by unfollow and rejected by removal', async () => {
    await follow(ana, cleo)
    await unfollow(ana, cleo)
    expect(await requestsTo(cleo)).toEqual([])
    await follow(ana, cleo)
    await cleo.api.followers.removeFollower({ username: ana.username })
    expect(await requestsTo(cleo)).toEqual([])
    expect(await counts(cleo)).toEqual([0, 0])
    await expectSound(world)
  })

  it('can decide only on its own requests; others count as missing', async () => {
    await follow(ana, cleo)
    const [request] = await requestsTo(cleo)
    const admin = await world.member({ role: 'admin' })
    for (const who of [ana, bob, admin]) {
      expect(await requestsTo(who)).toEqual([])
      for (const verb of ['approve', 'reject'] as const) {
        const answer = await who.raw('POST', `/profile/follow-requests/${request?.id}/${verb}`)
        const missing = await who.raw('POST', `/profile/follow-requests/987654321/${verb}`)
        expect([answer.status, answer.text]).toEqual([missing.status, missing.text])
        expect(answer.body.code).toBe('request_not_found')
      }
    }
    expect(await requestsTo(cleo)).toHaveLength(1)
  })

  it('paginates its requests on demand', async () => {
    for (let i = 0; i < 3; i++) await follow(await world.member(), cleo)
    const ids = (await requestsTo(cleo)).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    const { data, meta } = await cleo.api.followers.requests({ page: 2, per_page: 2 })
    expect(data.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(meta).toEqual({ total: 3, per_page: 2, current_page: 2, total_pages: 2 })
  })

  it('accepts all pending requests when it becomes public', async () => {
    const waiting = await Promise.all(Array.from({ length: 5 }, () => world.member()))
    for (const who of waiting) await follow(who, cleo)
    await world.app.write(cleo.id, async (ctx) => {
      await acceptAllPending(ctx, cleo.id)
      await ctx.db.updateTable('users').set({ is_private: 0 }).where('id', '=', cleo.id).execute()
    })
    expect(await requestsTo(cleo)).toEqual([])
    expect((await followersOf(cleo, cleo)).sort()).toEqual(waiting.map(({ id }) => id).sort())
    expect(await counts(cleo)).toEqual([5, 0])
    for (const who of waiting) {
      expect(await counts(who)).toEqual([0, 1])
      expect(await eventsWith(world, { follower_id: who.id, following_id: cleo.id })).toEqual(['follow.requested', 'follow.started'])
    }
    await expectSound(world)
  })

  it('accepts hundreds in batches, and stops if it becomes private again', async () => {
    const ids = await world.app.write(null, async ({ db, now }) => {
      const rows = Array.from({ length: 250 }, (_, i) => ({
        username: `waits-${cleo.id}-${i}`,
        email: `waits-${cleo.id}-${i}@example.org`,
        display_name: 'Waits',
        created_at: now,
        updated_at: now,
      }))
      const made = await db.insertInto('users').values(rows).returning('id').execute()
      for (const { id } of made) {
        const follow = { follower_id: id, following_id: cleo.id, status: 'pending', created_at: now, updated_at: now } as const
        await db.insertInto('followers').values(follow).execute()
      }
      return made.map(({ id }) => id)
    })
    const flip = (is_private: 0 | 1) =>
      world.app.write(cleo.id, async (ctx) => {
        if (!is_private) await acceptAllPending(ctx, cleo.id)
        await ctx.db.updateTable('users').set({ is_private }).where('id', '=', cleo.id).execute()
      })
    await flip(0)
    expect(await counts(cleo)).toEqual([100, 0])
    await flip(1)
    await world.runPendingJobs()
    expect(await counts(cleo)).toEqual([100, 0])
    await flip(0)
    await world.runPendingJobs()
    expect(await counts(cleo)).toEqual([ids.length, 0])
    await expectSound(world)
  })
})

describe('lists', () => {
  it('show the other side, newest first, paginated', async () => {
    const fans = [await world.member(), await world.member(), await world.member()]
    for (const fan of fans) await follow(fan, bob)
    await follow(bob, ana)
    const { followers } = await ana.api.followers.followers({ username: bob.username, per_page: 2 })
    expect(followers).toMatchObject({ total: 3, per_page: 2, current_page: 1, last_page: 2, from: 1, to: 2 })
    expect(followers.next_page_url).toContain('?per_page=2&status=active&page=2')
    expect(followers.data.map((row) => row.follower_id)).toEqual([fans[2]?.id, fans[1]?.id])
    const [first] = followers.data
    expect(first).toMatchObject({ following_id: bob.id, status: 'active', created_at: expect.any(String) })
    expect(first?.xprofile).toMatchObject({ user_id: fans[2]?.id, username: fans[2]?.username, meta: { badge_slug: [] } })
    expect(first?.follower).toEqual({ id: fans[2]?.id, username: fans[2]?.username, display_name: expect.any(String), avatar: '' })
    expect(first).not.toHaveProperty('following')

    const { followings } = await ana.api.followers.followings({ username: bob.username })
    expect(followings.data).toHaveLength(1)
    expect(followings.data[0]).toMatchObject({ follower_id: bob.id, following_id: ana.id, xprofile: { user_id: ana.id } })
    expect(followings.data[0]?.following?.username).toBe(ana.username)
    expect((await ana.api.followers.followers({ username: bob.username, page: 9 })).followers).toMatchObject({ data: [], total: 3 })
  })

  it('show requests only to their recipient or sender', async () => {
    const cleo = await privately()
    await follow(ana, cleo)
    expect(await followersOf(cleo, cleo)).toEqual([])
    expect(await followersOf(cleo, cleo, { status: 'pending' })).toEqual([ana.id])
    expect(await followingsOf(ana, ana, { status: 'pending' })).toEqual([cleo.id])
    const admin = await world.member({ role: 'admin' })
    for (const who of [bob, ana, admin]) expect(await followersOf(who, cleo, { status: 'pending' })).toEqual([])
    for (const who of [bob, cleo, admin]) expect(await followingsOf(who, ana, { status: 'pending' })).toEqual([])
    await refused(bob.api.followers.followers({ username: cleo.username, status: 'gone' as 'active' }), 400, 'invalid_parameter')
  })

  it('of a private profile are visible to its owner, followers and moderators', async () => {
    const cleo = await world.member()
    await follow(ana, cleo)
    await follow(cleo, bob)
    await set(cleo, { is_private: 1 })
    const admin = await world.member({ role: 'admin' })
    const moderator = await world.member({ role: 'moderator' })
    for (const who of [cleo, ana, admin, moderator]) {
      expect(await followersOf(who, cleo)).toEqual([ana.id])
      expect(await followingsOf(who, cleo)).toEqual([bob.id])
    }
    const asking = await world.member()
    await follow(asking, cleo)
    for (const who of [bob, asking]) {
      await refused(who.api.followers.followers({ username: cleo.username }), 403, 'rest_forbidden')
      await refused(who.api.followers.followings({ username: cleo.username }), 403, 'rest_forbidden')
    }
  })

  it('exclude suspended and banned accounts, except for moderators', async () => {
    const [gone, cleo] = [await world.member(), await privately()]
    await follow(gone, bob)
    await follow(ana, bob)
    await follow(gone, cleo)
    await follow(ana, cleo)
    const requests = await requestsTo(cleo)
    await set(gone, { status: 'suspended' })
    const admin = await world.member({ role: 'admin' })
    const countedBy = async (reader: Member) => (await reader.api.profiles.get({ username: bob.username })).profile.followers_count
    expect([await countedBy(ana), await countedBy(bob), await countedBy(admin)]).toEqual([1, 1, 2])
    expect(await followersOf(ana, bob)).toEqual([ana.id])
    expect(await followersOf(admin, bob)).toEqual([ana.id, gone.id])
    expect((await requestsTo(cleo)).map((row) => row.follower_id)).toEqual([ana.id])
    expect(await followersOf(cleo, cleo, { status: 'pending' })).toEqual([ana.id])
    const hidden = requests.find((row) => row.follower_id === gone.id)?.id as number
    await refused(cleo.api.followers.approve({ request_id: hidden }), 404, 'request_not_found')
    await refused(ana.api.followers.followers({ username: gone.username }), 404, 'user_not_found')
    await refused(follow(ana, gone), 404, 'user_not_found')
    await set(gone, { status: 'active' })
    expect(await followersOf(ana, bob)).toEqual([ana.id, gone.id])
    expect(await countedBy(ana)).toBe(2)
    await cleo.api.followers.approve({ request_id: hidden })
    await expectSound(world)
  })
})

it('a deleted account is subtracted from the counts of others', async () => {
  const cleo = await privately()
  for (const [who, whom] of [
    [ana, bob],
    [bob, ana],
    [ana, cleo],
  ] as const)
    await follow(who, whom)
  await world.app.write(null, async (ctx) => {
    await eraseSomeFollows(ctx, ana.id, 100)
    await ctx.db.deleteFrom('users').where('id', '=', ana.id).execute()
  })
  expect([await counts(bob), await requestsTo(cleo)]).toEqual([[0, 0], []])
  await expectSound(world)
})

it('while the feature is disabled its endpoints are missing', async () => {
  const other = await createWorld()
  try {
    const [one, two] = [await other.member(), await other.member()]
    const turn = (followers: boolean) => other.app.write(null, (ctx) => saveSettings(ctx, { features: { followers } }))
    await one.api.followers.follow({ username: two.username })
    await turn(false)
    const { username } = two
    for (const call of [
      () => one.api.followers.follow({ username }),
      () => one.api.followers.unfollow({ username }),
      () => one.api.followers.removeFollower({ username }),
      () => one.api.followers.followers({ username }),
      () => one.api.followers.followings({ username }),
      () => one.api.followers.status({ username }),
      () => one.api.followers.requests(),
      () => one.api.followers.approve({ request_id: 1 }),
      () => one.api.followers.reject({ request_id: 1 }),
    ]) {
      await refused(call(), 403, 'pro_feature_required')
    }
    await turn(true)
    expect((await one.api.followers.status({ username })).data.is_following).toBe(true)
  } finally {
    await other.close()
  }
})
