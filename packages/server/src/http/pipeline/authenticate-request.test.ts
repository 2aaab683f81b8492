import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_API_ALIASES: '/wp-json/x/v2' } })
  ana = await world.member()
})
afterAll(() => world.close())

const EVERY_ANSWER = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-content-type-options']
const missing = (answer: RawAnswer) => EVERY_ANSWER.filter((name) => !answer.headers.has(name))

describe('a path that cannot be decoded', () => {
  const paths = ['/%zz', '/%', '/feeds/%ff/by-id', '/feeds/%e0%a4%a', '/profile/%zz?x=1']

  test('requires credentials first, like every path', async () => {
    for (const path of paths) {
      const answer = await world.request('GET', path)
      expect([answer.status, answer.body?.code, missing(answer)], path).toEqual([401, 'rest_forbidden', []])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('is then 400 in the usual shape, with every method', async () => {
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await ana.raw(method, path, method === 'GET' ? undefined : {})
        expect([answer.status, answer.body, missing(answer)], `${method} ${path}`).toEqual([
          400,
          { code: 'invalid_parameter', message: 'path is not well-formed.', data: { status: 400, field: 'path' } },
          [],
        ])
      }
    }
  })

  test('under an alias and outside of the API', async () => {
    expect((await world.request('GET', '//wp-json/x/v2/%zz')).status).toBe(401)
    const outside = await world.request('GET', '//%zz')
    expect([outside.status, outside.body.code, missing(outside)]).toEqual([400, 'invalid_parameter', []])
  })

  test('a percent sign in the query has no effect', async () => {
    expect((await ana.raw('GET', '/profile/me?x=%zz')).status).toBe(200)
  })
})

describe('the order of checks', () => {
  test('401, before the path and the body are read', async () => {
    for (const [method, path, body, type] of [
      ['GET', '/no-such-thing', undefined, ''],
      ['POST', '/no-such-thing', '{broken', 'application/json'],
      ['POST', '/no-such-thing', 'x', 'text/plain'],
      ['POST', '/no-such-thing', 'x'.repeat(300_000), 'application/json'],
      ['PUT', '/account/password', '{}', 'application/json'],
      ['POST', '/account/password', '{broken', 'application/json'],
      ['POST', '/account/password', 'x', 'application/xml'],
      ['DELETE', '/account/application-passwords/abc', undefined, ''],
      ['GET', '', undefined, ''],
      ['GET', '/', undefined, ''],
      ['GET', `/profile/${'x'.repeat(5000)}`, undefined, ''],
    ] as const) {
      const answer = await world.request(method, path, body, type ? { 'content-type': type } : {})
      expect([answer.status, answer.body?.code, missing(answer)], `${method} ${path.slice(0, 40)}`).toEqual([401, 'rest_forbidden', []])
    }
  })

  test('then 404, 405 with what is allowed, 413, 415 and 400', async () => {
    const codes = async (method: string, path: string, body?: string, type = 'application/json') => {
      const answer = await ana.raw(method, path, body, body === undefined ? {} : { 'content-type': type })
      expect(missing(answer)).toEqual([])
      return [answer.status, answer.body.code, answer.headers.get('allow')]
    }
    expect(await codes('GET', '/no-such-thing')).toEqual([404, 'rest_no_route', null])
    expect(await codes('PUT', '/account/password', '{}')).toEqual([405, 'method_not_allowed', 'POST, OPTIONS'])
    expect(await codes('PATCH', '/account/application-passwords', '{}')).toEqual([405, 'method_not_allowed', 'GET, HEAD, POST, OPTIONS'])
    // Not the route of `DELETE /feeds/{feed_id}`.
    expect(await codes('DELETE', '/feeds/bookmarks')).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS'])
    expect(await codes('PATCH', '/feeds/7/comments/', '{}')).toEqual([405, 'method_not_allowed', 'GET, HEAD, POST, OPTIONS'])
    expect(await codes('PUT', '/%66eeds/7', '{}')).toEqual([405, 'method_not_allowed', 'POST, PATCH, DELETE, OPTIONS'])
    expect(await codes('POST', '/account/password', 'x'.repeat(300_000))).toEqual([413, 'body_too_large', null])
    expect(await codes('POST', '/account/password', 'x', 'application/xml')).toEqual([415, 'unsupported_media_type', null])
    expect(await codes('POST', '/account/password', '{broken')).toEqual([400, 'invalid_json', null])
    expect(await codes('GET', `/profile/${'x'.repeat(5000)}`)).toEqual([400, 'invalid_username', null])
  })
})

describe('HEAD and OPTIONS', () => {
  test('HEAD answers as GET does, without the body', async () => {
    const [get, head] = [await ana.raw('GET', '/profile/me'), await ana.raw('HEAD', '/profile/me')]
    expect([head.status, head.text, head.headers.get('content-length'), missing(head)]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
      [],
    ])
    expect((await world.request('HEAD', '/settings/public')).status).toBe(200)
    expect((await world.request('HEAD', '/profile/me')).status).toBe(401)
  })

  test('HEAD where there is no GET is 405', async () => {
    const answer = await ana.raw('HEAD', '/account/password')
    expect([answer.status, answer.text, answer.headers.get('allow'), missing(answer)]).toEqual([405, '', 'POST, OPTIONS', []])
  })

  test('OPTIONS returns the allowed methods, to allowed origins', async () => {
    const answer = await ana.raw('OPTIONS', '/account/application-passwords')
    expect([answer.status, answer.text, answer.headers.get('allow'), missing(answer)]).toEqual([204, '', 'GET, HEAD, POST, OPTIONS', []])
    expect((await world.request('OPTIONS', '/account/application-passwords')).status).toBe(401)
    expect((await world.request('OPTIONS', '/auth/login')).headers.get('allow')).toBe('POST, OPTIONS')
    expect((await ana.raw('OPTIONS', '/no-such-thing')).status).toBe(404)
  })
})

