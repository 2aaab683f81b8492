import { FEED_ORDERS } from '@lyceum/contract'
import { pages } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '../../../test/arrange.ts'
import { plansOf } from '../../../test/plans.ts'
import { createWorld, type Member, type World } from '../../../test/world.ts'
import { forgetFeedChanges, markFeedChanges } from '../../db/index.ts'
import { isFound, queryTokens, tokens } from '../../platform/content/search-text.ts'

const WORDS = ['amber', 'ambit', 'brook', 'brooch', 'cedar', 'delta', 'dell', '花園', '園', 'émile']
const QUERIES = ['amb', 'amber', 'brook cedar', 'd', 'dell am', '園', '花園', 'emile', 'e b', 'nothing', 'am dell']

let world: World
let people: Member[]
let admin: Member
let spaces: Space[]

let state = 20260401
const pick = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T
const text = () => Array.from({ length: 1 + pick(4) }, () => one(WORDS)).join(' ')

beforeAll(async () => {
  world = await createWorld({ start: '2026-04-01T12:00:00Z' })
  people = [await world.member(), await world.member(), await world.member()]
  admin = await world.member({ role: 'admin' })
  const [ana, ben, eve] = people as [Member, Member, Member]
  spaces = [
    await makeSpace(world, { members: [ana, ben] }),
    await makeSpace(world, { privacy: 'private', members: [ana, eve] }),
    await makeSpace(world, { privacy: 'secret', members: [ben] }),
  ]
  await ben.api.followers.follow({ username: ana.username })
})
afterAll(() => world.close())

type Query = Parameters<Member['api']['feeds']['list']>[0]

/** What a search must give: the list that the caller sees, looked through by hand. */
const expected = async (who: Member, search: string, query: Query) => {
  const words = queryTokens(search)
  const found: number[] = []
  for await (const { feeds, sticky } of pages(who.api.feeds.list, { ...query, per_page: 100 })) {
    expect(sticky).toBeNull()
    for (const feed of feeds.data) if (words && isFound(words, tokens(`${feed.title}\n${feed.message}`))) found.push(feed.id)
  }
  return found
}

const compare = async (who: Member, search: string, query: Query) => {
  const whole = await expected(who, search, query)
  const got = await who.api.feeds.list({ ...query, search, per_page: 100 })
  expect({ search, query, ids: got.feeds.data.map(({ id }) => id), total: got.feeds.total }).toEqual({
    search,
    query,
    ids: whole,
    total: whole.length,
  })
  const second = await who.api.feeds.list({ ...query, search, per_page: 3, page: 2 })
  expect(second.feeds.data.map(({ id }) => id)).toEqual(whole.slice(3, 6))
  const byCursor: number[] = []
  for await (const { feeds } of pages(who.api.feeds.list, { ...query, search, per_page: 7 }))
    byCursor.push(...feeds.data.map(({ id }) => id))
  expect(byCursor).toEqual(whole)
}

const change = async (ids: number[]) => {
  const who = one(people)
  const place = () => one([null, ...spaces])
  const post = async () => {
    const space = place()
    const body = { message: text(), title: text(), space_id: space?.id ?? null, privacy: one(['public', 'public', 'private'] as const) }
    const answer = await who.raw('POST', '/feeds', body)
    if (answer.status === 201) ids.push(answer.body.data.id)
  }
  const feed_id = one(ids)
  const put = (body: object) => admin.raw('PATCH', `/feeds/${feed_id}`, body)
  const steps = [
    post,
    post,
    post,
    () => put({ message: text() }),
    () => put({ title: text() }),
    () => put({ privacy: one(['public', 'private'] as const) }),
    () => put({ space_id: place()?.id ?? null }),
    () => put({ status: one(['spam', 'published', 'published'] as const) }),
    () => put({ expired_at: one([null, '2026-04-02 12:00:00']) }),
    () => admin.raw('DELETE', `/feeds/${feed_id}`),
    () => admin.raw('PATCH', `/spaces/${one(spaces).id}`, { privacy: one(['public', 'private', 'secret'] as const) }),
    () => who.raw('POST', `/feeds/${feed_id}/react`, { type: 'like' }),
    async () => {
      world.clock.advance(3600)
      await world.settle()
    },
  ]
  await one(steps)()
}

describe('a search in memory', () => {
  it('gives what the lists hold, whatever happens in between', async () => {
    const ids: number[] = []
    for (let i = 0; i < 20; i++) await change(ids)
    for (let round = 0; round < 25; round++) {
      const times = pick(8)
      for (let i = 0; i < times; i++) await change(ids)
      const who = one([...people, admin])
      const visible = [undefined, ...(await who.api.spaces.list({ per_page: 100 })).spaces.map(({ slug }) => slug)]
      const query: Query = { order_by_type: one(FEED_ORDERS), disable_sticky: 'yes' }
      await compare(who, one(QUERIES), query)
      const space = one(visible)
      await compare(who, one(QUERIES), {
        disable_sticky: 'yes',
        order_by_type: one(['latest', 'oldest'] as const),
        ...(space && { space }),
      })
    }
  }, 120_000)

  it('begins anew where what it missed was forgotten', async () => {
    const [ana] = people as [Member]
    const search = async (word: string) => (await ana.api.feeds.list({ search: word })).feeds.total
    const before = await search('forgotten')
    await ana.api.feeds.create({ message: 'forgotten' })
    for (let i = 0; i < 3; i++) await world.app.write(null, ({ db }) => markFeedChanges(db))
    await world.app.write(null, ({ db }) => forgetFeedChanges(db, 1000))
    expect([before, await search('forgotten'), await search('forgotten')]).toEqual([0, 1, 1])
  })

  it('reads what it has found by id', async () => {
    if (world.dialect !== 'sqlite') return
    const [ana] = people as [Member]
    const read = world.app.services.database.read
    for (let i = 0; i < 12; i++) await ana.api.feeds.create({ message: 'plentiful' })
    const stepsOf = async (query: Query) => {
      await ana.api.feeds.list({ search: 'plentiful', ...query })
      await ana.api.feeds.create({ message: 'other' })
      const plans = await plansOf(read, () => ana.api.feeds.list({ search: 'plentiful', ...query }))
      expect(plans.filter(({ sql }) => sql.includes('feed_search'))).toEqual([])
      const page = plans.filter(
        ({ sql }) => sql.includes('my_reaction') && sql.includes('my_bookmark') && !sql.includes('message_rendered'),
      )
      const notes = plans.filter(({ sql }) => sql.includes('feed_changes')).flatMap(({ steps }) => steps)
      expect(notes.filter((step) => /^SCAN c/.test(step))).toEqual([])
      return page.flatMap(({ steps }) => steps).filter((step) => / f | h /.test(`${step} `))
    }
    for (const order_by_type of ['latest', 'oldest'] as const) {
      expect(await stepsOf({ order_by_type })).toEqual(['SCAN h VIRTUAL TABLE INDEX 1:', 'SEARCH f USING INTEGER PRIMARY KEY (rowid=?)'])
    }
  })
})
