import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsWith, grant, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { leaveSomeSpaces } from './index.ts'

let world: World
let admin: Member
let boss: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  boss = await world.member()
  ana = await world.member({ displayName: 'Ana 100% Real' })
  ben = await world.member({ displayName: 'Ben_O' })
})
afterAll(() => world.close())

const countOf = async ({ id }: Space) => (await admin.api.spaces.byId({ space_id: id })).data.members_count
const placeOf = async ({ id }: Space, who: Member) => (await who.api.spaces.byId({ space_id: id })).data.space_pivot
const told = (space: Space, who: Member) => eventsWith(world, { space_id: space.id, user_id: who.id })

/** Asserts that the stored count matches the rows. */
const expectCount = async (space: Space, count: number) => {
  const rows = await world.app.services.database.read
    .selectFrom('space_members')
    .select('id')
    .where('space_id', '=', space.id)
    .where('status', '=', 'active')
    .execute()
  expect([await countOf(space), rows.length]).toEqual([count, count])
}

describe('joining', () => {
  test('a public space adds the member immediately, once', async () => {
    const space = await makeSpace(world, { admins: [boss] })
    const { status, body } = await ana.api.spaceMembers.join.answer({ space_slug: space.slug })
    expect(status).toBe(200)
    expect(body.data).toEqual({ status: 'active', space_id: space.id, user_id: ana.id, role: 'member', joined_at: '2026-03-10 12:00:00' })
    await refused(ana.api.spaceMembers.join({ space_slug: space.slug }), 400, 'already_member')
    await expectCount(space, 2)
    expect(await told(space, ana)).toEqual(['space.member_joined'])
  })

  test('a private space gets a request; repeating it changes nothing', async () => {
    const space = await makeSpace(world, { privacy: 'private', admins: [boss] })
    expect((await ana.api.spaceMembers.join({ space_slug: space.slug })).data).toEqual({ status: 'pending' })
    expect((await ana.api.spaceMembers.join({ space_slug: space.slug })).data).toEqual({ status: 'pending' })
    expect(await placeOf(space, ana)).toEqual({ role: 'member', status: 'pending' })
    await expectCount(space, 1)
    expect(await told(space, ana)).toEqual(['space.join_requested'])
    const requests = await boss.api.spaceMembers.list({ space_slug: space.slug, status: 'pending' })
    expect(requests.data.map(({ user_id, status }) => [user_id, status])).toEqual([[ana.id, 'pending']])
    expect(requests.pending_count).toBe(1)
  })

  test('repeating a request joins a space that has become public', async () => {
    const space = await makeSpace(world, { privacy: 'private', admins: [boss] })
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    await boss.api.spaces.updateById({ space_id: space.id, privacy: 'public' })
    expect((await ana.api.spaceMembers.join({ space_slug: space.slug })).data.status).toBe('active')
    await expectCount(space, 2)
  })

  test('staff join immediately as regular members', async () => {
    const space = await makeSpace(world, { privacy: 'secret' })
    expect((await admin.api.spaceMembers.join({ space_slug: space.slug })).data).toMatchObject({ status: 'active', role: 'member' })
  })

  test('fifty concurrent requests create one membership', async () => {
    const space = await makeSpace(world)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ana.raw('POST', `/spaces/${space.slug}/join`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'already_member')).toHaveLength(49)
    await expectCount(space, 1)
  })

  test('concurrent joins are all counted', async () => {
    const space = await makeSpace(world)
    const people = await Promise.all(Array.from({ length: 12 }, () => world.member()))
    await Promise.all(people.map((who) => who.api.spaceMembers.join({ space_slug: space.slug })))
    await expectCount(space, 12)
    await Promise.all(people.slice(0, 5).map((who) => who.api.spaceMembers.leave({ space_slug: space.slug })))
    await expectCount(space, 7)
  })
})