test('every page carries the headers too', async () => {
  for (const path of ['//', '//setup', '//health/live', '//docs/', '//no-such-page', '/openapi.json']) {
    expect(missing(await world.request('GET', path)), path).toEqual([])
  }
})

test('a safe request id is kept, any other is replaced', async () => {
  expect((await world.request('GET', '/settings/public', undefined, { 'x-request-id': 'mine-1' })).headers.get('x-request-id')).toBe(
    'mine-1',
  )
  expect((await world.request('GET', '/settings/public', undefined, { 'x-request-id': '<script>' })).headers.get('x-request-id')).toMatch(
    /^[0-9a-f-]{36}$/,
  )
})

describe('limits', () => {
  const standing = ({ headers }: RawAnswer) => ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
  const START = Date.parse('2026-03-10T12:00:00Z') / 1000

  test('100 a minute for an address, 1000 for an account, none for administrators', async () => {
    const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: 'on' } })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const [ben, admin] = [await limited.member(), await limited.member({ role: 'admin' })]
    const ask = (headers: Record<string, string>) => limited.request('GET', '/settings/public', undefined, headers)
    limited.clock.advance(7)

    for (let i = 1; i <= 100; i++) expect(standing(await ask(from('198.51.100.1')))).toEqual([100, 100 - i, START + 67])
    const late = await ask(from('198.51.100.1'))
    expect([late.status, late.body]).toEqual([
      429,
      { code: 'rate_limit_exceeded', message: expect.any(String), data: { status: 429, retry_after: 60 } },
    ])
    expect([late.headers.get('retry-after'), ...standing(late)]).toEqual(['60', 100, 0, START + 67])
    expect((await limited.request('GET', '/profile/me', undefined, from('198.51.100.1'))).status).toBe(429)
    expect((await ask(from('198.51.100.2'))).status).toBe(200)
    // An authenticated request counts only against the limit of its account, regardless of the address.
    expect(standing(await ben.raw('GET', '/settings/public', undefined, from('198.51.100.1')))).toEqual([1000, 999, START + 67])

    // Count the 990 requests in between without sending them.
    for (let i = 0; i < 990; i++) void limited.app.services.limiter.hit(`user:${ben.id}`, 1000, 60)
    for (let i = 8; i >= 0; i--) expect(standing(await ben.raw('GET', '/settings/public'))).toEqual([1000, i, START + 67])
    const over = await ben.raw('POST', '/account/password', {})
    expect([over.status, over.body.code, ...standing(over)]).toEqual([429, 'rate_limit_exceeded', 1000, 0, START + 67])
    expect(standing(await admin.raw('GET', '/settings/public'))[0]).toBeGreaterThan(100_000)

    limited.clock.advance(60)
    expect([(await ask(from('198.51.100.1'))).status, (await ben.raw('GET', '/profile/me')).status]).toEqual([200, 200])
    await limited.close()
  })

  test('no spelling of a path or header escapes them', async () => {
    const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
    const seen: number[] = []
    for (const path of [
      '/settings/public',
      '/settings/public/',
      '/%73ettings/public',
      '/settings/public?x',
      '/nope',
      '/%zz',
      '//api/v2',
      '/auth/session',
    ]) {
      const answer = await limited.request(path.includes('session') ? 'HEAD' : 'GET', path, undefined, {
        'x-forwarded-for': `198.51.100.${seen.length}`,
      })
      seen.push(standing(answer)[1] as number)
    }
    expect(seen).toEqual([99, 98, 97, 96, 95, 94, 93, 92])
    await limited.close()
  })
})
