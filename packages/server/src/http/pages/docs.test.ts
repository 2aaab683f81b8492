import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_API_ROOT: '/community/v2' } })
})
afterAll(() => world.close())

const directives = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((text) => [text.split(' ')[0] ?? '', text.split(' ').slice(1)]),
  )

/** The URLs from which the elements of a page load resources. */
const sources = (html: string) => [...html.matchAll(/\s(?:src|href|data-url)="([^"]*)"/g)].map((match) => match[1] ?? '')

describe('the interactive reference', () => {
  test.each(['//docs', '//docs/'])('%s needs no credentials and only loads from this server', async (path) => {
    const { status, headers, text } = await world.request('GET', path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(sources(text)).toEqual(['data:,', '/community/v2/openapi.json', '/docs/scalar.js'])
    const policy = directives(headers)
    expect(policy['default-src']).toEqual(["'none'"])
    expect(policy['script-src']).toEqual(["'self'"])
    expect(policy['connect-src']).toEqual(["'self'"])
    expect(
      Object.values(policy)
        .flat()
        .filter((source) => /https?:|\*|unsafe-eval/.test(source)),
    ).toEqual([])
  })

  test('its document exists', async () => {
    const { status, body, headers } = await world.request('GET', '/openapi.json')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
    const again = await world.request('GET', '/openapi.json', undefined, { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
    const tag = headers.get('etag') ?? ''
    for (const known of [`"other", ${tag}`, `W/${tag}`, '*']) {
      expect([known, (await world.request('GET', '/openapi.json', undefined, { 'if-none-match': known })).status]).toEqual([known, 304])
    }
    expect((await world.request('GET', '/openapi.json', undefined, { 'if-none-match': '"other"' })).status).toBe(200)
    expect(body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      servers: [{ url: expect.stringMatching(/^http:\/\/.+\/community\/v2$/) }],
    })
  })

  test('a part of its document can be read by tags, and is complete', async () => {
    const whole = (await world.request('GET', '/openapi.json')).body
    const { status, body, text } = await world.request('GET', '/openapi.json?tags=bookmarks,webhooks')
    expect([status, body.tags.map(({ name }: { name: string }) => name)]).toEqual([200, ['bookmarks', 'webhooks']])
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/feeds/bookmarks', '/admin/webhooks']))
    expect(body.paths['/feeds']).toBeUndefined()
    expect(body.webhooks).toEqual(whole.webhooks)
    expect(text.length).toBeLessThan(JSON.stringify(whole).length / 4)
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(body.components[kind][name], name).toEqual(whole.components[kind][name])
    expect((await world.request('GET', '/openapi.json?tags=')).body).toEqual(whole)

    const unknown = await world.request('GET', '/openapi.json?tags=feeds,nonsense')
    expect([unknown.status, unknown.body.message]).toEqual([400, 'There is no tag "nonsense".'])
  })

  test('parts of its document count against the rate limit, and the whole does not', async () => {
    const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
    const left = async (path: string) => Number((await limited.request('GET', path)).headers.get('x-ratelimit-remaining'))
    const before = await left('/openapi.json?tags=feeds')
    expect(await left('/openapi.json?tags=feeds')).toBe(before - 1)
    expect(await left('/openapi.json')).toBeGreaterThan(before - 2)
    await limited.close()
  })

  test('its script is served here, compressed if accepted, and cacheable', async () => {
    const script = await world.request('GET', '//docs/scalar.js', undefined, { 'accept-encoding': 'gzip' })
    expect(script.status).toBe(200)
    expect(script.headers.get('content-encoding')).toBe('gzip')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.text).toContain('createApiReference')

    const plain = await world.request('GET', '//docs/scalar.js', undefined, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.text === script.text).toBe(true)

    const again = await world.request('GET', '//docs/scalar.js', undefined, { 'if-none-match': script.headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

test('the landing page links to this server, and its policy only allows its style', async () => {
  const { status, headers, text } = await world.request('GET', '//')
  expect(status).toBe(200)
  expect(sources(text)).toEqual(['data:,', '/docs', '/community/v2/openapi.json', '/health/ready'])
  expect(text).toContain(`${world.base}/feeds`)
  expect(directives(headers)).toMatchObject({ 'default-src': ["'none'"], 'style-src': [expect.stringMatching(/^'sha256-.{44}'$/)] })
})
