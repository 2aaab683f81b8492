import { FEED_ORDERS } from '@lyceum/contract'
import { pages } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

type OrderName = (typeof FEED_ORDERS)[number]

let world: World
let ana: Member
let ben: Member
let admin: Member
let space: Space

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  admin = await world.member({ role: 'admin' })
  space = await makeSpace(world, { members: [ana, ben] })
})
afterAll(() => world.close())

type Query = Parameters<Member['api']['feeds']['list']>[0]
const list = async (query: Query = {}, who = ana) => (await who.api.feeds.list(query)).feeds
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
const post = async (body: object = {}, who = ana): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message: 'x', space_id: space.id, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

/** Every id of a list, by page number. */
const byPages = async (query: Query, per_page: number, who = ana) => {
  const found: number[] = []
  for (let page = 1; ; page++) {
    const { data, has_more, total, from, to } = await list({ ...query, page, per_page }, who)
    expect([from, to]).toEqual(data.length > 0 ? [found.length + 1, found.length + data.length] : [null, null])
    found.push(...idsOf(data))
    expect(has_more).toBe(found.length < total)
    if (!has_more) return found
  }
}
/** Every id of a list, by cursor; `between` runs between the pages. */
const byCursor = async (query: Query, per_page: number, between: () => Promise<unknown> = async () => {}, who = ana) => {
  const found: number[] = []
  for await (const { feeds } of pages(who.api.feeds.list, { ...query, per_page })) {
    found.push(...idsOf(feeds.data))
    await between()
  }
  return found
}

interface Figures {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly published_at: string
  readonly active_at: string
  readonly reactions_count: number
  readonly comments_count: number
}

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const down = (a: string | number, b: string | number) => (a < b ? 1 : a > b ? -1 : 0)
const newest = (a: Figures, b: Figures) => down(a.published_at, b.published_at) || down(a.id, b.id)
const popularity = (row: Figures) => row.reactions_count + 2 * row.comments_count

/** Independent implementation of the orders. */
const SORTS: Record<OrderName, (a: Figures, b: Figures) => number> = {
  latest: newest,
  recent: newest,
  published: newest,
  unanswered: newest,
  oldest: (a, b) => -newest(a, b),
  new_activity: (a, b) => down(a.active_at, b.active_at) || down(a.id, b.id),
  likes: (a, b) => down(a.reactions_count, b.reactions_count) || down(a.id, b.id),
  popular: (a, b) => down(popularity(a), popularity(b)) || down(a.id, b.id),
  alphabetical: (a, b) => byCodePoint(a.title, b.title) || byCodePoint(a.slug, b.slug) || a.id - b.id,
}
const sorted = (rows: readonly Figures[], order: OrderName) =>
  idsOf(rows.filter((row) => order !== 'unanswered' || row.comments_count === 0).sort(SORTS[order]))

const TITLES = ['', 'a', 'a', 'B', 'Z', 'z', 'ä', 'Ä', '漢', '🌱', '\uFF5E', '10', '9', ' lead']
/** A space of feeds with many ties in every sort key. */
const furnish = async (): Promise<Space> => {
  const here = await makeSpace(world, { members: [ana, ben] })
  await Promise.all(Array.from({ length: 30 }, (_, i) => post({ space_id: here.id, title: TITLES[i % TITLES.length] }, i % 3 ? ana : ben)))
  await world.app.write(null, async ({ db }) => {
    const ids = await db.selectFrom('feeds').select('id').where('space_id', '=', here.id).execute()
    for (const [i, { id }] of ids.entries()) {
      const moment = (n: number) => `2026-03-0${1 + (n % 4)} 10:00:00`
      const figures = { reactions_count: (i * 5) % 4, comments_count: (i * 3) % 5 === 0 ? 0 : i % 3 }
      await db
        .updateTable('feeds')
        .set({ ...figures, published_at: moment(i * 7), active_at: moment(i * 11) })
        .where('id', '=', id)
        .execute()
    }
  })
  return here
}
const figuresIn = ({ id }: Space): Promise<Figures[]> =>
  world.app.services.database.read.selectFrom('feeds').selectAll().where('space_id', '=', id).execute()

let full: Space
beforeAll(async () => {
  full = await furnish()
})

