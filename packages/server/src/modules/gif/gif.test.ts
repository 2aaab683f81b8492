import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

const KEY = 'Gif-Key-4711 &secret'
/** Query parameters of a request to the provider. */
type Query = URLSearchParams
type Answer = (query: Query, response: ServerResponse) => void

const size = (width: number | string, height: number | string, url = 'https://media.example/g.gif') => ({
  url,
  width,
  height,
  size: '1234',
})
const item = (id: string, more: object = {}) => ({
  type: 'gif',
  id,
  title: `GIF ${id}`,
  url: `https://gifs.example/${id}`,
  rating: 'pg',
  trending_datetime: '2020-01-02 03:04:05',
  images: {
    original: size('480', '270'),
    downsized: size(400, 225),
    preview: { mp4: 'https://media.example/g.mp4', width: '100', height: '56' },
    preview_gif: size('100', '56'),
    fixed_height: size('356', '200'),
    fixed_width: size('200', '113'),
    fixed_height_small: size('178', '100'),
    looping: { mp4: 'https://media.example/g.mp4' },
  },
  ...more,
})
const page = (data: readonly unknown[], more: object = {}) => ({
  data,
  pagination: { total_count: '120', count: String(data.length), offset: '0' },
  meta: { status: 200, msg: 'OK', response_id: 'r1' },
  ...more,
})
const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const found: Answer = (query, response) => json(response, page([item(query.get('q') ?? '')]))

let world: World
let ana: Member
let admin: Member
let provider: Receiver
let answer: Answer

const begin = async (env: Record<string, string> = {}) => {
  provider = await startReceiver((got, response) => answer(new URL(got.path, 'http://x').searchParams, response))
  world = await createWorld({ env: { LYCEUM_GIF_API_URL: `${provider.url}/v1/gifs/`, LYCEUM_GIF_HOURLY_BUDGET: '0', ...env } })
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  answer = found
  await admin.api.settings.saveFeatures({ gif_enabled: true, gif_api_key: KEY })
}
const end = async () => {
  await world.close()
  await provider.stop()
}
/** Clears the cache, the request log and the circuit breaker. */
const beginAnew = async () => {
  answer = found
  await admin.api.settings.saveFeatures({ gif_enabled: true, gif_api_key: KEY, gif_rating: 'g', gif_language: 'en' })
  world.clock.advance(7200)
  await search('anew')
  provider.seen.length = 0
}

const queries = () => provider.seen.map(({ path }) => new URL(path, 'http://x').searchParams)
const search = (q: string, more: object = {}) => ana.api.gif.search({ q, ...more })

