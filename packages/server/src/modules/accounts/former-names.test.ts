import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const YEAR_S = 366 * 24 * 3600
/** Registers the name from an address that is not in use. */
const claim = (username: string) => world.anonymous.auth.register({ username, email: `${username}-2@example.org`, password: PASSWORD })

test('a former username redirects to its owner and is reserved for a year', async () => {
  const [ben, admin] = [await world.member({ username: 'ben' }), await world.member({ role: 'admin' })]
  await admin.raw('POST', '/settings/privacy-settings', { can_customize_username: true })
  const ana = await register(world, { username: 'ana-old' })
  const { raw } = await signIn(world, ana.email)
  const rename = (username: string) => raw('POST', '/account/username', { username, current_password: PASSWORD })
  expect((await rename('ana-new')).status).toBe(200)
  expect((await ben.api.profiles.get({ username: 'ana-old' })).profile).toMatchObject({ user_id: ana.id, username: 'ana-new' })
  await refused(claim('ana-old'), 400, 'username_taken')
  expect((await rename('ana-old')).status).toBe(200)
  expect((await ben.api.profiles.get({ username: 'ana-new' })).profile.username).toBe('ana-old')
  await refused(claim('ana-new'), 400, 'username_taken')
  world.clock.advance(YEAR_S)
  expect((await claim('ana-new')).data.username).toBe('ana-new')
})

test('the username of a deleted account redirects nowhere and is reserved for a year', async () => {
  const dan = await world.member({ username: 'dan' })
  await register(world, { username: 'cara' })
  const { raw } = await signIn(world, 'cara')
  expect((await raw('DELETE', '/account', { current_password: PASSWORD })).status).toBe(200)
  await world.runPendingJobs()
  await refused(dan.api.profiles.get({ username: 'cara' }), 404, 'user_not_found')
  await refused(claim('cara'), 400, 'username_taken')
  world.clock.advance(YEAR_S)
  expect((await claim('cara')).data.username).toBe('cara')
})

const DAY_S = 24 * 3600
const remove = async (username: string) => {
  const { raw } = await signIn(world, username)
  expect((await raw('DELETE', '/account', { current_password: PASSWORD })).status).toBe(200)
}
const stored = () => world.app.services.database.read.selectFrom('former_usernames').selectAll().execute()

test('the setting is the number of reserved days; 0 disables reservations', async () => {
  const admin = await world.member({ role: 'admin' })
  const reserveFor = (username_reservation_days: number) => admin.raw('PUT', '/settings', { limits: { username_reservation_days } })
  for (const days of [-1, 3651, 1.5]) expect((await reserveFor(days)).status).toBe(400)
  for (const [username, days] of [
    ['eva', 10],
    ['fay', 0],
  ] as const) {
    await register(world, { username })
    expect((await reserveFor(days)).status).toBe(200)
    await remove(username)
  }
  expect((await claim('fay')).data.username).toBe('fay')
  world.clock.advance(9 * DAY_S)
  await refused(claim('eva'), 400, 'username_taken')
  world.clock.advance(2 * DAY_S)
  expect((await claim('eva')).data.username).toBe('eva')
  await reserveFor(365)
})

test('stored hashes are keyed and deleted when the reservation expires', async () => {
  await register(world, { username: 'gil' })
  await remove('gil')
  const hashes = (await stored()).map(({ username_hash }) => username_hash)
  expect(hashes.length).toBeGreaterThan(0)
  for (const encoding of ['hex', 'base64url'] as const) expect(hashes).not.toContain(createHash('sha256').update('gil').digest(encoding))
  await refused(claim('gil'), 400, 'username_taken')
  world.clock.advance(YEAR_S)
  await world.app.maintenance.run()
  expect(await stored()).toEqual([])
})
