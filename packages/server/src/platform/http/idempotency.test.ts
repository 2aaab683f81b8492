import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '../../../test/session.ts'
import { createWorld, type Member, type World } from '../../../test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const PATH = '/account/application-passwords'
const post = (member: Member, key: string, body: object = { name: 'phone' }) => member.raw('POST', PATH, body, { 'idempotency-key': key })
const names = async (member: Member) => (await member.api.account.applicationPasswords()).data.map(({ name }) => name)
const rows = () => world.app.services.database.read.selectFrom('idempotency_keys').selectAll().execute()

test('the same key and body: the first answer again, secret and all, and nothing done', async () => {
  const ana = await world.member()
  const [first, second] = [await post(ana, 'k1'), await post(ana, 'k1')]
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
  expect(await names(ana)).toEqual(['tests', 'phone'])
})

test('the order of a body’s spaces does not matter, its values do', async () => {
  const ana = await world.member()
  await post(ana, 'k1')
  const spaced = await ana.raw('POST', PATH, '{ "name" :\n"phone" }', { 'idempotency-key': 'k1' })
  expect(spaced.status).toBe(201)
  const other = await post(ana, 'k1', { name: 'tablet' })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  const elsewhere = await ana.raw(
    'POST',
    '/account/email',
    { name: 'phone', current_password: 'x', email: 'x@example.org' },
    { 'idempotency-key': 'k1' },
  )
  expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'idempotency_mismatch'])
  expect(await names(ana)).toEqual(['tests', 'phone'])
})

test('twins make one record', async () => {
  const ana = await world.member()
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(ana, 'k1')))
  for (const { status, body } of answers) expect([201, 409], body.message).toContain(status)
  expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1)
  expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).size).toBeLessThanOrEqual(1)
  expect(await names(ana)).toEqual(['tests', 'phone'])
})

test('a key belongs to its account, and without one to the address', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const [one, two] = [await post(ana, 'shared'), await post(ben, 'shared')]
  expect([one.status, two.status, one.body.data.id === two.body.data.id]).toEqual([201, 201, false])
  const body = { username: 'keyed', email: 'keyed@example.org', password: PASSWORD }
  const answers = [1, 2].map(() => world.request('POST', '/auth/register', body, { 'idempotency-key': 'shared' }))
  for (const { status } of await Promise.all(answers)) expect([201, 409]).toContain(status)
})

test('an error is not kept: the request may be sent again', async () => {
  const ana = await register(world)
  const { raw } = await signIn(world, ana.username)
  const change = (current_password: string) =>
    raw('POST', '/account/password', { current_password, new_password: 'Other-river-9152' }, { 'idempotency-key': 'k1' })
  expect((await change('Wrong-river-7431')).status).toBe(400)
  expect((await change(PASSWORD)).status).toBe(200)
  // The password that was right then is wrong now, but this is the same request.
  const again = await change(PASSWORD)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect((await change('Other-river-9152')).body.code).toBe('idempotency_mismatch')
})

test('signing in again with the key sets the same cookie again', async () => {
  const ana = await register(world)
  const login = () => world.request('POST', '/auth/login', { login: ana.username, password: PASSWORD }, { 'idempotency-key': 'login-1' })
  const [first, second] = [await login(), await login()]
  expect(first.headers.getSetCookie()).toHaveLength(1)
  expect([second.status, second.text, second.headers.getSetCookie()]).toEqual([200, first.text, first.headers.getSetCookie()])
  const cookie = second.headers.getSetCookie()[0]?.split(';')[0] as string
  expect((await world.request('GET', '/profile/me', undefined, { cookie })).status).toBe(200)
})

test('kept for twenty-four hours', async () => {
  const ana = await world.member()
  const first = await post(ana, 'k1')
  world.clock.advance(24 * 3600 - 1)
  expect((await post(ana, 'k1')).text).toBe(first.text)
  world.clock.advance(1)
  const later = await post(ana, 'k1', { name: 'tablet' })
  expect([later.status, later.body.data.name]).toEqual([201, 'tablet'])
  expect((await post(ana, 'k1', { name: 'tablet' })).text).toBe(later.text)
})

test('no answer and no body can be read from the table', async () => {
  const ana = await world.member()
  const { body } = await post(ana, 'k1')
  const stored = JSON.stringify(await rows())
  expect(stored).toContain(`user:${ana.id}`)
  expect(stored).not.toContain(body.data.password)
  const { createHash } = await import('node:crypto')
  const plain = createHash('sha256')
    .update(`POST /api/v2${PATH}\n${JSON.stringify({ name: 'phone' })}`)
    .digest('hex')
  expect(stored).not.toContain(plain)
})

test('a key is printable and at most 255 long; other methods take no notice of it', async () => {
  const ana = await world.member()
  for (const key of ['', 'a b', 'x'.repeat(256), 'ä']) {
    const answer = await post(ana, key)
    expect([answer.status, answer.body.code, answer.body.data.field], key).toEqual([400, 'invalid_parameter', 'Idempotency-Key'])
  }
  expect((await post(ana, 'x'.repeat(255))).status).toBe(201)
  const { data } = await ana.api.account.applicationPasswords()
  const remove = () => ana.raw('DELETE', `${PATH}/${data.at(-1)?.id}`, undefined, { 'idempotency-key': 'k2' })
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
})