describe('leaving', () => {
  test('ends the membership, once', async () => {
    const space = await makeSpace(world, { members: [ana] })
    await ana.api.spaceMembers.leave({ space_slug: space.slug })
    await refused(ana.api.spaceMembers.leave({ space_slug: space.slug }), 400, 'not_member')
    await refused(ben.api.spaceMembers.leave({ space_slug: space.slug }), 400, 'not_member')
    await expectCount(space, 0)
    expect(await told(space, ana)).toEqual(['space.member_left'])
  })

  test('withdraws a request', async () => {
    const space = await makeSpace(world, { privacy: 'private' })
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    await ana.api.spaceMembers.leave({ space_slug: space.slug })
    expect(await placeOf(space, ana)).toBeNull()
    await expectCount(space, 0)
  })

  test('is allowed for the last admin', async () => {
    const space = await makeSpace(world, { admins: [boss] })
    await boss.api.spaceMembers.leave({ space_slug: space.slug })
    await expectCount(space, 0)
  })

  test('does not lift a ban', async () => {
    const space = await makeSpace(world, { admins: [boss], members: [ana] })
    await boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: ana.id })
    await refused(ana.api.spaceMembers.leave({ space_slug: space.slug }), 400, 'not_member')
    await refused(ana.api.spaceMembers.join({ space_slug: space.slug }), 403, 'rest_forbidden')
  })

  test('a deleted account leaves every space', async () => {
    const gone = await world.member()
    const [one, two, three] = [
      await makeSpace(world, { members: [gone, ana] }),
      await makeSpace(world, { admins: [gone] }),
      await makeSpace(world, { privacy: 'private' }),
    ]
    await gone.api.spaceMembers.join({ space_slug: three.slug })
    await world.app.write(null, (ctx) => leaveSomeSpaces(ctx, gone.id, 100))
    await expectCount(one, 1)
    await expectCount(two, 0)
    await expectCount(three, 0)
  })
})

describe('adding', () => {
  let space: Space
  beforeEach(async () => {
    space = await makeSpace(world, { privacy: 'private', admins: [boss] })
  })

  test('creates a membership, once', async () => {
    const { status, body } = await boss.api.spaceMembers.add.answer({ space_slug: space.slug, user_id: ana.id, role: 'moderator' })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      space_id: space.id,
      user_id: ana.id,
      role: 'moderator',
      status: 'active',
      joined_at: '2026-03-10 12:00:00',
    })
    await refused(boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id }), 400, 'already_member')
    await expectCount(space, 2)
    expect(await told(space, ana)).toEqual(['space.member_invited'])
  })

  test('approves a request', async () => {
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    await boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id })
    await expectCount(space, 2)
    expect(await told(space, ana)).toEqual(['space.join_requested', 'space.member_joined'])
  })

  test('can create a request for someone', async () => {
    const { data } = await boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id, status: 'pending' })
    expect(data.status).toBe('pending')
    await refused(boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id, status: 'pending' }), 400, 'already_member')
    await expectCount(space, 1)
  })

  test('needs an existing account that is not banned', async () => {
    await refused(boss.api.spaceMembers.add({ space_slug: space.slug, user_id: 900_000 }), 404, 'user_not_found')
    const away = await world.member()
    await world.app.services.database.write((db) =>
      db.updateTable('users').set({ status: 'suspended' }).where('id', '=', away.id).execute(),
    )
    await refused(boss.api.spaceMembers.add({ space_slug: space.slug, user_id: away.id }), 404, 'user_not_found')
    await boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id })
    await boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: ana.id })
    await refused(boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id }), 403, 'rest_forbidden')
    await refused(boss.api.spaceMembers.add({ space_slug: space.slug, user_id: ben.id, status: 'banned' as 'active' }), 400, 'invalid_data')
  })

  test('several members at once returns counts of the results', async () => {
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    const user_ids = [ana.id, ben.id, ben.id, boss.id, 900_000]
    expect(await boss.api.spaceMembers.bulkAdd({ space_slug: space.slug, user_ids })).toMatchObject({
      added: 2,
      skipped: 1,
      failed: 1,
      processed: 4,
      total: 4,
      has_more: false,
      next_offset: null,
    })
    await expectCount(space, 3)
    const many = Array.from({ length: 201 }, (_, i) => i + 1)
    await refused(boss.api.spaceMembers.bulkAdd({ space_slug: space.slug, user_ids: many }), 413, 'body_too_large')
  })
})