describe('a search', () => {
  beforeAll(() => begin())
  beforeEach(beginAnew)
  afterAll(end)

  it('returns the shape of the API, with numbers as numbers', async () => {
    expect(await search('cat')).toEqual({
      data: [
        {
          id: 'cat',
          title: 'GIF cat',
          url: 'https://gifs.example/cat',
          images: {
            original: { url: 'https://media.example/g.gif', width: 480, height: 270, size: 1234 },
            downsized: { url: 'https://media.example/g.gif', width: 400, height: 225, size: 1234 },
            preview: { url: 'https://media.example/g.gif', width: 100, height: 56, size: 1234 },
            fixed_height: { url: 'https://media.example/g.gif', width: 356, height: 200, size: 1234 },
            fixed_width: { url: 'https://media.example/g.gif', width: 200, height: 113, size: 1234 },
            fixed_height_small: { url: 'https://media.example/g.gif', width: 178, height: 100, size: 1234 },
          },
          rating: 'pg',
          trending_datetime: '2020-01-02 03:04:05',
        },
      ],
      pagination: { total_count: 120, count: 1, offset: 0 },
      meta: { status: 200, msg: 'OK', response_id: 'r1' },
    })
  })

  it('sends the defaults or the requested parameters to the provider', async () => {
    await search('cat')
    await search('ein  Hund & api_key=x', { limit: 80, offset: 7, rating: 'pg-13', lang: 'de' })
    await admin.api.settings.saveFeatures({ gif_rating: 'pg', gif_language: 'fr' })
    await search('cat')
    expect(provider.seen.every(({ method, path }) => method === 'GET' && path.startsWith('/v1/gifs/search?'))).toBe(true)
    expect(queries().map((query) => Object.fromEntries(query))).toEqual([
      { api_key: KEY, q: 'cat', limit: '25', offset: '0', rating: 'g', lang: 'en' },
      { api_key: KEY, q: 'ein Hund & api_key=x', limit: '50', offset: '7', rating: 'pg-13', lang: 'de' },
      { api_key: KEY, q: 'cat', limit: '25', offset: '0', rating: 'pg', lang: 'fr' },
    ])
  })

  it.each([
    ['', 'missing_query'],
    ['q=', 'missing_query'],
    ['q=%20%09', 'missing_query'],
    ['q=cat&rating=x', 'invalid_parameter'],
    ['q=cat&rating=constructor', 'invalid_parameter'],
    ['q=cat&lang=en%26limit%3D5000', 'invalid_parameter'],
    ['q=cat&limit=0', 'invalid_parameter'],
    ['q=cat&offset=-1', 'invalid_parameter'],
  ])('?%s: 400 %s', async (query, code) => {
    const { status, body } = await ana.raw('GET', `/gif?${query}`)
    expect([status, body.code]).toEqual([400, code])
    expect(provider.seen).toEqual([])
  })

  it('accepts a query of up to 200 characters', async () => {
    expect((await search('语'.repeat(200))).data).toHaveLength(1)
    await refused(search('x'.repeat(201)), 400, 'invalid_parameter')
  })

  it('requires an account, the feature switch and a key', async () => {
    expect((await world.request('GET', '/gif?q=cat')).status).toBe(401)
    await admin.api.settings.saveFeatures({ gif_api_key: '' })
    await refused(search('cat'), 401, 'invalid_api_key')
    await admin.api.settings.saveFeatures({ gif_api_key: KEY, gif_enabled: false })
    await refused(search('cat'), 403, 'gif_disabled')
    expect(provider.seen).toEqual([])
  })

  it('returns only https addresses, numbers and plain text', async () => {
    const good = item('good', {
      title: '<img src=x onerror=alert(1)>Cat &amp; <b>dog</b>',
      rating: 'Y',
      trending_datetime: '0000-00-00 00:00:00',
    })
    const images = { ...good.images, fixed_width: size(1, 1, 'javascript:alert(1)'), downsized: size('wide', 2), extra: size(1, 1) }
    const bad = [
      item('a', { url: 'data:text/html,<script>alert(1)</script>' }),
      item('b', { images: { ...good.images, original: size(1, 1, 'http://media.example/g.gif') } }),
      item('c', { images: null }),
      item('d', { id: { toString: 'x' } }),
      item('e', { url: 'https://user:pw@gifs.example/' }),
      null,
      'text',
      [],
    ]
    answer = (_query, response) => json(response, page([{ ...good, images, html: '<b>' }, ...bad], { extra: 1 }))
    const { data, pagination } = await search('cat')
    expect(data.map(({ id }) => id)).toEqual(['good'])
    expect(data[0]).toMatchObject({ title: 'Cat & dog', rating: 'g', trending_datetime: null })
    expect(Object.keys(data[0]?.images ?? {})).toEqual(['original', 'preview', 'fixed_height', 'fixed_height_small'])
    expect(pagination.count).toBe(1)
  })

  it('returns no more than requested', async () => {
    answer = (_query, response) => json(response, page(Array.from({ length: 80 }, (_, n) => item(`g${n}`))))
    expect((await search('cat', { limit: 3 })).data).toHaveLength(3)
  })

  it('never reveals the key, even if the provider does', async () => {
    answer = (query, response) =>
      json(
        response,
        page([item('x', { title: `key ${KEY}`, url: `https://gifs.example/?k=${encodeURIComponent(query.get('api_key') ?? '')}` })]),
      )
    const { text } = await ana.raw('GET', '/gif?q=leak')
    expect(text).toContain('"id":"x"')
    for (const spelling of [KEY, encodeURIComponent(KEY), 'Gif-Key-4711']) expect(text).not.toContain(spelling)
  })

  it('is cached for a while, and concurrent searches share one request', async () => {
    const open: (() => void)[] = []
    answer = (query, response) => void open.push(() => found(query, response))
    const many = Promise.all(['cat', 'Cat', ' cat ', 'cat'].map((q) => search(q)))
    await expect.poll(() => open.length).toBe(1)
    for (const go of open) go()
    expect(new Set((await many).map((one) => JSON.stringify(one))).size).toBe(1)
    answer = found
    await search('cat')
    expect(provider.seen).toHaveLength(1)
    await search('cat', { offset: 25 })
    await search('cat', { rating: 'r' })
    expect(provider.seen).toHaveLength(3)
    world.clock.advance(3600)
    await search('cat')
    expect(provider.seen).toHaveLength(4)
  })
})

