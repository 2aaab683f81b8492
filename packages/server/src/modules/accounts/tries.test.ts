import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type RawAnswer, type World } from '#test/world.ts'
import { setupLink } from './index.ts'

// Each request has an IP address of its own in the forwarding header, since the proxy is trusted.
let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: 'on' } })
})
// The attempts of a test before are forgotten by then.
beforeEach(() => world.clock.advance(24 * 3600))
afterAll(() => world.close())

let last = 0
const freshAddress = (): Record<string, string> => {
  last += 1
  return { 'x-forwarded-for': `198.51.${last >> 8}.${last & 255}` }
}
const WRONG = 'Wrong-river-7431'
const login = (name: string, password: string, from = freshAddress()) =>
  world.request('POST', '/auth/login', { login: name, password }, from)
const statuses = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status)
const times = <T>(n: number, work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: n }, (_, i) => work(i)))

test('an account allows ten failed attempts a minute, from all addresses together, also concurrently', async () => {
  const ana = await register(world)
  expect(statuses(await times(25, () => login(ana.username, WRONG))).sort()).toEqual([...Array(10).fill(401), ...Array(15).fill(429)])
  const answer = await login(ana.username, PASSWORD)
  expect([answer.status, answer.body.code, answer.body.data.retry_after]).toEqual([429, 'rate_limit_exceeded', 60])
  expect(answer.headers.get('retry-after')).toBe('60')
  expect((await login((await register(world)).username, PASSWORD)).status).toBe(200)
  world.clock.advance(60)
  expect((await login(ana.username, PASSWORD)).status).toBe(200)
})

test('an IP address allows ten failed attempts a minute, for all accounts together', async () => {
  const from = freshAddress()
  expect(statuses(await times(25, (i) => login(`nobody${i}`, WRONG, from))).sort()).toEqual([
    ...Array(10).fill(401),
    ...Array(15).fill(429),
  ])
  const ana = await register(world)
  expect((await login(ana.username, PASSWORD, from)).status).toBe(429)
  expect((await login(ana.username, PASSWORD)).status).toBe(200)
})

test('the counters of a username and an email do not reveal that they belong to the same account', async () => {
  const ana = await register(world)
  await times(13, () => login(ana.username, WRONG))
  expect((await login(ana.username, WRONG)).status).toBe(429)
  expect((await login(ana.email, WRONG)).status).toBe(401)
})

test('a network allows one hundred failed attempts a minute', async () => {
  const inNetwork = (n: number) => ({ 'x-forwarded-for': `2001:db8:1:${n.toString(16)}::1` })
  const answers = statuses(await times(130, (i) => login(`nobody${i}`, WRONG, inNetwork(i))))
  expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(100)
  expect(answers.filter((status) => status === 429)).toHaveLength(30)
  const ana = await register(world)
  expect((await login(ana.username, PASSWORD, inNetwork(200))).status).toBe(429)
  expect((await login(ana.username, PASSWORD)).status).toBe(200)
})

const cookiesOf = (answer: RawAnswer) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

