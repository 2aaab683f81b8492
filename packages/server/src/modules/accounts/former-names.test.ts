import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '../../../test/session.ts'
import { createWorld, refused, type World } from '../../../test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const YEAR_S = 366 * 24 * 3600
/** Registers as somebody else would, by an address that is not in use. */
const claim = (username: string) => world.anonymous.auth.register({ username, email: `${username}-2@example.org`, password: PASSWORD })

test('a username that was given up leads to its owner, and is nobody else’s for a year', async () => {
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

test('the username of a deleted account leads nowhere, and is nobody’s for a year', async () => {
  const dan = await world.member({ username: 'dan' })
  await register(world, { username: 'cara' })
  const { raw } = await signIn(world, 'cara')
  expect((await raw('DELETE', '/account', { current_password: PASSWORD })).status).toBe(200)
  await world.settle()
  await refused(dan.api.profiles.get({ username: 'cara' }), 404, 'user_not_found')
  await refused(claim('cara'), 400, 'username_taken')
  world.clock.advance(YEAR_S)
  expect((await claim('cara')).data.username).toBe('cara')
})
