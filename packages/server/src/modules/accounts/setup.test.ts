import { afterEach, beforeEach, expect, test } from 'vitest'
import { PASSWORD, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'
import { setupLink } from './index.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const ROOT = { username: 'ada', email: 'ada@example.org', password: PASSWORD }
const tokenOf = async () => new URL((await setupLink(world.app)) ?? 'http://none.example').searchParams.get('token') ?? ''
const tokens = () => world.app.services.database.read.selectFrom('tokens').selectAll().execute()

test('the link opens a page of this server and creates the first administrator', async () => {
  const link = await setupLink(world.app)
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup\?token=[A-Za-z0-9_-]{43}$/)
  expect((await fetch(link as string)).status).toBe(200)
  const answer = await world.request('POST', '/auth/setup', {
    ...ROOT,
    token: new URL(link as string).searchParams.get('token'),
    display_name: 'Ada',
  })
  expect([answer.status, answer.body.data]).toEqual([
    201,
    {
      id: expect.any(Number),
      username: 'ada',
      email: 'ada@example.org',
      display_name: 'Ada',
      role: 'admin',
      status: 'active',
      created_at: '2026-03-10 12:00:00',
    },
  ])
  expect(answer.headers.getSetCookie()).toEqual([])
  const { user } = (await (await signIn(world, 'ada')).bare('GET', '/auth/session')).body
  expect([user.role, user.permissions.length]).toEqual(['admin', 14])
  expect(await tokens()).toEqual([])
})

test('of twenty concurrent requests, one creates the administrator', async () => {
  const token = await tokenOf()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      world.request('POST', '/auth/setup', { token, username: `ada${i}`, email: `ada${i}@example.org`, password: PASSWORD }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(new Set(['setup_done']))
  const { read } = world.app.services.database
  expect(await read.selectFrom('managers').selectAll().execute()).toHaveLength(1)
  expect(await read.selectFrom('users').selectAll().execute()).toHaveLength(1)
})

test('works once', async () => {
  const token = await tokenOf()
  await world.anonymous.auth.setup({ ...ROOT, token })
  await refused(world.anonymous.auth.setup({ ...ROOT, username: 'eve', email: 'eve@example.org', token }), 409, 'setup_done')
})

test('a retry with the same idempotency key gets the same response', async () => {
  const body = { ...ROOT, token: await tokenOf() }
  const send = () => world.request('POST', '/auth/setup', body, { 'idempotency-key': 'setup-1' })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
})

test('only the newest link works, for seven days', async () => {
  const [first, second] = [await tokenOf(), await tokenOf()]
  expect(await tokens()).toHaveLength(1)
  await refused(world.anonymous.auth.setup({ ...ROOT, token: first }), 400, 'invalid_token')
  world.clock.advance(7 * 24 * 3600)
  await refused(world.anonymous.auth.setup({ ...ROOT, token: second }), 400, 'invalid_token')
  await world.anonymous.auth.setup({ ...ROOT, token: await tokenOf() })
})

test('only the hash of the token is stored', async () => {
  const token = await tokenOf()
  expect(JSON.stringify(await tokens())).not.toContain(token)
})

test('there is no link once an administrator exists, and an open one stops working', async () => {
  const token = await tokenOf()
  await world.member({ role: 'admin' })
  await refused(world.anonymous.auth.setup({ ...ROOT, token }), 409, 'setup_done')
  expect(await setupLink(world.app)).toBeNull()
  expect(await tokens()).toEqual([])
})

test('existing members and moderators do not prevent it', async () => {
  await world.member({ role: 'moderator' })
  await world.member({ username: 'ada' })
  const token = await tokenOf()
  await refused(world.anonymous.auth.setup({ ...ROOT, token, email: 'else@example.org' }), 400, 'username_taken')
  await world.anonymous.auth.setup({ ...ROOT, username: 'grace', email: 'grace@example.org', token })
})

test('invalid account data does not consume the token', async () => {
  const token = await tokenOf()
  await refused(world.anonymous.auth.setup({ ...ROOT, token, username: 'settings' }), 400, 'invalid_username')
  await refused(world.anonymous.auth.setup({ ...ROOT, token, email: 'x' }), 400, 'invalid_email')
  await refused(world.anonymous.auth.setup({ ...ROOT, token, password: 'password123' }), 400, 'weak_password')
  await world.anonymous.auth.setup({ ...ROOT, token })
})

test('a reset token is not accepted as a setup token', async () => {
  const { makeResetLink } = await import('./index.ts')
  const ana = await world.member()
  const { url } = await world.app.write(null, ({ db, now }) => makeResetLink(db, ana.id, now, 'http://here.example'))
  const token = new URL(url).searchParams.get('token') ?? ''
  await refused(world.anonymous.auth.setup({ ...ROOT, token }), 400, 'invalid_token')
  await refused(world.anonymous.auth.resetPassword({ token: await tokenOf(), password: PASSWORD }), 400, 'invalid_token')
})