describe('updating a member', () => {
  test('grants and revokes roles', async () => {
    const space = await makeSpace(world, { admins: [boss], members: [ana] })
    world.clock.advance(30)
    const { data } = await boss.api.spaceMembers.update({ space_slug: space.slug, user_id: ana.id, role: 'moderator' })
    expect(data).toMatchObject({ user_id: ana.id, role: 'moderator', status: 'active' })
    expect(await placeOf(space, ana)).toEqual({ role: 'moderator', status: 'active' })
    await boss.api.spaceMembers.update({ space_slug: space.slug, user_id: ana.id, role: 'moderator' })
    expect(await told(space, ana)).toEqual(['space.member_updated'])
    await refused(boss.api.spaceMembers.update({ space_slug: space.slug, user_id: ben.id, role: 'admin' }), 404, 'member_not_found')
    const nothing = await refused(boss.api.spaceMembers.update({ space_slug: space.slug, user_id: ana.id }), 400, 'missing_required_field')
    expect(nothing.data).toMatchObject({ field: 'role' })
  })

  test('approves a request by its status', async () => {
    const space = await makeSpace(world, { privacy: 'private', admins: [boss] })
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    await boss.api.spaceMembers.update({ space_slug: space.slug, user_id: ana.id, status: 'active' })
    await expectCount(space, 2)
  })

  test('those who only manage members can neither appoint nor change admins', async () => {
    const space = await makeSpace(world, { admins: [boss], members: [ana] })
    const manager = await world.member({ role: 'manager' })
    await grant(world, manager, ['manage_space_members'], [space])
    const api = manager.api.spaceMembers
    const path = { space_slug: space.slug }
    await refused(api.add({ ...path, user_id: ben.id, role: 'admin' }), 403, 'rest_forbidden')
    await refused(api.bulkAdd({ ...path, user_ids: [ben.id], role: 'admin' }), 403, 'rest_forbidden')
    await refused(api.update({ ...path, user_id: ana.id, role: 'admin' }), 403, 'rest_forbidden')
    await refused(api.update({ ...path, user_id: boss.id, role: 'member' }), 403, 'rest_forbidden')
    await refused(api.update({ ...path, user_id: boss.id, status: 'banned' }), 403, 'rest_forbidden')
    await refused(api.ban({ ...path, user_id: boss.id }), 403, 'rest_forbidden')
    await refused(api.remove({ ...path, user_id: boss.id }), 403, 'rest_forbidden')
    await refused(api.removeByPath({ ...path, user_id: boss.id }), 403, 'rest_forbidden')
    // A moderator has more rights, so they cannot appoint one; they can manage existing ones.
    await refused(api.update({ ...path, user_id: ana.id, role: 'moderator' }), 403, 'rest_forbidden')
    await boss.api.spaceMembers.update({ ...path, user_id: ana.id, role: 'moderator' })
    await api.remove({ ...path, user_id: ana.id })
    await expectCount(space, 1)
  })
})

describe('removing', () => {
  test('ends a membership or a request, but not a ban', async () => {
    const space = await makeSpace(world, { privacy: 'private', admins: [boss], members: [ana] })
    await boss.api.spaceMembers.remove({ space_slug: space.slug, user_id: ana.id })
    await refused(boss.api.spaceMembers.remove({ space_slug: space.slug, user_id: ana.id }), 404, 'member_not_found')
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    await boss.api.spaceMembers.removeByPath({ space_slug: space.slug, user_id: ana.id })
    expect(await placeOf(space, ana)).toBeNull()
    await ana.api.spaceMembers.join({ space_slug: space.slug })
    await boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: ana.id })
    await refused(boss.api.spaceMembers.removeByPath({ space_slug: space.slug, user_id: ana.id }), 404, 'member_not_found')
    await expectCount(space, 1)
  })

  test('nobody can remove or ban themselves', async () => {
    const space = await makeSpace(world, { admins: [boss] })
    const me = { space_slug: space.slug, user_id: boss.id }
    await refused(boss.api.spaceMembers.remove(me), 400, 'cannot_remove_self')
    await refused(boss.api.spaceMembers.removeByPath(me), 400, 'cannot_remove_self')
    await refused(boss.api.spaceMembers.ban(me), 400, 'cannot_remove_self')
    await refused(admin.api.spaceMembers.remove({ space_slug: space.slug, user_id: admin.id }), 400, 'cannot_remove_self')
  })

  test('a ban removes role and visibility; lifting it gives a regular membership', async () => {
    const other = await world.member()
    const space = await makeSpace(world, { privacy: 'private', admins: [boss, other], members: [ana] })
    const banned = await boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: other.id })
    expect(banned.data).toEqual({ user_id: other.id, status: 'banned' })
    expect((await boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: other.id })).data.status).toBe('banned')
    await expectCount(space, 2)
    await refused(other.api.spaceMembers.list({ space_slug: space.slug }), 403, 'rest_forbidden')
    expect(await told(space, other)).toEqual(['space.member_left'])
    const bans = await boss.api.spaceMembers.list({ space_slug: space.slug, status: 'banned' })
    expect(bans.data.map(({ user_id }) => user_id)).toEqual([other.id])
    expect((await boss.api.spaceMembers.unban({ space_slug: space.slug, user_id: other.id })).data).toEqual({
      user_id: other.id,
      status: 'active',
    })
    expect(await placeOf(space, other)).toEqual({ role: 'member', status: 'active' })
    await expectCount(space, 3)
    await boss.api.spaceMembers.unban({ space_slug: space.slug, user_id: other.id })
    await refused(boss.api.spaceMembers.unban({ space_slug: space.slug, user_id: ben.id }), 404, 'member_not_found')
    await refused(boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: ben.id }), 404, 'member_not_found')
  })

  test('concurrent approval, removal and leaving keep the count correct', async () => {
    const space = await makeSpace(world, { privacy: 'private', admins: [boss] })
    const path = { space_slug: space.slug, user_id: ana.id }
    for (let round = 0; round < 4; round += 1) {
      await ana.api.spaceMembers.join({ space_slug: space.slug }).catch(() => {})
      await Promise.allSettled([
        boss.api.spaceMembers.add(path),
        boss.api.spaceMembers.update({ ...path, status: 'active' }),
        boss.api.spaceMembers.remove(path),
        admin.api.spaceMembers.removeByPath(path),
        ana.api.spaceMembers.leave({ space_slug: space.slug }),
        ana.api.spaceMembers.join({ space_slug: space.slug }),
      ])
      await expectCount(space, (await placeOf(space, ana))?.status === 'active' ? 2 : 1)
    }
  })
})