describe('orders', () => {
  it.each(FEED_ORDERS)('%s: pages and cursors return the whole list, each feed once', async (order_by_type) => {
    const query = { space: full.slug, order_by_type }
    const expected = sorted(await figuresIn(full), order_by_type)
    expect(expected.length).toBeGreaterThan(10)
    expect(idsOf((await list({ ...query, per_page: 100 })).data)).toEqual(expected)
    for (const per_page of [4, 30]) {
      expect(await byPages(query, per_page)).toEqual(expected)
      expect(await byCursor(query, per_page)).toEqual(expected)
    }
  })

  it('are newest first by default', async () => {
    expect(idsOf((await list({ space: full.slug, per_page: 100 })).data)).toEqual(sorted(await figuresIn(full), 'latest'))
  })

  it.each(['random', 'LATEST', '__proto__', 'constructor', 'latest,oldest', 'f.id'])('refuses %j', async (order) => {
    const { status, body } = await ana.raw('GET', `/feeds?order_by_type=${encodeURIComponent(order)}`)
    expect([status, body.code, body.data.field]).toEqual([400, 'invalid_parameter', 'order_by_type'])
  })
})

describe('cursors', () => {
  let here: Space
  beforeAll(async () => {
    here = await furnish()
  })

  it.each(FEED_ORDERS)('%s: feeds that arrive in between are neither skipped nor repeated', async (order_by_type) => {
    const before = sorted(await figuresIn(here), order_by_type)
    const added: number[] = []
    const arrive = async () => added.push(await post({ space_id: here.id, title: 'm' }, ben))
    const found = await byCursor({ space: here.slug, order_by_type }, 10, arrive)
    expect(new Set(found).size).toBe(found.length)
    expect(found.filter((id) => !added.includes(id))).toEqual(before)
    if (order_by_type === 'latest') expect(found).toEqual(before)
    if (order_by_type === 'oldest') expect(found.filter((id) => added.includes(id)).length).toBeGreaterThan(3)
  })

  it('belong to their order; synonyms of an order share them', async () => {
    const { next_cursor } = await list({ per_page: 1, order_by_type: 'latest' })
    const cursor = next_cursor as string
    for (const order_by_type of ['latest', 'recent', 'published'] as const)
      expect((await list({ cursor, order_by_type })).data).not.toEqual([])
    for (const order_by_type of ['oldest', 'unanswered', 'likes', 'popular', 'alphabetical', 'new_activity'] as const) {
      const { data } = await refused(list({ cursor, order_by_type }), 400, 'invalid_parameter')
      expect(data.field).toBe('cursor')
    }
  })

  const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  it.each([
    'nonsense',
    encode('null'),
    encode('[]'),
    encode('{"0":"newest"}'),
    encode(['newest']),
    encode(['newest', '2026-03-10 12:00:00']),
    encode(['newest', '2026-03-10 12:00:00', 1, 2]),
    encode(['newest', 5, 5]),
    encode(['newest', '2026-03-10 12:00:00', '5']),
    encode(['newest', '2026-03-10 12:00:00', 1.5]),
    encode(['newest', '2026-03-10 12:00:00', 2 ** 60]),
    encode('["newest","2026-03-10 12:00:00",1e400]'),
    encode(['newest', null, null]),
    encode(['newest', { a: 1 }, []]),
    encode(['newest', 'a\0b', 5]),
    encode([['newest'], 'a', 5]),
    `${'A'.repeat(501)}`,
  ])('%s is refused', async (cursor) => {
    const { data } = await refused(list({ cursor }), 400, 'invalid_parameter')
    expect(data.field).toBe('cursor')
  })

  it('do no harm if they are tampered with', async () => {
    for (const text of ["' or 1=1 --", '\ud800', '漢', '', '9'.repeat(200)]) {
      expect((await list({ cursor: encode(['newest', text, 5]) })).data.length).toBeLessThanOrEqual(10)
    }
    for (const id of [-1, 0, Number.MAX_SAFE_INTEGER]) await list({ cursor: encode(['likes', id, id]), order_by_type: 'likes' })
  })

  it('are returned while there are more rows', async () => {
    const here = await makeSpace(world, { members: [ana] })
    for (let i = 0; i < 3; i++) await post({ space_id: here.id })
    const [first, all] = [await list({ space: here.slug, per_page: 2 }), await list({ space: here.slug, per_page: 3 })]
    expect([typeof first.next_cursor, first.has_more, all.next_cursor, all.has_more]).toEqual(['string', true, null, false])
    const rest = await list({ space: here.slug, per_page: 2, cursor: first.next_cursor as string })
    expect([rest.data.length, rest.total, rest.from, rest.to]).toEqual([1, 3, null, null])
  })
})

