import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type World } from '#test/world.ts'

const lines: string[] = []
const log = pino(
  { level: 'info', base: null },
  new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  }),
)

let world: World
beforeAll(async () => {
  world = await createWorld({ log, env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: 'on' } })
})
afterAll(() => world.close())

/** The log entries of `work`, one per request. */
const recordsOf = async (work: () => Promise<unknown>) => {
  lines.length = 0
  await work()
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
}
const outcomes = (records: readonly { method: string; route: string; status: number; user_id?: number }[]) =>
  records.map(({ method, route, status, user_id }) => [method, route.replace('/api/v2', ''), status, user_id])

test('every authentication, successful or not, and every rejected request is logged', async () => {
  const { id, username } = await register(world)
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })
  const records = await recordsOf(async () => {
    await world.request('POST', '/auth/login', { login: username, password: 'Wrong-river-7431' })
    const browser = await signIn(world, username)
    await browser.raw('GET', '/profile/me')
    await browser.raw('GET', '/admin/managers')
    await browser.bare('POST', '/feeds', { message: 'x' })
    await world.request('GET', '/profile/me', undefined, basic('wrong'))
    await browser.raw('POST', '/auth/logout')
    await world.request('GET', '/no/such/thing')
    await browser.raw('POST', '/feeds', { message: 7 })
  })
  expect(outcomes(records)).toEqual([
    ['POST', '/auth/login', 401, undefined],
    ['POST', '/auth/login', 200, undefined],
    ['GET', '/profile/:username', 200, id],
    ['GET', '/admin/managers', 403, id],
    ['POST', '/feeds', 403, undefined],
    ['GET', '/profile/:username', 401, undefined],
    ['POST', '/auth/logout', 200, id],
    ['GET', '(none)', 401, undefined],
    ['POST', '/feeds', 401, undefined],
  ])
  for (const record of records) {
    expect(record).toMatchObject({ level: 30, time: expect.any(Number), request_id: expect.stringMatching(/^[\w.-]{1,64}$/) })
  }
})

test('rate-limited requests are logged', async () => {
  const records = await recordsOf(async () => {
    for (let i = 0; i < 12; i++) {
      await world.request('POST', '/auth/login', { login: 'nobody', password: `guess${i}` }, { 'x-forwarded-for': '198.51.100.7' })
    }
  })
  expect(records.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429])
})

test('credentials, bodies and queries are not logged', async () => {
  const { username } = await register(world)
  const secrets = ['Hidden-words-in-a-body', 'hidden-query', 'Hidden-cookie', PASSWORD, 'made-up-token']
  lines.length = 0
  const browser = await signIn(world, username)
  await browser.raw('POST', '/feeds', { message: secrets[0] })
  await browser.raw('GET', `/feeds?search=${secrets[1]}`)
  await browser.raw('GET', '/feeds', undefined, { cookie: `x=${secrets[2]}` })
  await world.request('POST', '/auth/reset-password', { token: secrets[4], password: PASSWORD })
  await world.request('GET', `//reset-password?token=${secrets[4]}`)
  await world.request('GET', `//unsubscribe/${secrets[4]}`)
  const text = lines.join('')
  expect(lines.length).toBeGreaterThan(5)
  for (const secret of [...secrets, browser.cookie.split('=')[1] ?? '', browser.nonce]) expect(text).not.toContain(secret)
})
