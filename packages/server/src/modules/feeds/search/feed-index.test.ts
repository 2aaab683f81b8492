import { isFound, queryTokens, tokens } from '@lyceum/content'
import { FEED_ORDERS } from '@lyceum/contract'
import { pages } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { markFeedChanges, pruneFeedChanges } from '../../../db/index.ts'

const WORDS = ['amber', 'ambit', 'brook', 'brooch', 'cedar', 'delta', 'dell', '花園', '園', 'émile']
const QUERIES = ['amb', 'amber', 'brook cedar', 'd', 'dell am', '園', '花園', 'emile', 'e b', 'nothing', 'am dell']

let world: World
let people: Member[]
let admin: Member
let spaces: Space[]
let topics: { readonly id: number; readonly slug: string }[]

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
  await admin.api.adminTopics.saveConfig({ enabled: true, allow_multiple: true, max_topics_per_post: 5 })
  topics = []
  for (const title of ['Plants', 'Tools', 'Weather']) {
    const { id, slug } = await admin.api.adminTopics.create({ title })
    topics.push({ id, slug })
  }
})
afterAll(() => world.close())

type Query = NonNullable<Parameters<Member['api']['feeds']['list']>[0]>

type Listed = Awaited<ReturnType<Member['api']['feeds']['list']>>['feeds']['data'][number]

const isPlain = (type: string | undefined) => type === 'feed' || type === 'text'

/** Whether a feed, by its visible fields, matches the filter. */
const belongs = ({ search, type, topics: ids, topic_slug, order_by_type, user_id }: Query) => {
  const words = search === undefined ? null : queryTokens(search)
  return (feed: Listed) => {
    const carried = feed.terms.map(({ id }) => id)
    const isFoundIn = search === undefined || (words !== null && isFound(words, tokens(`${feed.title}\n${feed.message}`)))
    const isOfType = type === undefined || feed.type === type || (isPlain(type) && isPlain(feed.type))
    const carries = ids === undefined || ids.split(',').some((id) => carried.includes(Number(id)))
    const carriesIt = topic_slug === undefined || feed.terms.some(({ slug }) => slug === topic_slug)
    const isOpen = order_by_type !== 'unanswered' || feed.comments_count === 0
    return isFoundIn && isOfType && carries && carriesIt && isOpen && (user_id === undefined || feed.user_id === user_id)
  }
}

/** The expected list: the caller's whole list, filtered here. */
const expected = async (who: Member, query: Query) => {
  const isIn = belongs(query)
  const { order_by_type, space } = query
  const order = order_by_type === 'unanswered' ? 'latest' : order_by_type
  const asked = { ...(order && { order_by_type: order }), ...(space && { space }), disable_sticky: 'yes', per_page: 100 } as const
  const found: number[] = []
  for await (const { feeds, sticky } of pages(who.api.feeds.list, asked)) {
    expect(sticky).toBeNull()
    found.push(...feeds.data.filter(isIn).map(({ id }) => id))
  }
  return found
}

const compare = async (who: Member, query: Query) => {
  const whole = await expected(who, query)
  const got = await who.api.feeds.list({ ...query, per_page: 100 })
  expect({ query, ids: got.feeds.data.map(({ id }) => id), total: got.feeds.total }).toEqual({ query, ids: whole, total: whole.length })
  const second = await who.api.feeds.list({ ...query, per_page: 3, page: 2 })
  expect(second.feeds.data.map(({ id }) => id)).toEqual(whole.slice(3, 6))
  const byCursor: number[] = []
  for await (const { feeds } of pages(who.api.feeds.list, { ...query, per_page: 7 })) byCursor.push(...feeds.data.map(({ id }) => id))
  expect(byCursor).toEqual(whole)
}

