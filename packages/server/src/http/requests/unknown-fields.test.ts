import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const STRICT = { prefer: 'respond-async, handling=strict' }
const UNKNOWN = 'x-lyceum-unknown-fields'

const feeds = async () => (await admin.api.feeds.list({})).feeds.total

describe('unknown fields of a body', () => {
  test('are named in a header, at any depth, and ignored', async () => {
    const answer = await admin.raw('POST', '/feeds', { message: 'Hello', mesage: 'x', titel: null, 'a, b\nü': 1 })
    expect(answer.status).toBe(201)
    expect(answer.headers.get(UNKNOWN)).toBe('mesage, titel, a%2C%20b%0A%C3%BC')
    const nested = await admin.raw('POST', '/settings/features', { features: { gif: false, gifs: true } })
    expect([nested.status, nested.headers.get(UNKNOWN)]).toEqual([200, 'features.gifs'])
    const list = { links: [{ title: 'Docs', url: 'https://docs.example', colour: 'red' }] }
    const links = await admin.raw('POST', '/feeds/links', list)
    expect([links.status, links.headers.get(UNKNOWN)]).toEqual([200, 'links.0.colour'])
  })

  test('have no header where there are none, and none in free-form data', async () => {
    for (const body of [{ message: 'Plain' }, { message: 'Free', meta: { anything: { goes: 1 } } }]) {
      const answer = await admin.raw('POST', '/feeds', body)
      expect([answer.status, answer.headers.has(UNKNOWN), answer.headers.has('preference-applied')]).toEqual([201, false, false])
    }
  })

  test('are refused for a client that prefers strict handling, and nothing is written', async () => {
    const before = await feeds()
    const refused = await admin.raw('POST', '/feeds', { message: 'Hello', mesage: 'x' }, STRICT)
    expect([refused.status, refused.body.code, refused.body.data.errors]).toEqual([
      400,
      'invalid_data',
      { mesage: 'is not a field of this request' },
    ])
    expect(await feeds()).toBe(before)
    const accepted = await admin.raw('POST', '/feeds', { message: 'Hello', meta: { own: 1 } }, STRICT)
    expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([201, 'handling=strict'])
    const lenient = await admin.raw('POST', '/feeds', { message: 'Hello', mesage: 'x' }, { prefer: 'handling=lenient' })
    expect([lenient.status, lenient.headers.get(UNKNOWN)]).toEqual([201, 'mesage'])
  })

  test('are those of this request, also if it is repeated', async () => {
    const key = { 'idempotency-key': 'unknown-fields-1' }
    expect((await admin.raw('POST', '/feeds', { message: 'Once', mesage: 'x' }, key)).headers.get(UNKNOWN)).toBe('mesage')
    const again = await admin.raw('POST', '/feeds', { message: 'Once' }, key)
    expect([again.status, again.headers.get('idempotency-replayed'), again.headers.has(UNKNOWN)]).toEqual([201, 'true', false])
  })

  test('a route without a body ignores one', async () => {
    const answer = await admin.raw('POST', '/notifications/mark-all-read', { nonsense: 1 }, STRICT)
    expect([answer.status, answer.headers.has(UNKNOWN)]).toEqual([200, false])
  })
})
