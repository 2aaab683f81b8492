import { FEED_ORDERS } from '@lyceum/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { rawGet } from '#test/raw-get.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type App, createApp } from '../app.ts'
import { cookieName } from '../auth/session.ts'
import { timestamp } from '../core/clock.ts'
import type { Db } from '../db/index.ts'
import { createToken, hashToken } from '../secrets/token.ts'

/** Where each look takes longer there are fewer: those who look take turns, and random histories are for the harness that has two servers. */
const slow = process.env['LYCEUM_TEST_DATABASE'] === 'postgres' && SOAK === 1

let world: World
/** The same community on the same data, through connections of its own and without caches. */
let bare: App

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
  bare = await createApp({ config: world.app.services.config, clock: world.clock, passwordCost: 4 })
})
afterAll(async () => {
  await bare.close()
  await world.close()
})

interface Answer {
  readonly status: number
  readonly text: string
}
const timeless = (text: string) => text.replace(/"execution_time":[0-9.e+-]+/, '"execution_time":0')
const basic = ({ username, password }: Member) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
const kept = async (who: Member, path: string): Promise<Answer> => {
  const { status, text } = await rawGet(world.base + path, { authorization: basic(who) })
  return { status, text: timeless(text) }
}
const fresh = async (who: Member, path: string): Promise<Answer> => {
  const { statusCode, body } = await bare.http.inject({ method: 'GET', url: `/api/v2${path}`, headers: { authorization: basic(who) } })
  return { status: statusCode, text: timeless(body) }
}

/** Every answer is the one that a server without caches gives. */
const expectSame = async (people: readonly Member[], paths: readonly string[]) => {
  for (const who of people) {
    const answers = await Promise.all(paths.map((path) => kept(who, path)))
    const expected = await Promise.all(paths.map((path) => fresh(who, path)))
    for (const [i, path] of paths.entries())
      expect({ who: who.username, path, ...answers[i] }).toEqual({ who: who.username, path, ...expected[i] })
  }
}

/** A write past the API, by this server or by another process on the same data. */
const write = (through: 'own' | 'other', work: (db: Db) => Promise<unknown>) =>
  (through === 'own' ? world.app : bare).write(null, async ({ db }) => {
    await work(db)
  })

interface Community {
  readonly people: readonly Member[]
  readonly spaces: readonly Space[]
  readonly feeds: readonly number[]
  readonly comments: readonly (readonly [feed: number, comment: number])[]
}

const found = async (): Promise<Community> => {
  const db = bare.services.database.read
  const feeds = await db.selectFrom('feeds').select('id').orderBy('id').execute()
  const comments = await db.selectFrom('comments').select(['id', 'post_id']).orderBy('id').execute()
  const spaces = await db.selectFrom('spaces').select(['id', 'slug']).orderBy('id').execute()
  return { people, spaces, feeds: feeds.map(({ id }) => id), comments: comments.map(({ id, post_id }) => [post_id, id]) }
}

let people: Member[]
/** Pages of every order and of each filter, and what stands behind the first of them. */
const listsOf = ({ spaces, people: all }: Community): string[] => [
  ...FEED_ORDERS.flatMap((order) => [`/feeds?order_by_type=${order}&per_page=3`, `/feeds?order_by_type=${order}&page=2&per_page=3`]),
  ...all.slice(0, 2).map(({ id }) => `/feeds?user_id=${id}`),
  ...spaces.slice(0, 1).map(({ slug }) => `/feeds?space=${slug}&disable_sticky=yes&order_by_type=new_activity`),
  ...['feed', 'text', 'question'].map((type) => `/feeds?type=${type}&per_page=4`),
  '/feeds?topic_slug=news',
  '/feeds?topics=1,2&order_by_type=popular',
  '/feeds?status=pending',
]

/** The second page by cursor, which a first one tells. */
const behind = async (who: Member, path: string): Promise<string[]> => {
  const { feeds } = JSON.parse((await fresh(who, path)).text) as { feeds?: { next_cursor: string | null } }
  return feeds?.next_cursor ? [`${path}&cursor=${feeds.next_cursor}`] : []
}

