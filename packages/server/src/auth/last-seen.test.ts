import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsWith } from '#test/fixtures.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ start: '2026-03-10T23:30:00Z' })
})
afterAll(() => world.close())

const activeDays = async (user_id: number) => (await eventsWith(world, { user_id })).filter((name) => name === 'user.active').length

test('the first request of a day emits one event, and the last use of the credential is recorded', async () => {
  const ana = await world.member()
  const visit = async (after: number) => {
    world.clock.advance(after)
    await ana.raw('GET', '/profile/me')
    await world.app.presence.flush()
    const { data } = await ana.api.account.applicationPasswords()
    return [data[0]?.last_used_at, await activeDays(ana.id)]
  }
  expect(await visit(0)).toEqual(['2026-03-10 23:30:00', 1])
  expect(await visit(59)).toEqual(['2026-03-10 23:30:00', 1])
  expect(await visit(1)).toEqual(['2026-03-10 23:31:00', 1])
  expect(await visit(29 * 60)).toEqual(['2026-03-11 00:00:00', 2])
})

test('many concurrent requests, each with its own credential', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => world.member()))
  await Promise.all(people.map((person) => person.raw('GET', '/profile/me')))
  await world.app.presence.flush()
  for (const person of people) expect(await activeDays(person.id)).toBe(1)
})

test('a rejected request does not count as activity', async () => {
  const ana = await register(world)
  const { bare } = await signIn(world, ana.username)
  await bare('POST', '/auth/logout')
  await world.request('GET', '/profile/me', undefined, { authorization: `Basic ${btoa(`${ana.username}:wrong`)}` })
  await world.app.presence.flush()
  expect(await activeDays(ana.id)).toBe(0)
})

test('pending uses are recorded before the server stops', async () => {
  const short = await createWorld()
  const ana = await short.member()
  await ana.raw('GET', '/profile/me')
  await short.app.presence.stop()
  const { last_activity } = await short.app.services.database.read
    .selectFrom('users')
    .select('last_activity')
    .where('id', '=', ana.id)
    .executeTakeFirstOrThrow()
  expect(last_activity).toBe('2026-03-10 12:00:00')
  await short.close()
})
