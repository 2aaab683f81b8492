import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'
import { setRole } from './index.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const roleOf = async (username: string, asker: { api: World['anonymous'] }) => (await asker.api.profiles.get({ username })).profile.role

test('the last administrator cannot lose the role', async () => {
  const [ana, ben] = [await world.member({ role: 'admin' }), await world.member({ role: 'admin' })]
  await world.app.write(null, (ctx) => setRole(ctx, ben.id, 'member', null))
  for (const role of ['member', 'moderator', 'manager'] as const) {
    await expect(world.app.write(null, (ctx) => setRole(ctx, ana.id, role, null))).rejects.toMatchObject({
      code: 'last_admin',
      status: 409,
    })
  }
  expect([await roleOf(ana.username, ana), await roleOf(ben.username, ana)]).toEqual(['admin', 'member'])
})

test('of two administrators leaving concurrently, one must stay', async () => {
  const people = [await world.member({ role: 'admin' }), await world.member({ role: 'admin' })]
  const results = await Promise.allSettled(people.map((person) => world.app.write(null, (ctx) => setRole(ctx, person.id, 'member', null))))
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'last_admin' })
})

test('a suspended administrator does not count', async () => {
  const [ana, ben] = [await world.member({ role: 'admin' }), await world.member({ role: 'admin' })]
  await world.app.services.database.write((db) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', ben.id).execute())
  await expect(world.app.write(null, (ctx) => setRole(ctx, ana.id, 'member', null))).rejects.toMatchObject({ code: 'last_admin' })
})

test('members and moderators can be created and demoted before the setup', async () => {
  const ana = await world.member({ role: 'moderator' })
  await world.app.write(null, (ctx) => setRole(ctx, ana.id, 'member', null))
  expect(await roleOf('me', ana)).toBe('member')
})

test('a manager is shown as a moderator', async () => {
  const ana = await world.member({ role: 'manager' })
  const { user } = await ana.api.auth.session()
  expect([user?.role, user?.permissions.includes('view_analytics')]).toEqual(['moderator', true])
})