const filters = (): Query => ({
  ...one<Query>([{}, { search: one(QUERIES) }, { search: one(QUERIES) }]),
  ...one<Query>([{}, {}, { type: one(['text', 'feed', 'question', 'announcement'] as const) }]),
  ...one<Query>([{}, {}, { topics: one(['1', '2,3']) }, { topics: '1,2', topic_slug: 'tools' }, { topic_slug: 'weather' }]),
  ...one<Query>([{}, {}, {}, { user_id: one(people).id }]),
})

const change = async (ids: number[]) => {
  const who = one(people)
  const place = () => one([null, ...spaces])
  const post = async () => {
    const space = place()
    const body = {
      ...{ message: text(), title: text(), space_id: space?.id ?? null, privacy: one(['public', 'public', 'private'] as const) },
      ...{ type: one(['text', 'feed', 'question'] as const), topics: one([[], [one(topics).id], topics.map(({ id }) => id).slice(0, 2)]) },
    }
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
    () => put({ type: one(['text', 'question'] as const) }),
    () => put({ topics: one([[], [one(topics).id]]) }),
    () => who.raw('POST', `/feeds/${feed_id}/comments`, { comment: 'Indeed.' }),
    async () => {
      const { body } = await admin.raw('GET', `/feeds/${feed_id}/comments`)
      for (const { id } of body.comments ?? []) await admin.raw('DELETE', `/feeds/${feed_id}/comments/${id}`)
    },
    () => put({ status: one(['spam', 'published', 'published'] as const) }),
    () => put({ expired_at: one([null, '2026-04-02 12:00:00']) }),
    () => admin.raw('DELETE', `/feeds/${feed_id}`),
    () => admin.raw('PATCH', `/spaces/${one(spaces).id}`, { privacy: one(['public', 'private', 'secret'] as const) }),
    () => who.raw('POST', `/feeds/${feed_id}/react`, { type: 'like' }),
    async () => {
      world.clock.advance(3600)
      await world.runPendingJobs()
    },
  ]
  await one(steps)()
}

describe('the in-memory search', () => {
  it('returns what the lists contain, after any changes', async () => {
    const ids: number[] = []
    for (let i = 0; i < 20; i++) await change(ids)
    for (let round = 0; round < 25; round++) {
      const times = pick(8)
      for (let i = 0; i < times; i++) await change(ids)
      const who = one([...people, admin])
      const visible = [undefined, ...(await who.api.spaces.list({ per_page: 100 })).spaces.map(({ slug }) => slug)]
      await compare(who, { ...filters(), order_by_type: one(FEED_ORDERS), disable_sticky: 'yes' })
      await compare(who, { ...filters(), order_by_type: 'unanswered', disable_sticky: 'yes' })
      const space = one(visible)
      await compare(who, {
        ...filters(),
        disable_sticky: 'yes',
        order_by_type: one(['latest', 'oldest'] as const),
        ...(space && { space }),
      })
    }
  }, 120_000)

  it('reloads if the change log was pruned', async () => {
    const [ana] = people as [Member]
    const search = async (word: string) => (await ana.api.feeds.list({ search: word })).feeds.total
    const before = await search('forgotten')
    await ana.api.feeds.create({ message: 'forgotten' })
    for (let i = 0; i < 3; i++) await world.app.write(null, ({ db }) => markFeedChanges(db))
    await world.app.write(null, ({ db }) => pruneFeedChanges(db, 1000))
    expect([before, await search('forgotten'), await search('forgotten')]).toEqual([0, 1, 1])
  })

  it('reads the matches by id', async () => {
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
      const notes = plans.filter(({ sql }) => sql.includes('feed_index_changelog')).flatMap(({ steps }) => steps)
      expect(notes.filter((step) => /^SCAN c/.test(step))).toEqual([])
      return page.flatMap(({ steps }) => steps).filter((step) => / f | h /.test(`${step} `))
    }
    for (const order_by_type of ['latest', 'oldest'] as const) {
      expect(await stepsOf({ order_by_type })).toEqual(['SCAN h VIRTUAL TABLE INDEX 1:', 'SEARCH f USING INTEGER PRIMARY KEY (rowid=?)'])
    }
  })
})