describe('pages', () => {
  it('have ten feeds, or the requested number up to a hundred', async () => {
    expect(await list({ space: full.slug })).toMatchObject({ per_page: 10, current_page: 1, total: 30, from: 1, to: 10, has_more: true })
    expect(await list({ space: full.slug, per_page: 1000 })).toMatchObject({ per_page: 100, total: 30, to: 30, has_more: false })
    const huge = await ana.raw('GET', `/feeds?space=${full.slug}&per_page=99999999999999999999`)
    expect(huge.body.feeds.per_page).toBe(100)
  })

  it('beyond the end are empty and have the total', async () => {
    for (const page of [4, 1000, Number.MAX_SAFE_INTEGER]) {
      expect(await list({ space: full.slug, page })).toMatchObject({
        data: [],
        total: 30,
        from: null,
        to: null,
        has_more: false,
        next_cursor: null,
        current_page: page,
      })
      expect(await list({ space: full.slug, page, search: 'x' })).toMatchObject({ data: [], total: 30, has_more: false })
    }
  })

  it.each([
    ['per_page', '0'],
    ['per_page', '-1'],
    ['per_page', '1.5'],
    ['per_page', 'x'],
    ['per_page', ''],
    ['per_page', '1e1'],
    ['per_page', '0x10'],
    ['page', '0'],
    ['page', '-1'],
    ['page', '9007199254740992'],
    ['page', '1&page=2'],
    ['user_id', '0'],
    ['user_id', 'me'],
    ['user_id', '1%00'],
    ['status', 'deleted'],
    ['type', 'x'],
    ['space', 'a%00b'],
    ['search', 'a%00b'],
    ['search', 'x'.repeat(201)],
  ])('%s cannot be %s', async (field, value) => {
    const { status, body } = await ana.raw('GET', `/feeds?${field}=${value}`)
    expect([status, body.code, body.data.field]).toEqual([400, 'invalid_parameter', field])
  })

  it('ignore unknown parameters', async () => {
    expect((await ana.raw('GET', '/feeds?nonsense=1&sort=x')).status).toBe(200)
  })

  it('require authentication', async () => {
    await refused(world.anonymous.feeds.list(), 401, 'rest_forbidden')
    await refused(world.anonymous.feeds.byId({ feed_id: 1 }), 401, 'rest_forbidden')
    await refused(world.anonymous.feeds.bySlug({ feed_slug: 'x' }), 401, 'rest_forbidden')
  })
})

describe('filters', () => {
  it('narrow the list, alone and combined, in every order', async () => {
    const types = ['feed', 'text', 'question', 'announcement'] as const
    const quiet = await createWorld()
    const [boss, one, two] = [await quiet.member({ role: 'admin' }), await quiet.member(), await quiet.member()]
    const here = await makeSpace(quiet, { members: [one, two], admins: [boss] })
    const made: { id: number; type: string; user: number; words: string; inside: boolean }[] = []
    for (let i = 0; i < 24; i++) {
      const [type, who] = [types[i % 4] as string, [boss, one, two][(i + (i >> 2)) % 3] as Member]
      const [words, inside] = [i % 2 ? 'pear' : 'plum', i % 5 !== 0]
      const body = { type, message: words, title: `T${i % 5}`, space_id: inside ? here.id : null }
      const answer = await (type === 'announcement' ? boss : who).raw('POST', '/feeds', body)
      made.push({ id: answer.body.data.id, type, user: type === 'announcement' ? boss.id : who.id, words, inside })
    }
    const same = (type: string | undefined) => (type === 'text' ? 'feed' : type)
    for (const type of [undefined, ...types]) {
      for (const user_id of [undefined, one.id, boss.id]) {
        for (const space of [undefined, here.slug]) {
          for (const search of [undefined, 'pear']) {
            const expected = made.filter((feed) => {
              const fits = (!type || same(feed.type) === same(type)) && (!user_id || feed.user === user_id)
              return fits && (!space || feed.inside) && (!search || feed.words === search)
            })
            for (const order_by_type of ['latest', 'oldest', 'popular'] as const) {
              const query = { type, user_id, space, search, order_by_type }
              const { data, total } = await list({ ...query, per_page: 100 }, two)
              const ids = order_by_type === 'oldest' ? idsOf(expected) : idsOf(expected).reverse()
              expect({ query, ids: idsOf(data), total }).toEqual({ query, ids, total: ids.length })
            }
          }
        }
      }
    }
    await quiet.close()
  })

  it('status published is the default', async () => {
    expect(await list({ status: 'published', per_page: 50 })).toEqual(await list({ per_page: 50 }))
  })

  it('own drafts, scheduled and held feeds are listed only with the own user id', async () => {
    const draft = await post({ status: 'draft' })
    const scheduled = await post({ status: 'scheduled', scheduled_at: '2027-01-01 00:00:00' })
    const held = await post({})
    await admin.api.feeds.update({ feed_id: held, status: 'pending' })
    for (const [status, id] of [
      ['draft', draft],
      ['scheduled', scheduled],
      ['pending', held],
    ] as const) {
      expect(idsOf((await list({ status, user_id: ana.id })).data)).toEqual([id])
      expect(await list({ status })).toMatchObject({ data: [], total: 0 })
      expect(await list({ status, user_id: ana.id }, ben)).toMatchObject({ data: [], total: 0 })
      expect(await list({ status, user_id: ana.id, search: 'x' }, ben)).toMatchObject({ data: [], total: 0 })
    }
    expect(idsOf((await list({ status: 'draft', user_id: ana.id, space: space.slug, type: 'feed', search: 'x' })).data)).toEqual([draft])
    expect((await list({ status: 'draft', user_id: ana.id }, admin)).total).toBe(0)
    expect(idsOf((await list({ status: 'pending' }, admin)).data)).toEqual([held])
    const shown = (await list({ user_id: ana.id, per_page: 100 })).data
    expect(shown.filter(({ id }) => [draft, scheduled, held].includes(id))).toEqual([])
  })

  it('an unknown space is not found; an unknown member or topic gives an empty list', async () => {
    await refused(list({ space: 'no-such-space' }), 404, 'space_not_found')
    expect(await list({ user_id: 987_654_321 })).toMatchObject({ data: [], total: 0 })
    expect(await list({ topic_slug: 'no-such-topic' })).toMatchObject({ data: [], total: 0 })
  })
})