const pathsOf = ({ spaces, feeds, comments }: Community): string[] => [
  '/feeds',
  '/feeds?disable_sticky=yes&per_page=3',
  '/feeds?order_by_type=oldest&per_page=4&page=2',
  '/feeds?search=word',
  ...spaces.flatMap(({ slug }) => [`/feeds?space=${slug}`, `/feeds?space=${slug}&order_by_type=likes`]),
  ...feeds.slice(-4).map((id) => `/feeds/${id}/by-id`),
  ...feeds.slice(-3).map((id) => `/feeds/${id}/comments`),
  ...feeds.slice(-2).map((id) => `/feeds/${id}/comments?parent_id=0&orderby=likes&per_page=2`),
  ...comments.slice(-2).map(([, id]) => `/comments/${id}`),
  '/feeds/bookmarks',
]

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]
type Act = (community: Community, n: number, through: 'own' | 'other') => Promise<unknown>

const update = (table: 'users' | 'spaces' | 'feeds' | 'comments', values: (n: number) => object): Act => {
  const rows = { users: (c: Community) => c.people.map(({ id }) => id), spaces: (c: Community) => c.spaces.map(({ id }) => id) }
  return async (community, n, through) => {
    const ids = table === 'feeds' ? community.feeds : table === 'comments' ? community.comments.map(([, id]) => id) : rows[table](community)
    const id = pick(ids, n)
    if (id !== undefined) await write(through, (db) => db.updateTable(table).set(values(n)).where('id', '=', id).execute())
  }
}

const ask =
  (method: string, path: (feed: number, comment: number) => string, body: (n: number) => object = () => ({})): Act =>
  async ({ feeds, comments, people: all }, n) => {
    const who = pick(all, n) as Member
    const ofComment = path(0, 0) !== path(0, 1)
    const [feed, comment] = ofComment ? (pick(comments, n >> 3) ?? [0, 0]) : [pick(feeds, n >> 3) ?? 0, 0]
    const answer = await who.raw(method, path(feed, comment), method === 'DELETE' ? undefined : body(n))
    expect([200, 201, 400, 403, 404], answer.text).toContain(answer.status)
  }

const feedAt = (feed: number) => `/feeds/${feed}`
const commentAt = (feed: number, comment: number) => `/feeds/${feed}/comments/${comment}`
const one = <T>(n: number, ...choices: T[]): T => choices[n % choices.length] as T

