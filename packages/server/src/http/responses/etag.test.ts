import { request as ask } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, type Stage } from '#test/one-of-each.ts'
import { fill } from '#test/valid-bodies.ts'
import type { Member } from '#test/world.ts'

let stage: Stage
let admin: Member
let member: Member
beforeAll(async () => {
  stage = await makeStage()
  admin = await stage.world.member({ role: 'admin' })
  member = stage.other
}, 60_000)
afterAll(() => stage.world.close())

const GETS = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).flatMap(([name, route]) =>
    (route as Route).method === 'GET' ? [{ id: `${group}.${name}`, route: route as Route }] : [],
  ),
)
/** Query parameters that are required. */
const QUERIES: Readonly<Record<string, string>> = { 'gif.search': '?q=x' }
/** Fewer operations than this need an external server or a missing object, and so have no entity tag here. */
const ELSEWHERE = 30

const pathOf = (id: string, route: Route) => {
  const { slug, report } = stage.sets.public
  const slugs = { feed_slug: slug, option_slug: 'a', key: 'site_description', code: 'x' }
  const own = { webhook_id: stage.webhook, delivery_id: stage.delivery, report_id: report, ...slugs }
  return fill(route.path, stage.sets.public.scene, own) + (QUERIES[id] ?? '')
}

describe('the headers of every GET response', () => {
  let tagged = 0

  test.each(GETS.filter(({ route }) => route.produces !== 'events'))('$id', async ({ id, route }) => {
    const path = pathOf(id, route)
    const first = await admin.raw('GET', path)
    const tag = first.headers.get('etag')
    if (first.status !== 200 || route.secret) {
      expect([first.headers.get('cache-control'), tag]).toEqual(['no-store', null])
      return
    }
    tagged += 1
    expect(tag).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect(first.headers.get('vary')).toContain('authorization, cookie')
    const again = await admin.raw('GET', path, undefined, { 'if-none-match': String(tag) })
    expect([again.status, again.text]).toEqual([304, ''])
    expect([again.headers.get('etag'), again.headers.get('content-type')]).toEqual([tag, null])
    for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-content-type-options', 'vary', 'cache-control'])
      expect(again.headers.get(name)).not.toBeNull()
    const head = await admin.raw('HEAD', path)
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag])
  })

  test('are mostly tested with existing objects', () => {
    expect(GETS.length - tagged).toBeLessThan(ELSEWHERE)
  })
})

const feedPath = () => `/feeds/${stage.sets.public.scene.feed}/by-id`

describe('a tag', () => {
  test('changes with the response, and only then', async () => {
    const own = await member.raw('GET', feedPath())
    const tag = String(own.headers.get('etag'))
    await admin.api.reactions.toFeed({ feed_id: stage.sets.public.scene.feed, type: 'like' })
    const other = await member.raw('GET', feedPath(), undefined, { 'if-none-match': tag })
    expect(other.status).toBe(200)
    expect(other.headers.get('etag')).not.toBe(tag)
    await admin.api.reactions.toFeed({ feed_id: stage.sets.public.scene.feed, type: 'like' })
  })

  test('differs for viewers with another response', async () => {
    const { data } = await member.api.feeds.create({ message: 'Reacted to by one alone', space_id: stage.sets.public.scene.space.id })
    await admin.api.reactions.toFeed({ feed_id: data.id, type: 'like' })
    for (const path of [`/feeds/${data.id}/by-id`, '/feeds?per_page=1', '/profile/me']) {
      const mine = await admin.raw('GET', path)
      const theirs = await member.raw('GET', path, undefined, { 'if-none-match': String(mine.headers.get('etag')) })
      if (theirs.status === 304) expect((await member.raw('GET', path)).body).toEqual(mine.body)
      else expect(theirs.headers.get('etag')).not.toBe(mine.headers.get('etag'))
    }
    const liked = await admin.raw('GET', `/feeds/${data.id}/by-id`)
    expect((await member.raw('GET', `/feeds/${data.id}/by-id`)).headers.get('etag')).not.toBe(liked.headers.get('etag'))
  })

  test('ignores the duration of the request', async () => {
    const tags = new Set<string | null>()
    for (let i = 0; i < 3; i++) tags.add((await admin.raw('GET', '/feeds')).headers.get('etag'))
    expect(tags.size).toBe(1)
  })

  test('reveals nothing to those who may not see the response', async () => {
    const tag = String((await admin.raw('GET', '/admin/managers')).headers.get('etag'))
    const refused = await member.raw('GET', '/admin/managers', undefined, { 'if-none-match': tag })
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([403, 'no-store'])
    const nobody = await stage.world.request('GET', feedPath(), undefined, { 'if-none-match': '*' })
    expect(nobody.status).toBe(401)
  })

  test.each([
    ['in a list, with commas in another', (tag: string) => `"a,b", ${tag}`],
    ['without its W/', (tag: string) => tag.slice(2)],
    ['for anything', () => '*'],
  ])('is recognized %s', async (_name, headerOf) => {
    const tag = String((await admin.raw('GET', feedPath())).headers.get('etag'))
    expect((await admin.raw('GET', feedPath(), undefined, { 'if-none-match': headerOf(tag) })).status).toBe(304)
  })

  test('does not match another, nor apply to a write', async () => {
    expect((await admin.raw('GET', feedPath(), undefined, { 'if-none-match': '"x", W/"y"' })).status).toBe(200)
    const made = await admin.raw('POST', '/feeds', { message: 'Written' }, { 'if-none-match': '*' })
    expect([made.status, made.headers.get('etag'), made.headers.get('cache-control')]).toEqual([201, null, 'no-store'])
  })
})

interface Packed {
  readonly encoding: string | undefined
  readonly vary: string | undefined
  readonly etag: string | undefined
  readonly body: Buffer
}

/** The response as sent; `fetch` would decompress it. */
const packed = (path: string, accept: string | null, type = 'application/json'): Promise<Packed> =>
  new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`
    const headers = { authorization, accept: type, ...(accept !== null && { 'accept-encoding': accept }) }
    ask(stage.world.base + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          encoding: response.headers['content-encoding'],
          vary: response.headers.vary,
          etag: response.headers.etag,
          body: Buffer.concat(chunks),
        }),
      )
    })
      .once('error', reject)
      .end()
  })

describe('a response is compressed', () => {
  test.each([
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['identity;q=0.9, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['', undefined],
    [null, undefined],
  ])('for %s as %s', async (accept, encoding) => {
    await admin.api.feeds.create({ message: 'Many words about much. '.repeat(100) })
    const plain = await packed('/feeds', null)
    const got = await packed('/feeds', accept)
    expect([got.encoding, got.etag]).toEqual([encoding, plain.etag])
    expect(got.vary).toContain('accept-encoding')
    const unpack = encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : (bytes: Buffer) => bytes
    const timeless = (bytes: Buffer) => ({ ...JSON.parse(String(bytes)), execution_time: 0 })
    expect(timeless(unpack(got.body))).toEqual(timeless(plain.body))
  })

  test('unless it is small, or contains a secret', async () => {
    expect((await packed('/feeds/links', 'gzip')).encoding).toBeUndefined()
    expect((await packed('/auth/session', 'gzip')).vary).toBeUndefined()
  })

  test('as CSV as well', async () => {
    const got = await packed(api.analytics.overviewWidget.path, 'gzip', 'text/csv')
    expect(got.etag).toBeDefined()
    expect(got.vary).toContain('accept,')
  })
})
