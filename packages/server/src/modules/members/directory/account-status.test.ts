import type { Permission } from '@lyceum/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsWith, grant, makeSpace } from '#test/fixtures.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

/** Creates a manager record with exactly these permissions. */
const holderOf = async (permissions: readonly Permission[], role: 'manager' | 'moderator' = 'manager') => {
  const who = await world.member({ role })
  await grant(world, who, permissions)
  return who
}
const change = (who: Member, target: { id: number }, body: object) => who.api.members.update({ user_id: target.id, ...body })
const rowOf = ({ id }: { id: number }) =>
  world.app.services.database.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a suspended account is refused immediately everywhere, with a message', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const { data: feed } = await ana.api.feeds.create({ message: 'Stays' })
  for (const [status, code] of [
    ['suspended', 'account_suspended'],
    ['banned', 'account_banned'],
  ] as const) {
    await ana.api.profiles.get({ username: 'me' })
    const { message, member } = await change(admin, ana, { status })
    expect(message).not.toBe('')
    expect(member).toMatchObject({ user_id: ana.id, username: ana.username, status, role: 'member' })
    await refused(ana.api.profiles.get({ username: 'me' }), 403, code)
    await refused(ana.api.feeds.create({ message: 'Once more' }), 403, code)
    await refused(ben.api.profiles.get({ username: ana.username }), 404, 'user_not_found')
    expect((await ben.api.feeds.byId({ feed_id: feed.id })).data.xprofile.status).toBe(status)
    expect((await change(admin, ana, { status: 'active' })).member.status).toBe('active')
    await ana.api.profiles.get({ username: 'me' })
  }
  expect((await eventsWith(world, { user_id: ana.id })).filter((name) => name === 'user.status_changed')).toHaveLength(4)
})

test('`blocked` is an alias of banned; other words are invalid', async () => {
  const ana = await world.member()
  expect((await change(admin, ana, { status: 'blocked' })).member.status).toBe('banned')
  for (const status of ['pending', 'deleted', 1]) {
    expect((await admin.raw('PATCH', `/members/${ana.id}`, { status })).body.code).toBe('invalid_data')
  }
  for (const status of ['', null]) {
    expect((await admin.raw('PATCH', `/members/${ana.id}`, { status })).body.code).toBe('missing_required_field')
  }
  const error = await refused(change(admin, ana, {}), 400, 'missing_required_field')
  expect(error.data.field).toBe('status')
  await refused(change(admin, { id: 987654 }, { status: 'active' }), 404, 'user_not_found')
  expect((await admin.raw('PATCH', '/members/nonsense', { status: 'active' })).body.code).toBe('invalid_parameter')
})

test('sessions end permanently', async () => {
  const ana = await register(world)
  const browser = await signIn(world, ana.username)
  const status = async () => (await browser.raw('GET', '/profile/me')).status
  expect(await status()).toBe(200)
  await change(admin, ana, { status: 'suspended' })
  expect((await world.request('POST', '/auth/login', { login: ana.username, password: ana.password })).body.code).toBe('account_suspended')
  expect(await status()).toBe(401)
  await change(admin, ana, { status: 'active' })
  expect(await status()).toBe(401)
})

test('memberships stay', async () => {
  const ana = await world.member()
  const space = await makeSpace(world, { members: [ana] })
  await change(admin, ana, { status: 'banned' })
  expect((await admin.api.spaceMembers.list({ space_slug: space.slug })).data.map(({ user_id }) => user_id)).toEqual([ana.id])
})

