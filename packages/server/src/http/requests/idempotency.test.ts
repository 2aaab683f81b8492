import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { decrypt } from '../../secrets/encryption.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
})
afterAll(() => world.close())

const PATH = '/feeds'
const post = (member: Member, key: string, body: object = { message: 'phone' }) =>
  member.raw('POST', PATH, body, { 'idempotency-key': key })
const texts = async (member: Member) =>
  (await world.app.services.database.read.selectFrom('feeds').select('message').where('user_id', '=', member.id).execute()).map(
    ({ message }) => message,
  )
const rows = () => world.app.services.database.read.selectFrom('idempotency_keys').selectAll().execute()

test('the same key and body: the first response again, and no effect', async () => {
  const ana = await world.member()
  const [first, second] = [await post(ana, 'k1'), await post(ana, 'k1')]
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
  expect(await texts(ana)).toEqual(['phone'])
})

test('the order of a body’s spaces does not matter, its values do', async () => {
  const ana = await world.member()
  await post(ana, 'k1')
  const spaced = await ana.raw('POST', PATH, '{ "message" :\n"phone" }', { 'idempotency-key': 'k1' })
  expect(spaced.status).toBe(201)
  const other = await post(ana, 'k1', { message: 'tablet' })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  const elsewhere = await ana.raw(
    'POST',
    '/account/email',
    { message: 'phone', current_password: 'x', email: 'x@example.org' },
    { 'idempotency-key': 'k1' },
  )
  expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'idempotency_mismatch'])
  expect(await texts(ana)).toEqual(['phone'])
})

test('concurrent duplicates create one record', async () => {
  const ana = await world.member()
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(ana, 'k1')))
  for (const { status, body } of answers) expect([201, 409], body.message).toContain(status)
  expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1)
  expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).size).toBeLessThanOrEqual(1)
  expect(await texts(ana)).toEqual(['phone'])
})

test('a key belongs to its account, and without one to the address', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const [one, two] = [await post(ana, 'shared'), await post(ben, 'shared')]
  expect([one.status, two.status, one.body.data.id === two.body.data.id]).toEqual([201, 201, false])
  const body = { username: 'keyed', email: 'keyed@example.org', password: PASSWORD }
  const answers = [1, 2].map(() => world.request('POST', '/auth/register', body, { 'idempotency-key': 'shared' }))
  for (const { status } of await Promise.all(answers)) expect([201, 409]).toContain(status)
})

test('an error is not stored: the request may be sent again', async () => {
  const ana = await register(world)
  const { raw } = await signIn(world, ana.username)
  const change = (current_password: string) =>
    raw('POST', '/account/password', { current_password, new_password: 'Other-river-9152' }, { 'idempotency-key': 'k1' })
  expect((await change('Wrong-river-7431')).status).toBe(400)
  expect((await change(PASSWORD)).status).toBe(200)
  // The repeated request contains the old password, which is no longer valid, but its stored response is replayed.
  const again = await change(PASSWORD)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect((await change('Other-river-9152')).body.code).toBe('idempotency_mismatch')
})

const SECRET = '/account/application-passwords'

test('a response with a secret is never stored: a repeated request is refused, and has no effect', async () => {
  const ana = await world.member()
  const make = (name: string) => ana.raw('POST', SECRET, { name }, { 'idempotency-key': 'secret-1' })
  const [first, second] = [await make('phone'), await make('phone')]
  expect([first.status, second.status, second.body.code]).toEqual([201, 409, 'conflict'])
  expect(second.text).not.toContain(first.body.data.password)
  expect((await make('tablet')).body.code).toBe('idempotency_mismatch')
  expect((await ana.api.account.applicationPasswords()).data.map(({ name }) => name)).toEqual(['tests', 'phone'])
  const row = (await rows()).find(({ scope, key }) => scope === `user:${ana.id}` && key === 'secret-1')
  const kept = decrypt(world.app.services.keys.encryption, row?.body ?? '', `user:${ana.id}\nsecret-1`)
  expect(JSON.parse(kept ?? '')).toEqual({ headers: [], text: '' })
})

test('one of two concurrent duplicates gets the secret', async () => {
  const ana = await world.member()
  const make = () => ana.raw('POST', SECRET, { name: 'phone' }, { 'idempotency-key': 'k1' })
  const answers = await Promise.all(Array.from({ length: 8 }, make))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
})

test('signing in again with the key sets no cookie again', async () => {
  const ana = await register(world)
  const login = () => world.request('POST', '/auth/login', { login: ana.username, password: PASSWORD }, { 'idempotency-key': 'login-1' })
  const [first, second] = [await login(), await login()]
  expect([first.status, second.status, second.body.code]).toEqual([200, 409, 'conflict'])
  expect(second.headers.getSetCookie()).toEqual([])
})

test('stored for twenty-four hours', async () => {
  const ana = await world.member()
  const first = await post(ana, 'k1')
  world.clock.advance(24 * 3600 - 1)
  expect((await post(ana, 'k1')).text).toBe(first.text)
  world.clock.advance(1)
  const later = await post(ana, 'k1', { message: 'tablet' })
  expect([later.status, later.body.data.message]).toEqual([201, 'tablet'])
  expect((await post(ana, 'k1', { message: 'tablet' })).text).toBe(later.text)
})

test('no response and no body can be read from the table', async () => {
  const ana = await world.member()
  const { body } = await post(ana, 'k1')
  const stored = JSON.stringify(await rows())
  expect(stored).toContain(`user:${ana.id}`)
  expect(stored).not.toContain(body.data.slug)
  const { createHash } = await import('node:crypto')
  const plain = createHash('sha256')
    .update(`POST /api/v2${PATH}\n${JSON.stringify({ message: 'phone' })}`)
    .digest('hex')
  expect(stored).not.toContain(plain)
})

test('a key is printable and has at most 255 characters; other methods ignore it', async () => {
  const ana = await world.member()
  for (const key of ['', 'a b', 'x'.repeat(256), 'ä']) {
    const answer = await post(ana, key)
    expect([answer.status, answer.body.code, answer.body.data.field], key).toEqual([400, 'invalid_parameter', 'Idempotency-Key'])
  }
  expect((await post(ana, 'x'.repeat(255))).status).toBe(201)
  const { data } = await ana.api.feeds.create({ message: 'tablet' })
  const remove = () => ana.raw('DELETE', `${PATH}/${data.id}`, undefined, { 'idempotency-key': 'k2' })
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
})
