import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

/** Links of a response by relation, as paths below the API root. */
const linksOf = ({ headers }: RawAnswer): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url = '', rel]) => {
      expect(url.startsWith(`${world.base}/`), url).toBe(true)
      return [rel, url.slice(world.base.length)]
    }),
  )

const LISTS = Object.values(api).flatMap((routes) =>
  Object.values(routes as Readonly<Record<string, Route>>).filter(({ query }) => query && Object.hasOwn(query.properties, 'page')),
)

/** Names of the properties of a response, in their order; `?` for free-form data. */
const namesIn = (schema: unknown): string[] => {
  const { properties, items, additionalProperties } = (schema ?? {}) as {
    properties?: object
    items?: object
    additionalProperties?: unknown
  }
  if (properties) return Object.entries(properties).flatMap(([name, inner]) => [name, ...namesIn(inner)])
  return items ? namesIn(items) : additionalProperties === true ? ['?'] : []
}

test('each list names its total after its items, or has none', () => {
  const ends = LISTS.filter(({ path }) => path !== '/feeds').map(({ path, response }) => {
    const names = namesIn(response)
    const after = names.slice(names.lastIndexOf('total') + 1)
    return [path, names.includes('total') && after.includes('?')]
  })
  expect(ends.filter(([, isUncertain]) => isUncertain)).toEqual([])
  expect(LISTS.filter(({ response }) => !namesIn(response).includes('total')).map(({ path }) => path)).toEqual(['/spaces/users/search'])
})

/** The numbers that a list gives for itself. */
const totalsIn = (body: object): number[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (name === 'total' && typeof value === 'number') return [value]
    return value !== null && typeof value === 'object' && !Array.isArray(value) && name !== 'sticky' ? totalsIn(value) : []
  })

describe('links of lists', () => {
  beforeAll(async () => {
    const space = await makeSpace(world, { privacy: 'public' })
    for (let i = 0; i < 5; i++) {
      const feed = { space_id: space.id, message: `Feed ${i}`, meta: { total: 99, last_page: 99 } }
      expect((await admin.raw('POST', '/feeds', feed)).status).toBe(201)
    }
    for (let i = 0; i < 4; i++) await world.member()
    await admin.raw('POST', '/feeds', { message: 'Pinned', is_sticky: true, meta: { total: 77 } })
  })

  test('agree with the response, for every list', async () => {
    for (const { path } of LISTS.filter(({ path }) => !path.includes('{') && path !== '/spaces/users/search')) {
      for (const time of ['first', 'cached']) {
        const answer = await admin.raw('GET', `${path}?per_page=2&page=1`)
        expect(answer.status, `${path} ${answer.text}`).toBe(200)
        const [total = -1] = totalsIn(answer.body)
        const last = Math.max(1, Math.ceil(total / 2))
        expect(linksOf(answer), `${path} ${time}`).toEqual({
          first: `${path}?per_page=2&page=1`,
          ...(last > 1 && { next: `${path}?per_page=2&page=2` }),
          last: `${path}?per_page=2&page=${last}`,
        })
      }
    }
  })

  test('lead through all pages with the same filters', async () => {
    const seen: number[] = []
    const query = '?search=feed&order_by_type=oldest&per_page=2'
    for (let path: string | undefined = `/feeds${query}`; path; ) {
      const answer = await admin.raw('GET', path)
      const links = linksOf(answer)
      seen.push(...answer.body.feeds.data.map(({ id }: { id: number }) => id))
      expect(links['first']).toBe(`/feeds${query}&page=1`)
      expect(links['last']).toBe(`/feeds${query}&page=3`)
      const page = answer.body.feeds.current_page
      expect(links['prev']).toBe(page === 1 ? undefined : `/feeds${query}&page=${page - 1}`)
      path = links['next']
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
  })

  test('follow a cursor, which has no numbers of pages', async () => {
    const { body } = await admin.raw('GET', '/feeds?per_page=2')
    const answer = await admin.raw('GET', `/feeds?per_page=2&cursor=${body.feeds.next_cursor}`)
    const { first, next, last } = linksOf(answer)
    expect([first, last]).toEqual(['/feeds?per_page=2&page=1', undefined])
    expect(next).toBe(`/feeds?per_page=2&cursor=${answer.body.feeds.next_cursor}`)
    expect((await admin.raw('GET', next ?? '')).body.feeds.data).toHaveLength(1)
  })

  test('a page after the last one leads back, and an empty list has one page', async () => {
    expect(linksOf(await admin.raw('GET', '/members?page=9&per_page=100'))).toEqual({
      first: '/members?per_page=100&page=1',
      prev: '/members?per_page=100&page=1',
      last: '/members?per_page=100&page=1',
    })
    expect(linksOf(await admin.raw('GET', '/feeds?search=nothing'))).toEqual({
      first: '/feeds?search=nothing&page=1',
      last: '/feeds?search=nothing&page=1',
    })
  })

  test('are valid for any query', async () => {
    const { headers } = await admin.raw('GET', `/members?search=${encodeURIComponent('a>; rel="x" <ü')}`)
    expect(headers.get('link')).toMatch(/^<[\x21\x23-\x3b\x3d\x3f-\x7e]+>; rel="first", <[\x21\x23-\x3b\x3d\x3f-\x7e]+>; rel="last"$/)
  })

  test('other responses have none', async () => {
    for (const path of ['/feeds/987654321/by-id', '/account/application-passwords', '/settings/public', '/feeds?page=0'])
      expect((await admin.raw('GET', path)).headers.has('link'), path).toBe(false)
  })
})