describe('the list of members', () => {
  test('is newest first, paginated, and can be filtered by role and name', async () => {
    const people = []
    const space = await makeSpace(world, { admins: [boss] })
    for (let i = 0; i < 5; i += 1) {
      const person = await world.member({ displayName: i % 2 ? `Odd_${i}` : `Even ${i}` })
      world.clock.advance(10)
      await person.api.spaceMembers.join({ space_slug: space.slug })
      people.push(person.id)
    }
    const path = { space_slug: space.slug }
    const ids = async (query: object) => (await ana.raw('GET', `/spaces/${space.slug}/members?${new URLSearchParams({ ...query })}`)).body
    await ana.api.spaceMembers.join(path)
    const first = await ana.api.spaceMembers.list({ ...path, per_page: 3 })
    expect(first.data.map(({ user_id }) => user_id)).toEqual([ana.id, people[4], people[3]])
    expect(first.meta).toEqual({ total: 7, per_page: 3, current_page: 1, total_pages: 3 })
    expect(first.data[1]).toMatchObject({ role: 'member', status: 'active', xprofile: { user_id: people[4], display_name: 'Even 4' } })
    expect(first.pending_count).toBeUndefined()
    const past = await ana.api.spaceMembers.list({ ...path, page: 9, per_page: 3 })
    expect([past.data, past.meta.total]).toEqual([[], 7])
    const oldest = await ana.api.spaceMembers.list({ ...path, order: 'asc' })
    expect(oldest.data.map(({ user_id }) => user_id)).toEqual([boss.id, ...people, ana.id])
    const named = async (search: string) => {
      const { data, meta } = await ana.api.spaceMembers.list({ ...path, search })
      expect(meta.total).toBe(data.length)
      return data.map(({ user_id }) => user_id)
    }
    expect(await named('eVeN')).toEqual([people[4], people[2], people[0]])
    expect(await named('d_')).toEqual([people[3], people[1]])
    expect(await named('%')).toEqual([ana.id])
    expect(await named("'\\")).toEqual([])
    expect((await ana.api.spaceMembers.list({ ...path, role: 'admin' })).data.map(({ user_id }) => user_id)).toEqual([boss.id])
    expect((await ana.api.spaceMembers.list({ ...path, role: 'member' })).meta.total).toBe(6)
    expect((await ids({ role: 'owner' })).code).toBe('invalid_parameter')
    expect((await ids({ per_page: 500 })).meta.per_page).toBe(100)
  })

  test('says whom the caller follows', async () => {
    const space = await makeSpace(world, { admins: [boss] })
    for (const who of [ana, ben]) await who.api.spaceMembers.join({ space_slug: space.slug })
    await ana.api.followers.follow({ username: ben.username })
    const { current_user_follows } = await ana.api.spaceMembers.list({ space_slug: space.slug })
    expect(current_user_follows).toEqual({ [ben.id]: 1 })
    expect((await ben.api.spaceMembers.list({ space_slug: space.slug })).current_user_follows).toEqual({})
  })
})

