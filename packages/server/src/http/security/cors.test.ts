import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchFile, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { ConfigError, readConfig } from '../../config.ts'

const APP = 'https://app.example'
const ask = (origin: string, method = 'POST') => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization, content-type',
})
const allowOf = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin')
const varies = ({ headers }: { readonly headers: Headers }) => (headers.get('vary') ?? '').split(/,\s*/).includes('origin')

test('refuses anything but origins, by the name of the variable', () => {
  for (const value of [
    'app.example',
    'https://app.example/',
    'https://app.example/path',
    'ftp://app.example',
    'HTTPS://App.example',
    'null',
  ])
    expect(() => readConfig({ LYCEUM_CORS_ORIGINS: value }), value).toThrow(/^LYCEUM_CORS_ORIGINS must be origins/)
  expect(() => readConfig({ LYCEUM_CORS_ORIGINS: `*,${APP}` })).toThrow(ConfigError)
  expect(readConfig({ LYCEUM_CORS_ORIGINS: `${APP}, http://localhost:5173` }).corsOrigins).toEqual([APP, 'http://localhost:5173'])
  expect(readConfig({}).corsOrigins).toEqual([])
})

describe('without the variable', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  test('no origin is allowed, and a preflight needs credentials like other requests', async () => {
    const preflight = await world.request('OPTIONS', '/feeds', undefined, ask(APP))
    expect([preflight.status, allowOf(preflight), varies(preflight)]).toEqual([401, null, false])
    const document = await world.request('GET', '/openapi.json', undefined, { origin: APP })
    expect([document.status, allowOf(document)]).toEqual([200, null])
  })
})

describe('with a list of origins', () => {
  let world: World
  let ana: Member
  beforeAll(async () => {
    world = await createWorld({ env: { LYCEUM_CORS_ORIGINS: APP, LYCEUM_RATE_LIMIT: 'on' } })
    ana = await world.member()
  })
  afterAll(() => world.close())

  test('answers a preflight before authentication, without allowing credentials', async () => {
    for (const path of ['/feeds', '/feeds/1/react', '/nowhere']) {
      const answer = await world.request('OPTIONS', path, undefined, ask(APP))
      expect([answer.status, answer.text, allowOf(answer), varies(answer)], path).toEqual([204, '', APP, true])
      expect(answer.headers.get('access-control-allow-methods')).toMatch(/\bPATCH\b.*\bDELETE\b/)
      expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/)
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      expect(answer.headers.has('www-authenticate')).toBe(false)
    }
  })

  test('lets pages of the origin read answers, errors and the headers they need', async () => {
    const answers = [
      await ana.raw('GET', '/feeds', undefined, { origin: APP }),
      await ana.raw('POST', '/feeds', { message: 'From elsewhere' }, { origin: APP }),
      await ana.raw('GET', '/feeds/987654321/by-id', undefined, { origin: APP }),
      await world.request('GET', '/feeds', undefined, { origin: APP }),
      await world.request('GET', '/openapi.json', undefined, { origin: APP }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 404, 401, 200])
    for (const answer of answers) {
      expect([allowOf(answer), varies(answer)]).toEqual([APP, true])
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      const exposed = (answer.headers.get('access-control-expose-headers') ?? '').split(', ')
      for (const name of ['Link', 'ETag', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id', 'Retry-After'])
        expect(exposed).toContain(name)
    }
    expect(answers[0]?.headers.get('vary')).toMatch(/\bauthorization\b/)
  })

  test('allows no other origin, and says to caches that the answer depends on it', async () => {
    for (const origin of ['https://evil.example', 'http://app.example', 'https://app.example.evil.example', 'null', '*']) {
      const preflight = await world.request('OPTIONS', '/feeds', undefined, ask(origin))
      expect([preflight.status, allowOf(preflight)], origin).toEqual([401, null])
      const answer = await ana.raw('GET', '/feeds', undefined, { origin })
      expect([answer.status, allowOf(answer), varies(answer)], origin).toEqual([200, null, true])
    }
    expect(varies(await ana.raw('GET', '/feeds'))).toBe(true)
  })

  test('covers files, but neither pages nor metrics', async () => {
    const file = await fetchFile(ana, (await upload(ana)).file_url, { origin: APP })
    expect([file.status, allowOf(file)]).toEqual([200, APP])
    for (const path of ['/metrics', '/health/live', '/docs/'])
      expect(allowOf(await fetch(world.origin + path, { headers: { origin: APP } })), path).toBeNull()
  })
})

test('with a star, any origin is allowed, and none with credentials', async () => {
  const world = await createWorld({ env: { LYCEUM_CORS_ORIGINS: '*' } })
  try {
    const answer = await world.request('OPTIONS', '/feeds', undefined, ask('https://any.example'))
    expect([answer.status, allowOf(answer)]).toEqual([204, '*'])
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    expect(allowOf(await world.request('GET', '/feeds', undefined, { origin: 'null' }))).toBe('*')
  } finally {
    await world.close()
  }
})