describe('vuln-18: a provider', () => {
  beforeAll(() => begin())
  beforeEach(beginAnew)
  afterAll(end)

  const failing =
    (status: number, headers = {}): Answer =>
    (_query, response) =>
      json(response, { meta: { msg: `no ${KEY}` } }, status, headers)

  it.each([
    [401, 401, 'invalid_api_key'],
    [403, 401, 'invalid_api_key'],
    [429, 429, 'rate_limit_exceeded'],
    [500, 503, 'service_unavailable'],
    [404, 503, 'service_unavailable'],
    [302, 503, 'service_unavailable'],
  ])('that responds with %i is %i %s, and is called again', async (given, status, code) => {
    answer = failing(given, given === 302 ? { location: `${provider.url}/elsewhere` } : {})
    for (let n = 0; n < 2; n++) {
      const { status: told, body, text, headers } = await ana.raw('GET', '/gif?q=cat')
      expect([told, body.code]).toEqual([status, code])
      expect(text).not.toContain('4711')
      expect(headers.get('www-authenticate')).toBeNull()
    }
    expect(provider.seen).toHaveLength(2)
    answer = found
    expect((await search('cat')).data).toHaveLength(1)
  })

  it('its Retry-After is passed on', async () => {
    answer = failing(429, { 'retry-after': '77' })
    expect((await refused(search('cat'), 429, 'rate_limit_exceeded')).data).toMatchObject({ retry_after: 77 })
    answer = failing(429, { 'retry-after': '<b>' })
    expect((await refused(search('cat'), 429, 'rate_limit_exceeded')).data).toMatchObject({ retry_after: 60 })
  })

  it.each<[string, Answer]>([
    ['HTML', (_query, response) => void response.end('<html>not json</html>')],
    ['nothing', (_query, response) => void response.end()],
    ['null', (_query, response) => void response.end('null')],
    ['no list', (_query, response) => json(response, { data: { length: 3 } })],
    [
      'half an answer',
      (_query, response) => void response.writeHead(200, { 'content-length': '999' }).write('{"data":[', () => response.destroy()),
    ],
    ['too much', (_query, response) => void response.end(`{"data":[],"x":"${'y'.repeat(3_000_000)}"}`)],
    [
      'a bomb',
      (_query, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(60_000_000, 32))),
    ],
    ['a closed connection', (_query, response) => void response.socket?.destroy()],
  ])('that responds with %s is 503 service_unavailable', async (_name, work) => {
    answer = work
    await refused(search('cat'), 503, 'service_unavailable')
  })

  it('that reports the status in the body is handled alike', async () => {
    answer = (_query, response) => json(response, { meta: { status: 403 }, data: [] })
    await refused(search('cat'), 401, 'invalid_api_key')
  })

  it('that hangs or trickles is abandoned within three seconds and blocks nothing else', async () => {
    answer = (query, response) => {
      if (query.get('q') === 'hang') return
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(drip))
    }
    const started = performance.now()
    const slow = Promise.all(['hang', 'drip'].map((q) => refused(search(q), 503, 'service_unavailable')))
    await pause(50)
    const before = performance.now()
    await ana.api.feeds.list({})
    expect(performance.now() - before).toBeLessThan(1000)
    await slow
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('that keeps failing is not called for some seconds', async () => {
    answer = failing(500)
    for (let n = 0; n < 12; n++) await refused(search(`q${n}`), 503, 'service_unavailable')
    answer = found
    const error = await refused(search('other'), 503, 'service_unavailable')
    expect(error.data).toMatchObject({ retry_after: 5 })
    expect(provider.seen).toHaveLength(12)
    world.clock.advance(5)
    expect((await search('other')).data).toHaveLength(1)
    expect((await search('another')).data).toHaveLength(1)
  })

  it('gets at most twenty concurrent requests', async () => {
    let present = 0
    let most = 0
    answer = (query, response) => {
      most = Math.max(most, ++present)
      setImmediate(() => {
        present -= 1
        found(query, response)
      })
    }
    await Promise.all(Array.from({ length: 60 }, (_, n) => search(`many ${n}`)))
    expect(provider.seen).toHaveLength(60)
    expect(most).toBeLessThanOrEqual(20)
  })
})

it('the hourly budget counts requests to the provider', async () => {
  await begin({ LYCEUM_GIF_HOURLY_BUDGET: '2' })
  for (const q of ['one', 'one', 'two', 'two']) await search(q)
  const error = await refused(search('three'), 429, 'rate_limit_exceeded')
  expect(error.data['retry_after']).toBeGreaterThan(0)
  expect(await search('one')).toMatchObject({ data: [{ id: 'one' }] })
  expect(provider.seen).toHaveLength(2)
  world.clock.advance(3600)
  expect(await search('three')).toMatchObject({ data: [{ id: 'three' }] })
  await end()
})

it('members have an hourly limit, which cached searches and moderators do not use', async () => {
  await begin({ LYCEUM_RATE_LIMIT: 'on' })
  await admin.api.settings.save({ limits: { gif_searches_per_hour: 2 } } as never)
  for (const q of ['one', 'two', 'one', 'two']) await search(q)
  await refused(search('three'), 429, 'rate_limit_exceeded')
  await admin.api.gif.search({ q: 'three' })
  expect(await search('three')).toMatchObject({ data: [{ id: 'three' }] })
  expect(await (await world.member()).api.gif.search({ q: 'four' })).toMatchObject({ data: [{ id: 'four' }] })
  world.clock.advance(3600)
  await search('five')
  await end()
})

it('without a provider there is no search', async () => {
  await begin({ LYCEUM_GIF_API_URL: '' })
  await refused(search('cat'), 403, 'gif_disabled')
  await end()
})