describe('searching for users', () => {
  const find = async (who: Member, q: string, space_id?: number) =>
    (await who.api.spaceMembers.searchUsers({ q, space_id })).data.map(({ id, email }) => [id, email])

  test('excludes members of the space and those banned from it', async () => {
    const asking = await world.member({ username: 'zoe-asks' })
    const [member, banned, other] = [
      await world.member({ username: 'zoe-in' }),
      await world.member({ username: 'zoe-out' }),
      await world.member({ username: 'zoe-new' }),
    ]
    const space = await makeSpace(world, { privacy: 'private', admins: [boss], members: [member, banned] })
    await asking.api.spaceMembers.join({ space_slug: space.slug })
    await boss.api.spaceMembers.ban({ space_slug: space.slug, user_id: banned.id })
    expect(await find(boss, 'ZOE-', space.id)).toEqual([
      [asking.id, ''],
      [other.id, ''],
    ])
    expect((await boss.api.spaceMembers.searchUsers({ q: 'zoe-', space_id: space.id, per_page: 1, page: 2 })).data).toHaveLength(1)
  })

  test('finds by name; by email only for administrators', async () => {
    const space = await makeSpace(world, { admins: [boss] })
    expect(await find(boss, '100% r', space.id)).toEqual([[ana.id, '']])
    expect(await find(boss, ana.email, space.id)).toEqual([])
    expect(await find(admin, ana.email, space.id)).toEqual([[ana.id, ana.email]])
    await refused(boss.api.spaceMembers.searchUsers({ q: '', space_id: space.id }), 400, 'invalid_parameter')
    expect((await boss.raw('GET', `/spaces/users/search?space_id=${space.id}`)).body).toMatchObject({
      code: 'invalid_parameter',
      data: { field: 'q' },
    })
  })

  test('without a space requires the right to manage the members of all spaces', async () => {
    const space = await makeSpace(world, { admins: [boss] })
    await refused(find(boss, 'a'), 403, 'rest_forbidden')
    const [everywhere, here] = [await world.member({ role: 'manager' }), await world.member({ role: 'manager' })]
    await grant(world, here, ['manage_space_members'], [space])
    await refused(find(here, 'a'), 403, 'rest_forbidden')
    expect(await find(everywhere, 'ben_o')).toEqual([[ben.id, '']])
    expect(await find(admin, 'ben_o')).toEqual([[ben.id, ben.email]])
  })
})

test('the pages of a large space contain every member once, from either end', async () => {
  const space = await makeSpace(world, { admins: [boss] })
  const size = 1100
  await world.app.write(null, async ({ db, now }) => {
    const people = Array.from({ length: size }, (_, i) => ({
      username: `many${i}`,
      email: `many${i}@example.org`,
      display_name: `Many ${i}`,
      created_at: now,
      updated_at: now,
    }))
    const ids: number[] = []
    for (let at = 0; at < size; at += 100) {
      const some = people.slice(at, at + 100)
      ids.push(...(await db.insertInto('users').values(some).returning('id').execute()).map(({ id }) => id))
    }
    const members = ids.map((user_id) => ({
      space_id: space.id,
      user_id,
      role: 'member' as const,
      status: 'active' as const,
      joined_at: now,
      updated_at: now,
    }))
    for (let at = 0; at < size; at += 100)
      await db
        .insertInto('space_members')
        .values(members.slice(at, at + 100))
        .execute()
    await db
      .updateTable('spaces')
      .set({ members_count: size + 1 })
      .where('id', '=', space.id)
      .execute()
  })
  for (const order of ['asc', 'desc'] as const) {
    const seen: number[] = []
    for (let page = 1; page <= 12; page++) {
      const { data, meta } = await boss.api.spaceMembers.list({ space_slug: space.slug, order, page, per_page: 100 })
      expect(meta.total).toBe(size + 1)
      seen.push(...data.map(({ user_id }) => user_id))
    }
    expect([seen.length, new Set(seen).size]).toEqual([size + 1, size + 1])
  }
})
