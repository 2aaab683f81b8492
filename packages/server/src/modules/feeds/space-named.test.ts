import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let bob: Member
let inside: Space
let other: Space
let secret: Space

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  bob = await world.member()
  inside = await makeSpace(world, { privacy: 'private', members: [ana] })
  other = await makeSpace(world, { privacy: 'public', members: [ana] })
  secret = await makeSpace(world, { privacy: 'secret', members: [bob] })
})
afterAll(() => world.close())

const post = (body: object) => ana.raw('POST', '/feeds', { message: 'For the founders', ...body })
const placeOf = async (feed_id: number) => (await ana.api.feeds.byId({ feed_id })).data.space_id
const count = async () => (await ana.api.feeds.list({})).feeds.total

describe('a new feed', () => {
  it('goes to the space given by slug, by id, or by both', async () => {
    const { id, slug } = inside
    for (const named of [
      { space: slug },
      { space_id: id },
      { space_id: String(id) },
      { space: slug, space_id: id },
      { space: slug, space_id: null },
      { space: null, space_id: id },
      { space: '', space_id: id },
    ]) {
      const { status, body } = await post(named)
      expect([named, status]).toEqual([named, 201])
      expect([named, await placeOf(body.data.id)]).toEqual([named, id])
      expect((await bob.raw('GET', `/feeds/${body.data.id}/by-id`)).status).toBe(404)
    }
  })

  it('is outside of spaces if none is given', async () => {
    for (const named of [{}, { space: null }, { space: '' }, { space_id: null }, { space_id: '' }]) {
      const { body } = await post(named)
      expect([named, await placeOf(body.data.id)]).toEqual([named, null])
    }
  })

  it('is refused if the space is invalid or not open to the caller', async () => {
    const before = await count()
    for (const [named, status, code] of [
      [{ space: other.slug, space_id: inside.id }, 400, 'invalid_data'],
      [{ space: 'no-such-space' }, 404, 'space_not_found'],
      [{ space: secret.slug }, 404, 'space_not_found'],
      [{ space: secret.slug, space_id: inside.id }, 404, 'space_not_found'],
      [{ space: 'no-such-space', space_id: inside.id }, 404, 'space_not_found'],
      [{ space: { id: inside.id } }, 400, 'invalid_data'],
      [{ space: inside.id }, 400, 'invalid_data'],
      [{ space: [inside.slug] }, 400, 'invalid_data'],
      [{ space: true }, 400, 'invalid_data'],
      [{ space_id: inside.slug }, 400, 'invalid_data'],
      [{ space_id: 0 }, 400, 'invalid_data'],
      [{ space_id: true }, 400, 'invalid_data'],
      [{ space_id: [inside.id] }, 400, 'invalid_data'],
    ] as const) {
      const { status: got, body } = await post(named)
      expect([named, got, body.code]).toEqual([named, status, code])
    }
    expect(await count()).toBe(before)
    const hidden = await post({ space: secret.slug })
    expect(hidden.body).toEqual((await post({ space: 'no-such-space' })).body)
  })
})

describe('a moved feed', () => {
  const change = (feed_id: number, body: object) => ana.raw('POST', `/feeds/${feed_id}`, body)

  it('goes to the given space, and stays if none is given', async () => {
    const { body } = await post({ space: inside.slug })
    const { id } = body.data
    for (const [named, place] of [
      [{ space: other.slug }, other.id],
      [{ message: 'Changed' }, other.id],
      [{ message: 'Changed', space: '' }, other.id],
      [{ message: 'Changed', space_id: '' }, other.id],
      [{ space: null, space_id: inside.id }, inside.id],
      [{ space: other.slug, space_id: String(other.id) }, other.id],
      [{ space: null }, null],
      [{ space: inside.slug, space_id: null }, inside.id],
      [{ space_id: null }, null],
    ] as const) {
      expect([named, (await change(id, named)).status]).toEqual([named, 200])
      expect([named, await placeOf(id)]).toEqual([named, place])
    }
  })

  it('is refused if the space is invalid or not open to the caller', async () => {
    const { body } = await post({ space: inside.slug })
    const { id } = body.data
    for (const [named, status, code] of [
      [{ space: other.slug, space_id: inside.id }, 400, 'invalid_data'],
      [{ space: 'no-such-space' }, 404, 'space_not_found'],
      [{ space: secret.slug }, 404, 'space_not_found'],
    ] as const) {
      const { status: got, body: told } = await change(id, named)
      expect([named, got, told.code]).toEqual([named, status, code])
    }
    expect(await placeOf(id)).toBe(inside.id)
  })
})

describe('lists can be filtered by space', () => {
  const get = (path: string, query: string) => ana.raw('GET', `${path}?${query}`)

  it('for feeds', async () => {
    await post({ space: other.slug })
    const by = async (query: string) => {
      const { status, body } = await get('/feeds', `per_page=100&${query}`)
      return [status, body.code, [...new Set((body.feeds?.data ?? []).map((feed: { space_id: number }) => feed.space_id))]]
    }
    for (const query of [
      `space_id=${inside.id}`,
      `space=${inside.slug}`,
      `space_id=${inside.id}&space=${inside.slug}`,
      `space_id=${inside.id}&space=`,
    ])
      expect([query, ...(await by(query))]).toEqual([query, 200, undefined, [inside.id]])
    // The other space has its own list, even if the first one is cached.
    expect(await by(`space_id=${other.id}`)).toEqual([200, undefined, [other.id]])
    expect((await by('space=&space_id='))[2]).toEqual((await by(''))[2])
    for (const query of [`space_id=${secret.id}`, `space=${secret.slug}`, 'space_id=987654321', 'space=no-such-space'])
      expect([query, ...(await by(query))]).toEqual([query, 404, 'space_not_found', []])
    for (const query of [`space_id=${inside.id}&space=${other.slug}`, 'space_id=inside'])
      expect([query, ...(await by(query))]).toEqual([query, 400, 'invalid_parameter', []])
  })

  it.each([
    ['/feeds/bookmarks', 'space_not_found'],
    ['/scheduled-posts', 'space_not_found'],
    ['/leaderboard', 'space_not_found'],
    ['/members', 'space_not_found'],
    ['/topics', 'space_not_found'],
    ['/activities', 'not_found'],
  ])('%s', async (path, code) => {
    const { id, slug } = inside
    const plain = async (query: string) => {
      const { status, body } = await get(path, query)
      // Fields that depend on the request and its duration.
      return [status, JSON.stringify(body).replaceAll(/"execution_time":[^,}]+|https?:[^"]+/g, '')]
    }
    const expected = await plain(`space_id=${id}`)
    expect(expected[0]).toBe(200)
    for (const query of [`space=${slug}`, `space=${slug}&space_id=${id}`, `space=&space_id=${id}`])
      expect(await plain(query)).toEqual(expected)
    for (const query of [`space=${secret.slug}`, `space_id=${secret.id}`, 'space=no-such-space', 'space_id=987654321']) {
      const { status, body } = await get(path, query)
      expect([query, status, body.code]).toEqual([query, 404, code])
    }
    const { status, body } = await get(path, `space=${slug}&space_id=${other.id}`)
    expect([status, body.code, body.data.field]).toEqual([400, 'invalid_parameter', 'space_id'])
  })
})
