import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const ask = (fields: object) =>
  world.request('POST', '/auth/register', { username: 'somebody', email: 'some@example.org', password: PASSWORD, ...fields })
const users = async () => (await world.app.services.database.read.selectFrom('users').select('id').execute()).length

test('creates an active member without signing in', async () => {
  const answer = await ask({ username: 'Ana_B-1', email: 'Ana@Example.ORG', display_name: '  Ana \u202E B  ' })
  expect(answer.status).toBe(201)
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(answer.body).toEqual({
    message: expect.any(String),
    data: {
      id: expect.any(Number),
      username: 'ana_b-1',
      email: 'ana@example.org',
      display_name: 'Ana B',
      role: 'member',
      status: 'active',
      created_at: '2026-03-10 12:00:00',
    },
  })
  const { bare } = await signIn(world, 'ana_b-1')
  const { profile } = (await bare('GET', '/profile/me')).body
  expect(profile).toMatchObject({
    user_id: answer.body.data.id,
    role: 'member',
    status: 'active',
    email: 'ana@example.org',
    total_points: 0,
  })
})

test('ignores fields that members may not set', async () => {
  const answer = await ask({
    username: 'sneaky',
    email: 'sneaky@example.org',
    id: 1,
    role: 'admin',
    status: 'banned',
    is_verified: 1,
    total_points: 99,
  })
  const mod = await world.member({ role: 'moderator' })
  const { profile } = await mod.api.profiles.get({ username: 'sneaky' })
  expect(answer.body.data.id).not.toBe(1)
  expect(profile).toMatchObject({ role: 'member', status: 'active', is_verified: 0, total_points: 0 })
})

test('the display name defaults to the username', async () => {
  for (const [i, display_name] of [undefined, null, '', ' \u200B '].entries()) {
    const answer = await ask({
      username: `nameless${i}`,
      email: `nameless${i}@example.org`,
      ...(display_name !== undefined && { display_name }),
    })
    expect(answer.body.data.display_name).toBe(`nameless${i}`)
  }
})

test.each([
  ['ab', 'too short'],
  ['x'.repeat(31), 'too long'],
  ['no.dots', 'a dot'],
  ['white space', 'a space'],
  ['anä', 'a letter beyond a-z'],
  ['аna', 'a Cyrillic letter'],
  ['', 'nothing'],
  ['Admin', 'reserved'],
  ['ａｄｍｉｎ', 'reserved in wide letters'],
  ['follow-requests', 'reserved'],
  ['settings', 'reserved'],
])('the username %j is refused: %s', async (username) => {
  const before = await users()
  const error = await refused(
    world.anonymous.auth.register({ username, email: 'name@example.org', password: PASSWORD }),
    400,
    'invalid_username',
  )
  expect(error.data).toEqual({ status: 400, field: 'username' })
  expect(await users()).toBe(before)
})

test.each([
  '',
  'nobody',
  '@example.org',
  'a@',
  'a b@example.org',
  'a@b@c.org',
  'a@-x.org',
  'a@x..org',
  'a@example.org,b@example.org',
  `${'a'.repeat(250)}@x.org`,
])('the address %j is refused', async (email) => {
  const error = await refused(world.anonymous.auth.register({ username: 'mailer', email, password: PASSWORD }), 400, 'invalid_email')
  expect(error.data).toEqual({ status: 400, field: 'email' })
})

test.each(['', 'short', 'password123', '1234567890', 'qwertyuiop', 'mailer-mailer', 'x'.repeat(257)])(
  'the password %j is refused',
  async (password) => {
    const error = await refused(
      world.anonymous.auth.register({ username: 'mailer', email: 'm@example.org', password }),
      400,
      'weak_password',
    )
    expect(error.data).toEqual({ status: 400, field: 'password' })
    expect(error.message).toMatch(/\.$/)
  },
)

test('names missing and malformed fields', async () => {
  for (const field of ['username', 'email', 'password']) {
    const answer = await ask({ [field]: undefined })
    expect([answer.status, answer.body.code, answer.body.data.field]).toEqual([400, 'missing_required_field', field])
    const wrong = await ask({ [field]: { a: 1 } })
    expect([wrong.status, wrong.body.code, Object.keys(wrong.body.data.errors)]).toEqual([400, 'invalid_data', [field]])
  }
  const long = await ask({ display_name: 'x'.repeat(101) })
  expect([long.body.code, Object.keys(long.body.data.errors)]).toEqual(['invalid_data', ['display_name']])
})

test('usernames and addresses are unique in every spelling', async () => {
  const ana = await register(world)
  const wide = ana.username.replaceAll('p', 'Ｐ')
  for (const username of [ana.username, ana.username.toUpperCase(), wide]) {
    const error = await refused(
      world.anonymous.auth.register({ username, email: 'else@example.org', password: PASSWORD }),
      400,
      'username_taken',
    )
    expect(error.data.field).toBe('username')
  }
  for (const email of [ana.email, ana.email.toUpperCase()]) {
    const error = await refused(world.anonymous.auth.register({ username: 'else', email, password: PASSWORD }), 400, 'email_taken')
    expect(error.data.field).toBe('email')
  }
})

test('of twenty concurrent claims of one username, one wins', async () => {
  const tries = Array.from({ length: 20 }, (_, i) => ask({ username: 'wanted', email: `wanted${i}@example.org` }))
  const answers = await Promise.all(tries)
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(400)])
  expect(new Set(answers.filter((answer) => answer.status === 400).map((answer) => answer.body.code))).toEqual(new Set(['username_taken']))
})

test('of twenty concurrent claims of one address, one wins', async () => {
  const tries = Array.from({ length: 20 }, (_, i) => ask({ username: `shared${i}`, email: 'shared@example.org' }))
  const answers = await Promise.all(tries)
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(400)])
  expect(new Set(answers.filter((answer) => answer.status === 400).map((answer) => answer.body.code))).toEqual(new Set(['email_taken']))
})

test('a session cookie sent with the request needs no nonce', async () => {
  const { bare } = await signIn(world, (await register(world)).username)
  const answer = await bare('POST', '/auth/register', { username: 'guest-of-ana', email: 'guest@example.org', password: PASSWORD })
  expect(answer.status).toBe(201)
})

test('a retry with the same idempotency key gets the same response, although the name is taken by then', async () => {
  const body = { username: 'twice', email: 'twice@example.org' }
  const send = () => world.request('POST', '/auth/register', { ...body, password: PASSWORD }, { 'idempotency-key': 'register-1' })
  const [first, second] = [await send(), await send()]
  expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
})

test('is closed by the setting', async () => {
  await world.app.write(null, (ctx) => saveSettings(ctx, { allow_registration: false }))
  await refused(
    world.anonymous.auth.register({ username: 'late', email: 'late@example.org', password: PASSWORD }),
    403,
    'registration_closed',
  )
  expect((await world.anonymous.settings.public()).data.allow_registration).toBe(false)
  await world.app.write(null, (ctx) => saveSettings(ctx, { allow_registration: true }))
  await register(world)
})