const ACTS: Readonly<Record<string, Act>> = {
  post: async ({ spaces }, n) => {
    const space_id = pick([...spaces, null], n)?.id ?? null
    const body = { message: `a word ${n}`, space_id, privacy: one(n >> 4, 'public', 'public', 'private'), title: `T${n % 7}` }
    await (pick(people, n >> 2) as Member).raw('POST', '/feeds', body)
  },
  reword: ask('POST', feedAt, (n) => ({ message: `another word ${n}` })),
  hide: ask('POST', feedAt, (n) => ({ status: one(n >> 2, 'draft', 'published', 'spam', 'pending') })),
  retitle: ask('POST', feedAt, (n) => ({ title: one(n >> 2, 'Aaa', 'Zzz', `M${n}`) })),
  retype: ask('POST', feedAt, (n) => ({ type: one(n >> 2, 'question', 'feed', 'text') })),
  move: async ({ spaces, feeds }, n) => {
    const space_id = pick([...spaces, null], n)?.id ?? null
    await (pick(people, n >> 1) as Member).raw('POST', feedAt(pick(feeds, n >> 3) ?? 0), { space_id })
  },
  follow: async (_, n, through) => {
    const [who, whom] = [pick(people, n) as Member, pick(people, (n >> 2) + n + 1) as Member]
    if (who.id === whom.id) return
    await write(through, async (db) => {
      const moment = '2026-03-10 12:00:00'
      const row = { follower_id: who.id, following_id: whom.id, created_at: moment, updated_at: moment }
      await db.deleteFrom('followers').where('follower_id', '=', who.id).where('following_id', '=', whom.id).execute()
      const status = one(n >> 1, 'active' as const, 'active' as const, 'pending' as const)
      if (n % 3)
        await db
          .insertInto('followers')
          .values({ ...row, status })
          .execute()
    })
  },
  ban: async ({ spaces }, n, through) => {
    const [space, who] = [pick(spaces, n), pick(people, n >> 2) as Member]
    const status = one(n >> 3, 'banned' as const, 'pending' as const, 'active' as const)
    const of = (db: Db) => db.updateTable('space_members').set({ status }).where('user_id', '=', who.id)
    if (space) await write(through, (db) => of(db).where('space_id', '=', space.id).execute())
  },
  topic: async ({ feeds }, n, through) => {
    const [feed, topic] = [pick(feeds, n >> 2) ?? 0, 1 + (n % 2)]
    await write(through, async (db) => {
      await db.deleteFrom('feed_topics').where('feed_id', '=', feed).where('topic_id', '=', topic).execute()
      const row = { feed_id: feed, topic_id: topic, position: 0, published_at: '2026-03-10 12:00:00' }
      if (n % 3) await db.insertInto('feed_topics').values(row).execute()
      if (n % 5 === 0)
        await db
          .updateTable('topics')
          .set({ status: one(n >> 1, 'inactive', 'active') })
          .where('id', '=', topic)
          .execute()
    })
  },
  vote: ask(
    'POST',
    (feed) => `/feeds/${feed}/apps/survey-vote`,
    (n) => ({ option_slug: one(n, 'a', 'b') }),
  ),
  unmark: async (_, n, through) => {
    const who = pick(people, n) as Member
    const table = one(n >> 2, 'reactions' as const, 'bookmarks' as const)
    await write(through, (db) => db.deleteFrom(table).where('user_id', '=', who.id).execute())
  },
  privacy: ask('POST', feedAt, (n) => ({ privacy: one(n >> 2, 'private', 'public') })),
  pin: ask('POST', feedAt, (n) => ({ is_sticky: n % 3 > 0 })),
  expire: ask('POST', feedAt, (n) => ({ expired_at: one(n >> 2, '2026-03-01 00:00:00', null) })),
  lapse: async ({ feeds }, n) => {
    const author = pick(people, n) as Member
    const soon = new Date(world.clock.now().getTime() + 1000).toISOString().slice(0, 19)
    await author.raw('POST', feedAt(pick(feeds, n >> 2) ?? 0), { expired_at: soon, is_sticky: false })
    await kept(author, '/feeds?disable_sticky=yes&per_page=30')
    world.clock.advance(1)
    await world.runPendingJobs()
  },
  remove: ask('DELETE', feedAt),
  comment: ask(
    'POST',
    (feed) => `/feeds/${feed}/comments`,
    (n) => ({ comment: `says ${n}` }),
  ),
  recomment: ask('POST', commentAt, (n) => ({ comment: `says again ${n}` })),
  hold: ask('POST', commentAt, (n) => ({ status: one(n >> 2, 'spam', 'published', 'pending') })),
  stick: ask('POST', commentAt, (n) => ({ is_sticky: n % 2 === 0 })),
  uncomment: ask('DELETE', commentAt),
  react: ask(
    'POST',
    (feed) => `/feeds/${feed}/react`,
    (n) => ({ type: one(n >> 2, 'like', 'love') }),
  ),
  bookmark: ask(
    'POST',
    (feed) => `/feeds/${feed}/react`,
    (n) => ({ react_type: 'bookmark', ...(n % 2 && { remove: true }) }),
  ),
  reactTo: ask(
    'POST',
    (feed, comment) => `${commentAt(feed, comment)}/reactions`,
    (n) => ({ type: one(n >> 2, 'like', 'wow') }),
  ),
  person: update('users', (n) =>
    one<object>(
      n >> 2,
      { display_name: `Name ${n}` },
      { avatar: `https://example.org/${n}.png` },
      { total_points: n },
      { is_verified: n % 2 },
      { badge_slugs: `["b${n}"]` },
      { short_description: `d ${n}` },
      { social_links: `{"fb":"f${n}"}` },
      { website: 'https://example.org', cover_photo: 'https://example.org/c.png' },
    ),
  ),
  rename: update('spaces', (n) => one<object>(n >> 2, { title: `Space ${n}` }, { type: `t${n}` }, { slug: `renamed-${n}` })),
  close: update('spaces', (n) =>
    one<object>(n >> 2, { privacy: 'public' }, { privacy: 'private' }, { privacy: 'secret' }, { status: 'draft' }, { status: 'published' }),
  ),
  touch: update('feeds', (n) => ({ message: `past the rules ${n}`, published_at: `2026-03-0${1 + (n % 9)} 10:00:00` })),
  touchComment: update('comments', (n) => ({ message: `past the rules ${n}` })),
  place: async ({ spaces }, n, through) => {
    const [space, who] = [pick(spaces, n), pick(people, n >> 2) as Member]
    if (!space) return
    await write(through, async (db) => {
      await db.deleteFrom('space_members').where('space_id', '=', space.id).where('user_id', '=', who.id).execute()
      const moment = '2026-03-10 12:00:00'
      const row = {
        space_id: space.id,
        user_id: who.id,
        joined_at: moment,
        updated_at: moment,
        role: one(n >> 3, 'member' as const, 'moderator' as const),
      }
      if (n % 3) await db.insertInto('space_members').values(row).execute()
    })
  },
  staff: async ({ spaces }, n, through) => {
    const who = people[3] as Member
    await write(through, async (db) => {
      const permissions = JSON.stringify(one(n, ['manage_feeds', 'pin_feeds'], ['pin_feeds'], [], ['resolve_reports']))
      await db
        .updateTable('managers')
        .set({ permissions, all_spaces: n % 2 ? 1 : 0 })
        .where('user_id', '=', who.id)
        .execute()
      await db.deleteFrom('manager_spaces').where('user_id', '=', who.id).execute()
      const space = pick(spaces, n)
      if (space && n % 3) await db.insertInto('manager_spaces').values({ user_id: who.id, space_id: space.id }).execute()
    })
  },
}

