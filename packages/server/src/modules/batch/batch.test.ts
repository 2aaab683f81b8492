import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ displayName: 'Ana' })
})
afterAll(() => world.close())

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Record<string, unknown>
}
// biome-ignore lint/suspicious/noExplicitAny: the test inspects arbitrary responses
type Inner = { readonly status: number; readonly headers: Record<string, string>; readonly body: any }

const batch = async (who: Member, requests: readonly Call[], headers: Record<string, string> = {}): Promise<Inner[]> => {
  const answer = await who.raw('POST', '/batch', { requests }, headers)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.responses
}
const write = (message: string): Call => ({ method: 'POST', path: '/feeds', body: { message } })

describe('a batch', () => {
  test('answers each request as if it had been sent alone, in order', async () => {
    const [created, listed, unknown, wrong] = await batch(ana, [
      write('From a batch'),
      { method: 'GET', path: '/feeds?per_page=1' },
      { method: 'GET', path: '/nowhere' },
      { method: 'POST', path: '/feeds', body: { nonsense: 1 } },
    ])
    expect([created?.status, created?.body.data.message]).toEqual([201, 'From a batch'])
    expect(listed?.body.feeds.data[0].id).toBe(created?.body.data.id)
    const alone = await ana.raw('GET', '/feeds?per_page=1')
    expect({ ...listed?.body, execution_time: 0 }).toEqual({ ...alone.body, execution_time: 0 })
    expect([listed?.headers['etag'], listed?.headers['link']]).toEqual([alone.headers.get('etag'), alone.headers.get('link')])
    expect([unknown?.status, unknown?.body.code, wrong?.status, wrong?.body.code]).toEqual([404, 'rest_no_route', 400, 'invalid_data'])
  })

  test('has the rights of the caller in each of its requests', async () => {
    const secret = await makeSpace(world, { privacy: 'secret' })
    const [hidden, denied] = await batch(ana, [
      { method: 'GET', path: `/spaces/${secret.slug}/by-slug` },
      { method: 'GET', path: '/admin/audit-log' },
    ])
    expect([hidden?.status, denied?.status]).toEqual([404, 403])
    expect((await batch(admin, [{ method: 'GET', path: `/spaces/${secret.slug}/by-slug` }]))[0]?.status).toBe(200)
    expect((await world.request('POST', '/batch', { requests: [{ method: 'GET', path: '/feeds' }] })).status).toBe(401)
  })

  test('runs no further request once the responses are too large', async () => {
    const messages = Array.from({ length: 12 }, (_, i) => `${i} ${'long '.repeat(12_000)}`)
    for (const message of messages) await ana.api.feeds.create({ message })
    const page = { method: 'GET', path: '/feeds?per_page=100' } as const
    const answers = await batch(ana, [...Array.from({ length: 8 }, () => page), write('Too late')])
    const refused = answers.findIndex(({ status }) => status === 413)
    expect(refused).toBeGreaterThan(1)
    expect(answers.slice(0, refused).map(({ status }) => status)).toEqual(answers.slice(0, refused).map(() => 200))
    expect(answers.slice(refused).map(({ body }) => body.code)).toEqual(answers.slice(refused).map(() => 'batch_too_large'))
    expect((await ana.raw('GET', '/feeds?per_page=1')).body.feeds.data[0].message).not.toBe('Too late')
  })

  test('notices that a request before took the rights away', async () => {
    const { data } = await ana.api.account.createApplicationPassword({ name: 'short-lived' })
    const authorization = `Basic ${Buffer.from(`${ana.username}:${data.password}`).toString('base64')}`
    const statuses = await batch(
      ana,
      [{ method: 'DELETE', path: `/account/application-passwords/${data.id}` }, { method: 'GET', path: '/feeds' }, write('Too late')],
      { authorization },
    )
    expect(statuses.map(({ status }) => status)).toEqual([200, 401, 401])
  })

  test('can be repeated with an idempotency key', async () => {
    const key = { 'idempotency-key': 'a-batch' }
    const requests = [write('First'), write('Second')]
    const ids = (answers: readonly Inner[]) => answers.map(({ body }) => body.data.id)
    const first = await batch(ana, requests, key)
    const again = await batch(ana, requests, key)
    expect(new Set(ids(first)).size).toBe(2)
    expect(ids(again)).toEqual(ids(first))
    expect(again.map(({ headers }) => headers['idempotency-replayed'])).toEqual(['true', 'true'])
  })

  test('refuses nested batches, uploads, streams and other paths, and then runs nothing', async () => {
    const { total } = (await ana.api.feeds.list({})).feeds
    const refused: Call[] = [
      { method: 'POST', path: '/batch', body: { requests: [] } },
      { method: 'POST', path: '/b%61tch/', body: { requests: [] } },
      { method: 'POST', path: '/batch#part', body: { requests: [] } },
      { method: 'POST', path: '/feeds/media-upload', body: {} },
      { method: 'GET', path: '/stream?x=1' },
      { method: 'GET', path: '/../../health/live' },
      { method: 'GET', path: '/%2e%2e/x' },
      { method: 'GET', path: 'feeds' },
    ]
    for (const call of refused) {
      const answer = await ana.raw('POST', '/batch', { requests: [write('Not written'), call] })
      expect([answer.status, answer.body.code], call.path).toEqual([400, 'invalid_data'])
    }
    for (const requests of [[], Array.from({ length: 26 }, () => write('Too many'))])
      expect((await ana.raw('POST', '/batch', { requests })).status).toBe(400)
    expect((await ana.api.feeds.list({})).feeds.total).toBe(total)
  })

  test('needs the nonce of a session, and hands out no cookies', async () => {
    const session = await signIn(world, (await register(world)).username)
    const answer = await session.raw('POST', '/batch', { requests: [write('By a browser')] })
    expect([answer.status, answer.body.responses[0].status]).toEqual([200, 201])
    const [login] = await batch(ana, [{ method: 'POST', path: '/auth/login', body: { login: 'nobody', password: 'wrong' } }])
    expect(login?.headers).not.toHaveProperty('set-cookie')
  })
})

test('each request of a batch counts against the rate limit', async () => {
  const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  try {
    const ben = await limited.member()
    const remaining = async () => Number((await ben.raw('GET', '/notifications/unread')).headers.get('x-ratelimit-remaining'))
    const before = await remaining()
    const answers = await batch(
      ben,
      Array.from({ length: 5 }, () => ({ method: 'GET' as const, path: '/notifications/unread' })),
    )
    expect(answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([1, 2, 3, 4, 5].map((i) => before - 1 - i))
    expect(await remaining()).toBe(before - 7)
  } finally {
    await limited.close()
  }
})
