import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { expectInOrder } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let admin: Member
let space: Space
let secret: Space
const ids: number[] = []
const START = '2026-03-10 12:00:30'

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  admin = await world.member({ role: 'admin' })
  space = await makeSpace(world, { members: [ana, ben] })
  secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
  // Published at 12:00:00, :10, :20 … :50.
  for (const place of [null, space.id, secret.id, null, secret.id, space.id]) {
    ids.push((await ana.api.feeds.create({ message: 'rhubarb', space_id: place })).data.id)
    world.clock.advance(10)
  }
})
afterAll(() => world.close())

type Query = NonNullable<Parameters<Member['api']['feeds']['list']>[0]>
const at = (n: number) => ids[n] as number
const look = async (who: Member, query: Query) => {
  const { feeds, sticky } = await who.api.feeds.list(query)
  expect([sticky, feeds.total, feeds.has_more]).toEqual([null, feeds.data.length, false])
  return feeds.data.map(({ id }) => ids.indexOf(id))
}

describe('since', () => {
  it('lists what was published then or later, to those who see it', async () => {
    expect(await look(ana, { since: START })).toEqual([5, 4, 3])
    expect(await look(ben, { since: START })).toEqual([5, 3])
    expect(await look(ben, { since: START.replace(' ', 'T'), order_by_type: 'oldest' })).toEqual([3, 5])
    expect(await look(ana, { since: START, space: secret.slug })).toEqual([4])
    expect(await look(ana, { since: START, search: 'rhub' })).toEqual([5, 4, 3])
    expect(await look(ben, { since: START, user_id: ana.id, type: 'text' })).toEqual([5, 3])
    expect(await look(ana, { since: '2027-01-01 00:00:00' })).toEqual([])
  })

  it('can be continued by page and by cursor', async () => {
    const first = await ana.api.feeds.list({ since: START, per_page: 2 })
    expect([first.feeds.data.length, first.feeds.total, first.feeds.has_more]).toEqual([2, 3, true])
    for (const next of [{ page: 2 }, { cursor: first.feeds.next_cursor as string }]) {
      const { feeds } = await ana.api.feeds.list({ since: START, per_page: 2, ...next })
      expect([feeds.data.map(({ id }) => id), feeds.has_more]).toEqual([[at(3)], false])
    }
  })

  it('leaves a pinned feed where it is', async () => {
    await admin.api.feeds.patch({ feed_id: at(3), is_sticky: true })
    expect(await look(ben, { since: START })).toEqual([5, 3])
    await admin.api.feeds.patch({ feed_id: at(3), is_sticky: false })
  })
})

describe('updated_since', () => {
  it('lists what was published, edited or commented on then or later', async () => {
    world.clock.advance(3600)
    expect(await look(ana, { updated_since: '2026-03-10 13:00:00' })).toEqual([])
    await ben.api.comments.create({ feed_id: at(1), comment: 'x' })
    world.clock.advance(10)
    await ana.api.feeds.update({ feed_id: at(2), message: 'changed' })
    expect(await look(ana, { updated_since: '2026-03-10 13:00:00' })).toEqual([2, 1])
    expect(await look(ben, { updated_since: '2026-03-10 13:00:00' })).toEqual([1])
    expect(await look(ana, { updated_since: START })).toEqual([2, 1, 5, 4, 3])
    expect(await look(ana, { updated_since: START, since: START })).toEqual([5, 4, 3])
  })
})

it('orders without an index for it, and times that are none, are refused', async () => {
  for (const [query, field] of [
    [{ since: START, order_by_type: 'likes' }, 'order_by_type'],
    [{ updated_since: START, order_by_type: 'latest' }, 'order_by_type'],
    [{ since: 'yesterday' }, 'since'],
    [{ updated_since: '2026-02-30 00:00:00' }, 'updated_since'],
  ] as const) {
    const { status, body } = await ana.raw('GET', `/feeds?${new URLSearchParams(query)}`)
    expect([query, status, body.code, body.data?.field]).toEqual([query, 400, 'invalid_parameter', field])
  }
})

it.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')('a page reads an index in order', async () => {
  for (const query of [{ since: START }, { since: START, space: space.slug }, { updated_since: START }] as const)
    await expectInOrder(world, () => ana.api.feeds.list(query))
})