describe('strangers cannot lock out the owner', () => {
  const deviceOf = (answer: RawAnswer) => cookiesOf(answer).replace(/lyceum_session=[^;]*; /, '')

  test('in a browser that signed in before, from any address', async () => {
    const ana = await register(world)
    const cookie = deviceOf(await login(ana.username, PASSWORD))
    await times(25, () => login(ana.username, WRONG))
    const from = freshAddress()
    await times(12, (i) => login(`nobody${i}`, WRONG, from))
    expect((await login(ana.username, PASSWORD, from)).status).toBe(429)
    expect((await login(ana.username, PASSWORD, { ...from, cookie })).status).toBe(200)
    expect((await login(ana.email, PASSWORD, { ...freshAddress(), cookie })).status).toBe(200)
    // This browser has ten attempts of its own.
    const own = await times(12, () => login(ana.username, WRONG, { ...freshAddress(), cookie }))
    expect(statuses(own).sort()).toEqual([...Array(10).fill(401), 429, 429])
    expect((await login(ana.username, PASSWORD, { ...freshAddress(), cookie })).status).toBe(429)
  })

  test('from an address that used the account recently, without revealing it to others', async () => {
    const ana = await register(world)
    const from = freshAddress()
    await login(ana.username, PASSWORD, from)
    await times(13, () => login(ana.username, WRONG))
    expect((await login(ana.username, PASSWORD)).status).toBe(429)
    const [wrong, stranger] = [await login(ana.username, WRONG, from), await login(ana.username, WRONG)]
    expect([wrong.status, wrong.text]).toEqual([429, stranger.text])
    expect((await login(ana.username, PASSWORD, from)).status).toBe(200)
  })

  test('the cookie is HttpOnly, reveals no password, and works only for its account and password', async () => {
    const [ana, ben] = [await register(world), await register(world)]
    const answer = await login(ana.username, PASSWORD)
    const [, line = ''] = answer.headers.getSetCookie()
    expect(line).toMatch(/^lyceum_device=[\w~-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
    const cookie = deviceOf(answer)
    await times(13, () => login(ben.username, WRONG))
    const forged = cookie.replace(/=\d+~/, `=${ben.id}~`)
    for (const sent of [cookie, forged, `${cookie.slice(0, -1)}x`, 'lyceum_device=a.b~c', 'lyceum_device='])
      expect((await login(ben.username, PASSWORD, { ...freshAddress(), cookie: sent })).status, sent).toBe(429)

    // One browser with two accounts.
    world.clock.advance(60)
    const both = deviceOf(await login(ben.username, PASSWORD, { ...freshAddress(), cookie }))
    for (const { username } of [ana, ben]) {
      await times(13, () => login(username, WRONG))
      expect((await login(username, PASSWORD, { ...freshAddress(), cookie: both })).status).toBe(200)
    }
  })
})

test('one address has twenty attempts in fifteen minutes, however slowly it guesses', async () => {
  const ana = await register(world)
  const from = freshAddress()
  const seen: number[] = []
  for (let minute = 0; minute < 4; minute++) {
    for (let i = 0; i < 8; i++) seen.push((await login(ana.username, WRONG, from)).status)
    world.clock.advance(61)
  }
  expect(seen.filter((status) => status === 401)).toHaveLength(20)
  expect((await login(ana.username, PASSWORD)).status).toBe(200)
})

test('an unknown account is limited like an existing one', async () => {
  const ana = await register(world)
  const tries = async (name: string) => {
    const answers = []
    for (let i = 0; i < 12; i++) answers.push(await login(name, WRONG))
    return answers.map(({ status, text }) => `${status} ${text}`)
  }
  expect(await tries('nobody-at-all')).toEqual(await tries(ana.username))
})

test('successful attempts do not count', async () => {
  const ana = await register(world)
  const from = freshAddress()
  for (let i = 0; i < 15; i++) expect((await login(ana.username, PASSWORD, from)).status).toBe(200)
  for (let i = 0; i < 9; i++) expect((await login(ana.username, WRONG, from)).status).toBe(401)
  expect((await login(ana.username, PASSWORD, from)).status).toBe(200)
})

test('a valid application password is never locked out', async () => {
  const ana = await register(world)
  const from = freshAddress()
  const { raw } = await signIn(world, ana.username)
  const { password } = (await raw('POST', '/account/application-passwords', { name: 'phone' })).body.data
  const basic = (secret: string) => ({ ...from, authorization: `Basic ${Buffer.from(`${ana.username}:${secret}`).toString('base64')}` })
  for (let i = 0; i < 11; i++) await login(ana.username, WRONG, from)
  const wrong = await times(15, (i) => world.request('GET', '/profile/me', undefined, basic(`wrong${i}`)))
  expect(statuses(wrong)).toContain(429)
  for (let i = 0; i < 5; i++) expect((await world.request('GET', '/profile/me', undefined, basic(password))).status).toBe(200)
})

test('wrong application passwords: ten attempts a minute per account and address', async () => {
  const ana = await register(world)
  const basic = (name: string) => `Basic ${Buffer.from(`${name}:abcd efgh ijkl mnop qrst uvwx`).toString('base64')}`
  const ofAccount = await times(12, () =>
    world.request('GET', '/feeds', undefined, { ...freshAddress(), authorization: basic(ana.username) }),
  )
  const from = freshAddress()
  const ofAddress = await times(12, (i) => world.request('GET', '/feeds', undefined, { ...from, authorization: basic(`nobody${i}`) }))
  for (const answers of [ofAccount, ofAddress]) expect(statuses(answers).sort()).toEqual([...Array(10).fill(401), 429, 429])
})

test('re-entering the password on the account page is limited too', async () => {
  for (const [path, body] of [
    ['/account/password', { new_password: 'Other-river-9152' }],
    ['/account/email', { email: 'other@example.org' }],
  ] as const) {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    const guesses = await times(12, () => raw('POST', path, { ...body, current_password: WRONG }, freshAddress()))
    expect(statuses(guesses).sort(), path).toEqual([...Array(10).fill(400), 429, 429])
    expect((await raw('POST', path, { ...body, current_password: PASSWORD }, freshAddress())).status).toBe(429)
    expect((await raw('GET', '/profile/me')).status).toBe(200)
    world.clock.advance(60)
    expect((await raw('POST', path, { ...body, current_password: PASSWORD }, freshAddress())).status).toBe(200)
  }
})

test('forged setup tokens are limited per address', async () => {
  const token = new URL((await setupLink(world.app)) as string).searchParams.get('token')
  const setup = (guess: string | null, from: Record<string, string>) =>
    world.request('POST', '/auth/setup', { token: guess, username: 'ada', email: 'ada@example.org', password: PASSWORD }, from)
  const from = freshAddress()
  expect(statuses(await times(12, () => setup('a'.repeat(43), from))).sort()).toEqual([...Array(10).fill(400), 429, 429])
  expect((await setup(token, from)).status).toBe(429)
  expect((await setup(token, freshAddress())).status).toBe(201)
})