describe('an item', () => {
  it('is the full feed with the newest comments and reactions and the caller’s own fields', async () => {
    const here = await makeSpace(world, { members: [ana, ben] })
    const more = await Promise.all(Array.from({ length: 3 }, () => world.member()))
    const id = await post({ space_id: here.id, title: 'Item' })
    await world.app.write(null, async ({ db, now }) => {
      for (const { id: user_id } of more) {
        await db.insertInto('space_members').values({ space_id: here.id, user_id, joined_at: now, updated_at: now }).execute()
      }
    })
    const comments: number[] = []
    for (const who of [ana, ben, ...more]) {
      world.clock.advance(1)
      comments.push((await who.api.comments.create({ feed_id: id, comment: `by ${who.username}` })).data.id)
      await who.api.reactions.toFeed({ feed_id: id, type: 'love' })
    }
    await admin.api.comments.update({ feed_id: id, comment_id: comments[4] as number, status: 'spam' })
    await ben.api.reactions.toFeed({ feed_id: id, react_type: 'bookmark' })

    const [[mine], [others], [staff]] = [
      (await list({ space: here.slug })).data,
      (await list({ space: here.slug }, ben)).data,
      (await list({ space: here.slug }, admin)).data,
    ]
    expect(idsOf(mine?.comments ?? [])).toEqual([comments[3], comments[2]])
    expect(mine?.reactions.map((reaction) => reaction.xprofile.user_id)).toEqual(more.map((who) => who.id).reverse())
    expect(mine).toMatchObject({ comments_count: 4, reactions_count: 5, has_user_react: 'love', bookmarked: false })
    expect(others).toEqual({ ...mine, bookmarked: true })
    expect(staff).toEqual({ ...mine, has_user_react: null })
    for (const who of [ana, ben, admin]) {
      const [item] = (await list({ space: here.slug }, who)).data
      expect((await who.api.feeds.byId({ feed_id: id })).data).toEqual(item)
      expect((await who.api.feeds.bySlug({ feed_slug: 'item' })).data).toEqual(item)
    }
  })

  it('reveals nothing the caller may not see', async () => {
    const text = (await ana.raw('GET', '/feeds?per_page=100')).text
    for (const secret of [ben.email, admin.email, 'ip_address', 'password']) expect(text).not.toContain(secret)
  })
})

it('includes the execution time', async () => {
  const { execution_time } = await ana.api.feeds.list()
  expect(execution_time).toBeGreaterThan(0)
  expect(execution_time).toBeLessThan(5)
})