/** Changes of more kinds than the others. */
const VARIED = new Set(['post', 'person', 'close'])

describe('cached data', () => {
  beforeAll(async () => {
    people = [await world.member(), await world.member(), await world.member({ role: 'admin' }), await world.member({ role: 'manager' })]
    const [ana, ben] = people as [Member, Member]
    const spaces = [
      await makeSpace(world, { members: [ana, ben] }),
      await makeSpace(world, { privacy: 'private', members: [ana], moderators: [ben] }),
    ]
    for (let n = 0; n < 8; n++) {
      const { data } = await one(n, ana, ben).api.feeds.create({
        message: `first word ${n}`,
        space_id: one(n, spaces[0]?.id, spaces[1]?.id, null) ?? null,
      })
      if (n % 2) await ben.raw('POST', `/feeds/${data.id}/comments`, { comment: 'x' })
    }
    const survey = { question: 'Q', options: ['a', 'b'].map((slug) => ({ slug, label: slug })), show_results: 'after_vote' }
    const { data } = await ana.api.feeds.create({ message: 'a word to vote on', meta: { survey } })
    await ben.api.surveys.vote({ feed_id: data.id, option_slug: 'a' })
    const topic = { description: '', color: '', icon: '', position: 1, is_global: 1 as const, admin_only: 0 as const }
    const moment = { created_at: '2026-03-10 12:00:00', updated_at: '2026-03-10 12:00:00' }
    const titles = [
      { title: 'News', slug: 'news' },
      { title: 'Help', slug: 'help' },
    ]
    await write('own', (db) =>
      db
        .insertInto('topics')
        .values(titles.map((names) => ({ ...topic, ...names, ...moment })))
        .execute(),
    )
  })

  it('is used: later responses take fewer statements', async () => {
    const reader = world.app.services.database.read
    const send = reader.executeQuery.bind(reader)
    const ana = people[0] as Member
    // The page has this feed alone: what is changed below is told on it, and no survey, which is read each time.
    expect((await ana.raw('POST', '/feeds', { message: 'the newest of all', space_id: null })).status).toBe(201)
    let sent = 0
    Object.defineProperty(reader, 'executeQuery', {
      configurable: true,
      value: ((query, ...rest) => {
        sent += 1
        return send(query, ...rest)
      }) as typeof reader.executeQuery,
    })
    const costOf = async () => {
      sent = 0
      await kept(ana, '/feeds?disable_sticky=yes&per_page=1')
      return sent
    }
    await write('other', (db) => db.updateTable('users').set({ total_points: 1 }).where('id', '=', ana.id).execute())
    // Some of what the page needs is kept at the second request.
    const [first, , second] = [await costOf(), await costOf(), await costOf()]
    await write('own', (db) => db.updateTable('users').set({ total_points: 2 }).where('id', '=', ana.id).execute())
    const [third, , fourth] = [await costOf(), await costOf(), await costOf()]
    Reflect.deleteProperty(reader, 'executeQuery')
    expect(second).toBeLessThan(first)
    expect(third).toBeGreaterThan(second)
    expect(fourth).toBe(second)
  })

  it.each(Object.keys(ACTS))('equals data read without a cache: %s', async (name) => {
    const seen = [people[0], people[2]] as Member[]
    const paths = ({ spaces, feeds }: Community) => [
      '/feeds?per_page=30',
      '/feeds?disable_sticky=yes&per_page=30',
      ...spaces.map(({ slug }) => `/feeds?space=${slug}`),
      ...feeds.slice(0, 3).map((id) => `/feeds/${id}/comments`),
      ...listsOf({ spaces, feeds, people, comments: [] }).slice(0, 24),
    ]
    const furthest = SOAK > 1 || VARIED.has(name) ? 32 : slow ? 4 : 16
    for (let n = 0; n <= furthest; n += 4) {
      await ACTS[name]?.(await found(), n, 'own')
      const turn = n >> 2
      const looked = paths(await found()).filter((_, i) => !slow || i % 2 === turn % 2)
      await expectSame(SOAK > 1 ? seen : [pick(seen, turn) as Member], looked)
    }
    for (const who of slow ? seen : people) await expectSame([who], await behind(who, '/feeds?per_page=2&disable_sticky=yes'))
  })

  it('equals data read without a cache after random writes through any process', async () => {
    let acts = 0
    const step = fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.nat(1000), fc.constantFrom('own' as const, 'other' as const))
    await fc.assert(
      fc.asyncProperty(fc.array(step, slow ? { minLength: 5, maxLength: 8 } : { minLength: 8, maxLength: 14 }), async (steps) => {
        for (const [name, n, through] of steps) {
          await ACTS[name]?.(await found(), n, through)
          acts += 1
          const community = await found()
          const seeing = slow ? people.filter((_, i) => i === acts % 4) : people.filter((_, i) => (i + acts) % 2 === 0)
          await expectSame(seeing, [...pathsOf(community), ...listsOf(community)])
        }
      }),
      { numRuns: slow ? 1 : 3, endOnFailure: true },
    )
    expect(acts).toBeGreaterThan(slow ? 4 : 23)
  })

  it('counts as many feeds as a list has', async () => {
    for (const who of people) {
      for (const path of [
        '/feeds?disable_sticky=yes&per_page=100',
        ...(await found()).spaces.map(({ slug }) => `/feeds?space=${slug}&per_page=100`),
      ]) {
        const answer = JSON.parse((await kept(who, path)).text) as { feeds?: { data: unknown[]; total: number } }
        if (answer.feeds)
          expect({ who: who.username, path, total: answer.feeds.total }).toEqual({
            who: who.username,
            path,
            total: answer.feeds.data.length,
          })
      }
    }
  })

  it('stays correct if writes happen between the reads of a request', async () => {
    const names = Object.keys(ACTS)
    for (let round = 0; round < (slow ? 2 : 8); round++) {
      const community = await found()
      const paths = pathsOf(community)
      const reads = Array.from({ length: 30 }, (_, i) => kept(pick(people, i) as Member, pick(paths, i * 7 + round) as string))
      const writes = Array.from({ length: 15 }, (_, i) =>
        ACTS[pick(names, i * 5 + round * 3) as string]?.(community, i * 31 + round, one(i, 'own', 'other')),
      )
      await Promise.all(reads.flatMap((read, i) => [read, i % 2 ? writes[i >> 1] : undefined]))
      await expectSame(people, pathsOf(await found()))
    }
  })
})

