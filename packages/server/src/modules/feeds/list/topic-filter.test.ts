import { FEED_ORDERS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

type Query = NonNullable<Parameters<Member['api']['feeds']['list']>[0]>

let world: World
let admin: Member
let ana: Member
let ben: Member
let open: Space
let closed: Space
/** Slug → id: one used by many feeds, one by few, and one that a few share with both. */
const topics: Record<'common' | 'rare' | 'other' | 'off', number> = { common: 0, rare: 0, other: 0, off: 0 }

const onSqlite = process.env.LYCEUM_TEST_DATABASE === 'sqlite'
const FEEDS = 50

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
  open = await makeSpace(world, { members: [ana] })
  closed = await makeSpace(world, { privacy: 'private', members: [ana] })
  for (const slug of ['common', 'rare', 'other', 'off'] as const) topics[slug] = (await admin.api.adminTopics.create({ title: slug })).id
  const { common, rare, other, off } = topics
  for (let i = 0; i < FEEDS; i++) {
    const carried = [...(i % 20 === 7 ? [rare] : []), ...(i % 5 === 2 ? [other] : []), ...(i % 3 !== 0 ? [common] : []), off]
    await ana.api.feeds.create({
      message: `Feed ${i}`,
      title: `Title ${(i * 7) % FEEDS}`,
      space_id: [null, open.id, closed.id][i % 3] as number | null,
      topics: carried,
      ...(i % 11 === 0 && { privacy: 'private' as const }),
      ...(i % 13 === 0 && { type: 'question' as const }),
    })
    if (i % 4 === 0) world.clock.advance(1)
  }
  const { data: draft } = await ana.api.feeds.create({ message: 'x', status: 'draft', topics: [common, rare] })
  expect(draft.id).toBeGreaterThan(0)
  await admin.api.adminTopics.update({ topic_id: off, status: 'inactive' })
  // Different sort keys, and a pinned feed with the topic.
  await world.app.write(null, async ({ db }) => {
    for (const { id } of await db.selectFrom('feeds').select('id').where('listed', '=', 1).execute()) {
      await db
        .updateTable('feeds')
        .set({ reactions_count: (id * 13) % 7, comments_count: (id * 17) % 5, active_at: `2026-03-11 00:00:${10 + ((id * 29) % 50)}` })
        .where('id', '=', id)
        .execute()
    }
  })
  const { feeds } = await admin.api.feeds.list({ topic_slug: 'common', space: open.slug })
  await admin.api.feeds.update({ feed_id: feeds.data[0]?.id as number, is_sticky: true })
})
afterAll(() => world.close())

/** All pages of a list, by page number or by cursor. */
const whole = async (who: Member, query: Query, by: 'page' | 'cursor' = 'page') => {
  const ids: number[] = []
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const { feeds, sticky } = await who.api.feeds.list({ ...query, per_page: 16, ...(by === 'page' ? { page } : cursor && { cursor }) })
    ids.push(...(sticky && page === 1 ? [sticky.id] : []), ...feeds.data.map(({ id }) => id))
    cursor = feeds.next_cursor ?? undefined
    if (!feeds.has_more) return { ids, total: feeds.total + (sticky ? 1 : 0) }
  }
}

const carrying = async (...ids: number[]) => {
  const rows = await world.app.services.database.read.selectFrom('feed_topics').selectAll().where('topic_id', 'in', ids).execute()
  return new Set(rows.map((row) => row.feed_id))
}

