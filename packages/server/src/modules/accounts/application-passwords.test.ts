import { afterAll, beforeAll, expect, test } from 'vitest'
import { register, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})
const reads = async (username: string, password: string) =>
  (await world.request('GET', '/profile/me', undefined, basic(username, password))).status

test('creates, lists without the secret, authenticates and revokes a password', async () => {
  const ana = await world.member()
  const { status, body } = await ana.api.account.createApplicationPassword.answer({ name: '  phone ' })
  expect(status).toBe(201)
  expect(body.data).toEqual({
    id: expect.any(Number),
    name: 'phone',
    password: expect.stringMatching(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/),
    created_at: '2026-03-10 12:00:00',
  })
  const { id, password } = body.data
  expect(await reads(ana.username, password)).toBe(200)

  const list = await ana.raw('GET', '/account/application-passwords')
  expect(list.body.data.map((entry: { name: string }) => entry.name)).toEqual(['tests', 'phone'])
  expect(Object.keys(list.body.data[1])).toEqual(['id', 'name', 'created_at', 'last_used_at', 'last_ip'])
  expect(list.text).not.toContain(password)

  expect((await ana.api.account.deleteApplicationPassword({ id })).message).toBeTruthy()
  expect(await reads(ana.username, password)).toBe(401)
  await refused(ana.api.account.deleteApplicationPassword({ id }), 404, 'application_password_not_found')
  expect(await reads(ana.username, ana.password)).toBe(200)
})

test('another member’s password is not found and stays valid', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const id = (await ana.api.account.applicationPasswords()).data[0]?.id as number
  const foreign = await ben.raw('DELETE', `/account/application-passwords/${id}`)
  const missing = await ben.raw('DELETE', '/account/application-passwords/987654321')
  expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  expect(await reads(ana.username, ana.password)).toBe(200)
  expect((await ben.api.account.applicationPasswords()).data.map((entry) => entry.id)).not.toContain(id)
})

test('requires a valid name', async () => {
  const ana = await world.member()
  expect((await ana.raw('POST', '/account/application-passwords', {})).body).toMatchObject({
    code: 'missing_required_field',
    data: { field: 'name' },
  })
  for (const name of ['', '   ', 'x'.repeat(101), 7]) {
    expect((await ana.raw('POST', '/account/application-passwords', { name })).body.code, String(name)).toBe('invalid_data')
  }
})

test('an account has at most one hundred', async () => {
  const ana = await world.member()
  const made = await Promise.all(
    Array.from({ length: 105 }, (_, i) => ana.raw('POST', '/account/application-passwords', { name: `device ${i}` })),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(99)
  expect(made.find(({ status }) => status !== 201)?.body.code).toBe('conflict')
})

test('spaces are ignored, and the login may be the email or any spelling of the username', async () => {
  const ana = await world.member({ username: 'spacious' })
  const bare = ana.password.replaceAll(' ', '')
  for (const password of [ana.password, bare, bare.replace(/(.{6})/g, '$1 '), `  ${bare}\t`])
    expect(await reads(ana.username, password)).toBe(200)
  for (const login of [ana.email, ana.email.toUpperCase(), ' SPACIOUS', 'ｓpacious']) expect(await reads(login, ana.password)).toBe(200)
})

test('wrong credentials get 401 with a challenge', async () => {
  const [ana, ben] = [await register(world), await world.member()]
  const broken = [
    'Basic',
    'Basic !!!',
    'Bearer abc',
    'Digest x',
    '',
    'Basic bm9jb2xvbg==',
    `Basic ${Buffer.from('\0ana:x').toString('base64')}`,
  ]
  const headers = [
    basic(ana.username, ana.password),
    basic(ana.username, ben.password),
    basic(ben.username, `${ben.password}x`),
    basic(ben.username, ''),
    ...broken.map((authorization) => ({ authorization })),
  ]
  for (const header of headers) {
    const answer = await world.request('GET', '/profile/me', undefined, header)
    expect([answer.status, answer.body.code, answer.headers.get('www-authenticate')], header.authorization).toEqual([
      401,
      'rest_forbidden',
      'Basic realm="Lyceum"',
    ])
  }
})

test.each<Record<string, string>>([{ 'x-requested-with': 'XMLHttpRequest' }, { 'sec-fetch-dest': 'empty' }])(
  'a page is not challenged: %o',
  async (headers) => {
    const answer = await world.request('GET', '/profile/me', undefined, headers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null])
  },
)

test('shows the time and IP address of the last use', async () => {
  const ana = await world.member()
  const { raw } = await signIn(world, (await register(world)).username)
  const { data } = (await raw('POST', '/account/application-passwords', { name: 'unused' })).body
  expect((await raw('GET', '/account/application-passwords')).body.data).toEqual([
    { id: data.id, name: 'unused', created_at: '2026-03-10 12:00:00', last_used_at: null, last_ip: null },
  ])
  world.clock.advance(3600)
  await ana.api.profiles.get({ username: 'me' })
  await world.app.presence.flush()
  const [used] = (await ana.api.account.applicationPasswords()).data
  expect(used).toMatchObject({ last_used_at: '2026-03-10 13:00:00', last_ip: expect.stringMatching(/127\.0\.0\.1$/) })
  expect((await ana.api.profiles.get({ username: 'me' })).profile.last_activity).toBe('2026-03-10 13:00:00')
})

test('suspended and banned accounts are refused on every request, with the reason', async () => {
  const ana = await world.member()
  const { database } = world.app.services
  for (const status of ['suspended', 'banned'] as const) {
    await database.write((db) => db.updateTable('users').set({ status }).where('id', '=', ana.id).execute())
    for (const path of ['/profile/me', '/auth/session', '/settings/public', '/no-such-thing']) {
      expect((await ana.raw('GET', path)).body, path).toMatchObject({ code: `account_${status}`, data: { status: 403 } })
    }
  }
  await database.write((db) => db.updateTable('users').set({ status: 'active' }).where('id', '=', ana.id).execute())
  expect((await ana.raw('GET', '/profile/me')).status).toBe(200)
})

test('anonymous requests are refused', async () => {
  for (const [method, path] of [
    ['GET', '/account/application-passwords'],
    ['POST', '/account/application-passwords'],
    ['DELETE', '/account/application-passwords/1'],
    ['POST', '/account/password'],
    ['POST', '/account/email'],
  ] as const) {
    expect((await world.request(method, path, method === 'GET' ? undefined : {})).status, path).toBe(401)
  }
})