test('permissions to change accounts', async () => {
  const space = await makeSpace(world, {})
  const banner = await holderOf(['ban_members', 'manage_comments'])
  const limited = await holderOf(['ban_members', 'moderate_spaces'])
  await grant(world, limited, ['ban_members', 'moderate_spaces'], [space])
  const [mod, manager] = [await world.member({ role: 'moderator' }), await holderOf(['manage_members'])]
  const spaceAdmin = await world.member()
  await makeSpace(world, { admins: [spaceAdmin] })
  const target = await world.member()
  for (const who of [target, spaceAdmin, mod, manager, limited]) {
    await refused(change(who, target, { status: 'suspended' }), 403, 'rest_forbidden')
    // Callers without permission learn nothing about which accounts exist.
    await refused(change(who, { id: 987654 }, { status: 'suspended' }), 403, 'rest_forbidden')
  }
  await refused(world.anonymous.members.update({ user_id: target.id, status: 'banned' }), 401, 'rest_forbidden')
  expect((await rowOf(target)).status).toBe('active')

  expect((await change(banner, target, { status: 'suspended' })).member.status).toBe('suspended')
  const lesser = await holderOf(['manage_comments'], 'moderator')
  await change(banner, lesser, { status: 'suspended' })
  const more = await holderOf(['manage_feeds'])
  for (const who of [more, admin, banner]) {
    await refused(change(banner, who, { status: 'suspended' }), 403, 'rest_forbidden')
    expect((await rowOf(who)).status).toBe('active')
  }
  await change(admin, more, { status: 'suspended' })
  // Restoring needs the same permission as suspending.
  await refused(change(banner, more, { status: 'active' }), 403, 'rest_forbidden')
})

test('the last administrator stays, and nobody changes themselves', async () => {
  await refused(change(admin, admin, { status: 'suspended' }), 409, 'last_admin')
  const second = await world.member({ role: 'admin' })
  await refused(change(admin, admin, { status: 'banned' }), 403, 'rest_forbidden')
  await change(admin, second, { status: 'suspended' })
  await refused(change(admin, admin, { status: 'suspended' }), 409, 'last_admin')
  expect((await change(admin, second, { status: 'active' })).member.role).toBe('admin')
  // Of two administrators banning each other concurrently, one stays.
  await Promise.allSettled([change(admin, second, { status: 'banned' }), change(second, admin, { status: 'banned' })])
  const standing = [await rowOf(admin), await rowOf(second)].filter(({ status }) => status === 'active')
  expect(standing).toHaveLength(1)
  await world.app.services.database.write((db) =>
    db.updateTable('users').set({ status: 'active' }).where('id', 'in', [admin.id, second.id]).execute(),
  )
  await change(admin, second, { status: 'banned' })
})

test('verification and badges require an administrator', async () => {
  const ana = await world.member()
  const banner = await holderOf(['ban_members', 'manage_members'])
  for (const body of [{ is_verified: true }, { badge_slugs: ['helper'] }, { status: 'active', is_verified: 1 }]) {
    await refused(change(banner, ana, body), 403, 'rest_forbidden')
    await refused(change(ana, ana, body), 403, 'rest_forbidden')
  }
  const { member } = await change(admin, ana, { is_verified: true, badge_slugs: ['helper', 'early_bird', 'helper'] })
  expect([member.is_verified, member.meta.badge_slug]).toEqual([1, ['helper', 'early_bird']])
  const { profile } = await ana.api.profiles.get({ username: 'me' })
  expect([profile.is_verified, profile.badge_slugs, profile.badges]).toEqual([1, ['helper', 'early_bird'], ['helper', 'early_bird']])
  expect((await change(admin, ana, { is_verified: 0 })).member.is_verified).toBe(0)
  expect((await change(admin, ana, { badge_slugs: [] })).member.meta.badge_slug).toEqual([])
  for (const badge_slugs of [['<b>'], ['Über'], ['x'.repeat(51)], 'helper', Array.from({ length: 21 }, (_, i) => `b${i}`)]) {
    expect((await admin.raw('PATCH', `/members/${ana.id}`, { badge_slugs })).body.code).toBe('invalid_data')
  }
  // Also for themselves: only the own status cannot be changed.
  expect((await change(admin, admin, { badge_slugs: ['founder'] })).member.meta.badge_slug).toEqual(['founder'])
  expect(await eventsWith(world, { user_id: ana.id })).not.toContain('user.status_changed')
})