describe('the feeds of a topic', () => {
  it.each(FEED_ORDERS)('are those of the whole list that have it: %s', async (order_by_type) => {
    const cases: [Query, Set<number>][] = [
      [{ topic_slug: 'common' }, await carrying(topics.common)],
      [{ topic_slug: 'rare' }, await carrying(topics.rare)],
      [{ topics: `${topics.rare}` }, await carrying(topics.rare)],
      [{ topics: `${topics.rare}, ${topics.other},987654,${topics.off}` }, await carrying(topics.rare, topics.other)],
      [
        { topic_slug: 'common', topics: `${topics.other},${topics.rare}` },
        (await carrying(topics.common)).intersection(await carrying(topics.other, topics.rare)),
      ],
    ]
    const places: Query[] = [{}, { space: open.slug }, { type: 'question' }, { user_id: ana.id }, { search: 'feed', space: open.slug }]
    // A short run on PostgreSQL combines each order with some of them.
    const turn = FEED_ORDERS.indexOf(order_by_type)
    const some = onSqlite || SOAK > 1 ? places : places.filter((_, i) => i === 0 || i % 4 === turn % 4)
    for (const who of [ana, ben, admin]) {
      for (const place of who === ana ? some : places.slice(0, 1)) {
        // A pinned feed is not lifted to the top here.
        const all = await whole(who, { ...place, search: place.search ?? 'feed', order_by_type })
        for (const [query, expected] of cases) {
          const ids = all.ids.filter((id) => expected.has(id))
          const asked = { ...query, ...place, order_by_type }
          expect([asked, await whole(who, asked)]).toEqual([asked, { ids, total: ids.length }])
          if (place === places[0]) expect((await whole(who, asked, 'cursor')).ids).toEqual(ids)
        }
      }
    }
  })

  it('are none for an unknown or disabled topic', async () => {
    const { total } = (await ben.api.feeds.list()).feeds
    await ana.api.feeds.create({ message: 'feed anew', type: 'question' })
    expect((await ben.api.feeds.list({ topic_slug: 'no-such-topic' })).feeds.total).toBe(0)
    expect((await ben.api.feeds.list()).feeds.total).toBe(total + 1)
    for (const query of [{ topic_slug: 'no-such-topic' }, { topic_slug: 'off' }, { topics: `${topics.off}` }, { topics: '987654' }]) {
      const { feeds, sticky } = await ana.api.feeds.list(query)
      expect([feeds.data, feeds.total, feeds.has_more, sticky]).toEqual([[], 0, false, null])
    }
    await admin.api.adminTopics.saveConfig({ enabled: false })
    expect((await ana.api.feeds.list({ topic_slug: 'common' })).feeds.total).toBe(0)
    await admin.api.adminTopics.saveConfig({ enabled: true })
  })

  it('exclude pinned ones on request', async () => {
    const { feeds } = await ana.api.feeds.list({ topic_slug: 'common', per_page: 100 })
    const pinned = feeds.data.filter(({ is_sticky }) => is_sticky)
    expect(pinned).toHaveLength(1)
    const without = await ana.api.feeds.list({ topic_slug: 'common', per_page: 100, disable_sticky: 'yes' })
    expect(without.feeds.total).toBe(feeds.total - 1)
    expect(without.feeds.data.map(({ id }) => id)).not.toContain(pinned[0]?.id)
  })

  it.each(['x', '1,', ',1', '0', '-1', '1;2', '1.5', '1e3', '9'.repeat(20), Array.from({ length: 51 }, (_, i) => i + 1).join()])(
    'are not asked for by %j',
    async (value) => {
      const error = await refused(ana.api.feeds.list({ topics: value }), 400, 'invalid_parameter')
      expect(error.data['field']).toBe('topics')
    },
  )

  it('are counted again after one is added', async () => {
    const total = async () => (await ana.api.feeds.list({ topic_slug: 'rare' })).feeds.total
    const before = await total()
    const { data } = await ana.api.feeds.create({ message: 'feed of now', topics: [topics.rare] })
    expect(await total()).toBe(before + 1)
    await ana.api.feeds.update({ feed_id: data.id, topics: [] })
    expect(await total()).toBe(before)
    await ana.api.feeds.remove({ feed_id: data.id })
  })
})

describe.runIf(onSqlite)('on SQLite', () => {
  const PAGE = /limit/
  /** The query plan of the statement that finds a page. */
  const stepsOf = async (query: Query) => {
    const plans = await plansOf(world.app.services.database.read, () => ana.api.feeds.list(query))
    const page = plans.find(({ sql }) => PAGE.test(sql) && sql.includes('feed_topics') && sql.includes('order by'))
    return page?.steps.filter((step) => /^(SEARCH|SCAN) (f|c)\b|TEMP B-TREE/.test(step)) ?? []
  }
  const IN_TOPIC = expect.stringMatching(/^SEARCH c USING (COVERING )?INDEX feed_topics_newest \(topic_id=\?/)
  const BY_ID = 'SEARCH f USING INTEGER PRIMARY KEY (rowid=?)'

  it.each(['latest', 'oldest'] as const)('the newest are read from an index of the topic: %s', async (order_by_type) => {
    for (const topic_slug of ['common', 'rare']) expect(await stepsOf({ topic_slug, order_by_type })).toEqual([IN_TOPIC, BY_ID])
    const { feeds } = await ana.api.feeds.list({ topic_slug: 'common', order_by_type, per_page: 3 })
    const steps = await stepsOf({ topic_slug: 'common', order_by_type, cursor: feeds.next_cursor as string })
    expect(steps).toEqual([
      expect.stringMatching(/^SEARCH c USING COVERING INDEX feed_topics_newest \(topic_id=\? AND published_at[<>]\?/),
      BY_ID,
    ])
  })

  it('other orders sort a rare topic, and scan in order for a common one', async () => {
    // A common topic has more than four times the square root of all feeds.
    for (const [order_by_type, index] of [
      ['likes', 'feeds_likes'],
      ['popular', 'feeds_popular'],
      ['new_activity', 'feeds_active'],
      ['alphabetical', 'feeds_alphabetical'],
    ] as const) {
      expect(await stepsOf({ topic_slug: 'rare', order_by_type })).toEqual([IN_TOPIC, BY_ID, 'USE TEMP B-TREE FOR ORDER BY'])
      expect(await stepsOf({ topic_slug: 'common', order_by_type })).toEqual([
        expect.stringMatching(new RegExp(`^SCAN f USING (COVERING )?INDEX ${index}$`)),
      ])
    }
  })

  it('no statement scans a whole table', async () => {
    const queries: Query[] = [
      { topic_slug: 'common' },
      { topic_slug: 'rare', order_by_type: 'popular' },
      { topics: `${topics.rare},${topics.other}` },
      { topic_slug: 'common', space: open.slug },
      { topic_slug: 'rare', user_id: ana.id },
    ]
    for (const query of queries) {
      const plans = await plansOf(world.app.services.database.read, () => ana.api.feeds.list(query))
      const scans = plans.flatMap(({ steps }) => steps.filter((step) => /^SCAN (?!c$|p\d+$|CONSTANT)/.test(step)))
      expect({ query, scans }).toEqual({ query, scans: [] })
    }
  })
})