describe('a cached identity', () => {
  const statusOf = async (who: Member, path = '/feeds') => {
    const { status, body } = await who.raw('GET', path)
    return [status, body.code]
  }

  describe.each(['own', 'other'] as const)('changed by the %s process, applies from the next request', (through) => {
    it.each(['suspended', 'banned'] as const)('%s, and active again', async (status) => {
      const who = await world.member()
      const set = (value: 'active' | typeof status) =>
        write(through, (db) => db.updateTable('users').set({ status: value }).where('id', '=', who.id).execute())
      expect(await statusOf(who)).toEqual([200, undefined])
      await set(status)
      expect(await statusOf(who)).toEqual([403, `account_${status}`])
      await set('active')
      expect(await statusOf(who)).toEqual([200, undefined])
    })

    it('a password that is revoked or replaced', async () => {
      const who = await world.member()
      expect(await statusOf(who)).toEqual([200, undefined])
      const row = await bare.services.database.read
        .selectFrom('application_passwords')
        .selectAll()
        .where('user_id', '=', who.id)
        .executeTakeFirstOrThrow()
      await write(through, (db) => db.updateTable('application_passwords').set({ hash: 'another' }).where('id', '=', row.id).execute())
      expect(await statusOf(who)).toEqual([401, 'rest_forbidden'])
      await write(through, (db) => db.updateTable('application_passwords').set({ hash: row.hash }).where('id', '=', row.id).execute())
      expect(await statusOf(who)).toEqual([200, undefined])
      await write(through, (db) => db.deleteFrom('application_passwords').where('id', '=', row.id).execute())
      expect(await statusOf(who)).toEqual([401, 'rest_forbidden'])
    })

    it('a session that is extended, expired, ended, or of a suspended member', async () => {
      const who = await world.member()
      const token = createToken()
      const cookie = `${cookieName('https://community.example', 'session')}=${token}`
      const status = async () => (await world.request('GET', '/feeds', undefined, { cookie })).status
      const later = (hours: number) => timestamp(new Date(world.clock.now().getTime() + hours * 3_600_000))
      const begin = (hours: number) =>
        write(through, (db) =>
          db
            .insertInto('sessions')
            .values({
              user_id: who.id,
              token_hash: hashToken(token),
              created_at: later(0),
              last_used_at: later(0),
              expires_at: later(hours),
              ip: '',
              user_agent: '',
            })
            .execute(),
        )
      const change = (values: object) =>
        write(through, (db) => db.updateTable('sessions').set(values).where('user_id', '=', who.id).execute())
      expect(await status()).toBe(401)
      await begin(1)
      expect([await status(), await status()]).toEqual([200, 200])
      await change({ expires_at: later(2) })
      world.clock.advance(90 * 60)
      expect([await status(), await status()]).toEqual([200, 200])
      world.clock.advance(30 * 60)
      expect(await status()).toBe(401)
      await change({ expires_at: later(1) })
      expect(await status()).toBe(200)
      await change({ expires_at: later(-1) })
      expect(await status()).toBe(401)
      await change({ expires_at: later(1) })
      const suspend = (value: 'active' | 'suspended') =>
        write(through, (db) => db.updateTable('users').set({ status: value }).where('id', '=', who.id).execute())
      expect(await status()).toBe(200)
      await suspend('suspended')
      expect(await status()).toBe(403)
      await suspend('active')
      expect(await status()).toBe(200)
      await write(through, (db) => db.deleteFrom('sessions').where('user_id', '=', who.id).execute())
      expect(await status()).toBe(401)
    })

    it('a role, its permissions and its spaces', async () => {
      const who = await world.member({ role: 'admin' })
      const set = (values: object) => write(through, (db) => db.updateTable('managers').set(values).where('user_id', '=', who.id).execute())
      expect(await statusOf(who, '/feeds/links')).toEqual([200, undefined])
      await set({ role: 'manager', permissions: '[]' })
      expect(await statusOf(who, '/feeds/links')).toEqual([403, 'rest_forbidden'])
      const [secret, other] = [await makeSpace(world, { privacy: 'secret' }), await makeSpace(world)]
      const path = `/feeds?space=${secret.slug}`
      expect(await statusOf(who, path)).toEqual([404, 'space_not_found'])
      await set({ permissions: '["manage_feeds"]', all_spaces: 1 })
      expect(await statusOf(who, path)).toEqual([200, undefined])
      await set({ all_spaces: 0 })
      expect(await statusOf(who, path)).toEqual([404, 'space_not_found'])
      const place = (space: Space) =>
        write(through, (db) => db.insertInto('manager_spaces').values({ user_id: who.id, space_id: space.id }).execute())
      await place(other)
      expect(await statusOf(who, path)).toEqual([404, 'space_not_found'])
      await place(secret)
      expect(await statusOf(who, path)).toEqual([200, undefined])
      await set({ status: 'inactive' })
      expect(await statusOf(who, path)).toEqual([404, 'space_not_found'])
      await set({ status: 'active' })
      expect(await statusOf(who, path)).toEqual([200, undefined])
      await write(through, (db) => db.deleteFrom('managers').where('user_id', '=', who.id).execute())
      expect(await statusOf(who, path)).toEqual([404, 'space_not_found'])
    })

    it('a new name, and a deleted account', async () => {
      const who = await world.member()
      expect(await statusOf(who)).toEqual([200, undefined])
      const name = `renamed${who.id}`
      await write(through, (db) => db.updateTable('users').set({ username: name }).where('id', '=', who.id).execute())
      expect(await statusOf(who)).toEqual([401, 'rest_forbidden'])
      await write(through, (db) => db.updateTable('users').set({ username: who.username }).where('id', '=', who.id).execute())
      expect(await statusOf(who)).toEqual([200, undefined])
      await write(through, (db) => db.deleteFrom('users').where('id', '=', who.id).execute())
      expect(await statusOf(who)).toEqual([401, 'rest_forbidden'])
    })

    it('a space membership', async () => {
      const [who, author] = [await world.member(), await world.member()]
      const space = await makeSpace(world, { privacy: 'private', members: [who, author] })
      await author.api.feeds.create({ message: 'x', space_id: space.id })
      const total = async () => (await who.api.feeds.list({ space: space.slug })).feeds.total
      expect([await total(), await total()]).toEqual([1, 1])
      await write(through, (db) => db.updateTable('space_members').set({ status: 'banned' }).where('user_id', '=', who.id).execute())
      expect(await total()).toBe(0)
      await write(through, (db) => db.updateTable('space_members').set({ status: 'active' }).where('user_id', '=', who.id).execute())
      expect(await total()).toBe(1)
    })
  })

  it('the scope of a limited manager record shrinks with a deleted space', async () => {
    const who = await world.member({ role: 'manager' })
    const space = await makeSpace(world, { privacy: 'secret' })
    await grant(world, who, ['manage_feeds'], [space])
    expect(await statusOf(who, `/feeds?space=${space.slug}`)).toEqual([200, undefined])
    await write('own', (db) => db.deleteFrom('spaces').where('id', '=', space.id).execute())
    expect(await statusOf(who, `/feeds?space=${space.slug}`)).toEqual([404, 'space_not_found'])
  })

  it('a cached session is not found by an Authorization header', async () => {
    const who = await world.member()
    const token = createToken()
    const row = {
      user_id: who.id,
      created_at: '2026-03-10 12:00:00',
      last_used_at: '2026-03-10 12:00:00',
      expires_at: '2030-01-01 00:00:00',
    }
    await write('own', (db) =>
      db
        .insertInto('sessions')
        .values({ ...row, token_hash: hashToken(token), ip: '', user_agent: '' })
        .execute(),
    )
    const cookie = `${cookieName('https://community.example', 'session')}=${token}`
    for (let i = 0; i < 2; i++) expect((await world.request('GET', '/feeds', undefined, { cookie })).status).toBe(200)
    for (const authorization of [token, hashToken(token), `Basic ${token}`])
      expect((await world.request('GET', '/feeds', undefined, { authorization })).status).toBe(401)
  })

  it('wrong credentials are never cached as valid', async () => {
    const who = await world.member()
    for (const password of ['wrong', who.password.slice(0, -1), '']) {
      const authorization = `Basic ${Buffer.from(`${who.username}:${password}`).toString('base64')}`
      for (let i = 0; i < 2; i++) expect((await world.request('GET', '/feeds', undefined, { authorization })).status).toBe(401)
    }
    expect(await statusOf(who)).toEqual([200, undefined])
  })
})
