import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { nowOf } from '../../core/clock.ts'

/** Generates random communities and compares what each person sees with an independent, plain implementation of the visibility rules. */
let world: World
let spaces: Space[]
let people: Actor[]

interface Actor {
  readonly who: Member
  readonly admin?: true
  /** May read these spaces (`all`: everywhere) without being a member. */
  readonly staffOf?: readonly number[] | 'all'
  /** Moderates pending and spam content there, and edits feeds of others. */
  readonly decides?: true
  readonly edits?: true
}

beforeAll(async () => {
  world = await createWorld()
  spaces = [await makeSpace(world), await makeSpace(world, { privacy: 'private' }), await makeSpace(world, { privacy: 'secret' })]
  spaces.push(await makeSpace(world, { settings: { require_approval: true } }))
  const staff = async (...args: Parameters<typeof grant> extends [unknown, unknown, ...infer Rest] ? Rest : never) => {
    const who = await world.member({ role: 'manager' })
    await grant(world, who, ...args)
    return who
  }
  const two = spaces.slice(0, 2)
  const ids = two.map((space) => space.id)
  people = [
    { who: await world.member() },
    { who: await world.member() },
    { who: await world.member() },
    { who: await world.member({ role: 'admin' }), admin: true, staffOf: 'all', decides: true, edits: true },
    { who: await world.member({ role: 'moderator' }), staffOf: 'all', decides: true },
    { who: await staff(['manage_comments']), staffOf: 'all' },
    { who: await staff(['pin_feeds', 'feature_content', 'view_reports']) },
    { who: await staff(['manage_feeds', 'pin_feeds'], two), staffOf: ids, decides: true, edits: true },
  ]
})
afterAll(() => world.close())

const STATUSES = ['published', 'draft', 'scheduled', 'pending', 'spam'] as const

type Op =
  | {
      kind: 'post'
      by: number
      space: number
      privacy: 'public' | 'private'
      status: (typeof STATUSES)[number]
      expires: boolean
      pin: boolean
    }
  | { kind: 'place'; who: number; space: number; role: 'member' | 'moderator' | 'admin' | 'pending' | 'banned' | 'none' }
  | { kind: 'follow'; who: number; whom: number; status: 'active' | 'pending' | 'none' }
  | { kind: 'space'; space: number; privacy: 'public' | 'private' | 'secret'; status: 'published' | 'draft' | 'archived' }
  | { kind: 'change'; by: number; feed: number; body: object }
  | { kind: 'remove'; by: number; feed: number }
  | { kind: 'hour' }

const person = fc.nat(7)
/** The last index means no space. */
const place = fc.nat(4)
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      by: person,
      space: place,
      privacy: fc.constantFrom('public' as const, 'private' as const),
      status: fc.constantFrom('published' as const, 'published' as const, ...STATUSES),
      expires: fc.boolean(),
      pin: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      who: person,
      space: fc.nat(3),
      role: fc.constantFrom(
        'member' as const,
        'member' as const,
        'moderator' as const,
        'admin' as const,
        'pending' as const,
        'banned' as const,
        'none' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('follow' as const),
      who: person,
      whom: person,
      status: fc.constantFrom('active' as const, 'active' as const, 'pending' as const, 'none' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('space' as const),
      space: fc.nat(3),
      privacy: fc.constantFrom('public' as const, 'private' as const, 'secret' as const),
      status: fc.constantFrom('published' as const, 'published' as const, 'draft' as const, 'archived' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      by: person,
      feed: fc.nat(),
      body: fc.oneof(
        fc.constantFrom(...STATUSES).map((status) => ({ status, scheduled_at: '2030-01-01 00:00:00' })),
        fc.constantFrom('public', 'private').map((privacy) => ({ privacy })),
        fc.boolean().map((is_sticky) => ({ is_sticky })),
        fc.constantFrom(null, '2026-03-10 12:30:00', '2029-01-01 00:00:00').map((expired_at) => ({ expired_at })),
        place.map((index) => ({ space: index })),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), by: person, feed: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'hour' as const }) },
)

const idOf = (index: number): number | null => spaces[index]?.id ?? null
const now = () => nowOf(world.clock)
const soon = () => new Date(world.clock.now().getTime() + 1_800_000).toISOString().slice(0, 19).replace('T', ' ')

const rows = async () => {
  const db = world.app.services.database.read
  return {
    feeds: await db.selectFrom('feeds').selectAll().orderBy('published_at', 'desc').orderBy('id', 'desc').execute(),
    spaces: await db.selectFrom('spaces').selectAll().execute(),
    members: await db.selectFrom('space_members').selectAll().execute(),
    follows: await db.selectFrom('followers').selectAll().execute(),
  }
}
type Rows = Awaited<ReturnType<typeof rows>>
type FeedRow = Rows['feeds'][number]

/** Ignores refusals; only server errors fail. */
const attempt = async (who: Member, method: string, path: string, body?: object) => {
  const answer = await who.raw(method, path, body)
  expect([200, 201, 400, 403, 404], answer.text).toContain(answer.status)
}

const act = async (what: Op) => {
  const actor = people['by' in what ? what.by : 0] as Actor
  if (what.kind === 'hour') {
    world.clock.advance(3600)
    return world.runPendingJobs()
  }
  if (what.kind === 'post') {
    const { privacy, status, expires, pin, space } = what
    const dates = { scheduled_at: soon(), ...(expires && { expired_at: soon() }) }
    return attempt(actor.who, 'POST', '/feeds', {
      message: 'x',
      space_id: idOf(space),
      privacy,
      status,
      ...dates,
      ...(pin && { is_sticky: true }),
    })
  }
  if (what.kind === 'space') {
    const { privacy, status } = what
    return world.app.write(null, async ({ db }) => {
      await db
        .updateTable('spaces')
        .set({ privacy, status })
        .where('id', '=', idOf(what.space) as number)
        .execute()
    })
  }
  if (what.kind === 'place') {
    const [user_id, space_id] = [(people[what.who] as Actor).who.id, idOf(what.space) as number]
    return world.app.write(null, async ({ db, now }) => {
      await db.deleteFrom('space_members').where('user_id', '=', user_id).where('space_id', '=', space_id).execute()
      const { role } = what
      if (role === 'none') return
      const row = role === 'pending' || role === 'banned' ? ({ status: role } as const) : ({ role } as const)
      await db
        .insertInto('space_members')
        .values({ user_id, space_id, joined_at: now, updated_at: now, ...row })
        .execute()
    })
  }
  if (what.kind === 'follow') {
    const [follower_id, following_id] = [(people[what.who] as Actor).who.id, (people[what.whom] as Actor).who.id]
    return world.app.write(null, async ({ db, now }) => {
      await db.deleteFrom('followers').where('follower_id', '=', follower_id).where('following_id', '=', following_id).execute()
      if (what.status === 'none' || follower_id === following_id) return
      await db
        .insertInto('followers')
        .values({ follower_id, following_id, status: what.status, created_at: now, updated_at: now })
        .execute()
    })
  }
  const { feeds } = await rows()
  const feed = feeds[what.feed % Math.max(1, feeds.length)]
  if (!feed) return
  const { who } = what.by % 2 ? actor : (people.find((one) => one.who.id === feed.user_id) as Actor)
  if (what.kind === 'remove') return attempt(who, 'DELETE', `/feeds/${feed.id}`)
  const body = 'space' in what.body ? { space_id: idOf(what.body.space as number) } : what.body
  return attempt(who, 'POST', `/feeds/${feed.id}`, body)
}

const standing = ({ who, staffOf, decides, edits }: Actor, { spaces: all, members }: Rows, spaceId: number | null) => {
  const staff = staffOf === 'all' || (spaceId !== null && staffOf?.includes(spaceId)) || false
  if (spaceId === null) return { reads: true, inside: staff, decides: staff && decides, edits: staff && edits, sees: true }
  const space = all.find(({ id }) => id === spaceId) as Rows['spaces'][number]
  const mine = members.find((row) => row.space_id === spaceId && row.user_id === who.id && row.status === 'active')
  const runs = mine !== undefined && mine.role !== 'member'
  const shown = space.status !== 'draft' || runs || staff
  const inside = shown && (staff || mine !== undefined)
  return {
    inside,
    sees: shown && (inside || space.privacy !== 'secret'),
    reads: shown && (inside || space.privacy === 'public'),
    decides: runs || (staff && decides),
    edits: runs || (staff && edits),
  }
}

const isInLists = ({ status, expired_at }: FeedRow) => status === 'published' && (expired_at === null || expired_at > now())

/** Whether space and privacy let that person see the feed. */
const inReach = (actor: Actor, all: Rows, feed: FeedRow) => {
  const { reads, inside } = standing(actor, all, feed.space_id)
  const follows = all.follows.some(
    (row) => row.follower_id === actor.who.id && row.following_id === feed.user_id && row.status === 'active',
  )
  return reads && (feed.privacy === 'public' || inside || feed.user_id === actor.who.id || (feed.space_id === null && follows))
}

const isReadable = (actor: Actor, all: Rows, feed: FeedRow) => {
  const { decides, edits } = standing(actor, all, feed.space_id)
  const byStatus = { published: true, draft: false, scheduled: edits, pending: decides, spam: decides }[feed.status]
  return inReach(actor, all, feed) && Boolean(byStatus || feed.user_id === actor.who.id)
}

type Query = { space?: string; user_id?: number; status?: (typeof STATUSES)[number]; disable_sticky?: string }

/** All ids of a list, page by page. Asserts that the total of every page is the same and correct. */
const walk = async ({ who }: Actor, query: Query, perPage: number) => {
  const ids: number[] = []
  let pinned: number | null = null
  for (let page = 1; ; page++) {
    const { feeds, sticky } = await who.api.feeds.list({ ...query, page, per_page: perPage })
    ids.push(...feeds.data.map((feed) => feed.id))
    if (page === 1) pinned = sticky?.id ?? null
    else expect(sticky).toBeNull()
    if (feeds.has_more) continue
    expect({ who: who.id, query, total: feeds.total }).toEqual({ who: who.id, query, total: ids.length })
    return { ids, sticky: pinned }
  }
}

const pinnedIn = (visible: readonly FeedRow[], spaceId: number | null) =>
  visible.find((feed) => feed.is_sticky && feed.space_id === spaceId)
const idsOf = (feeds: readonly FeedRow[]) => feeds.map(({ id }) => id)

const compareLists = async (actor: Actor, all: Rows) => {
  const { who } = actor
  const visible = all.feeds.filter((feed) => isInLists(feed) && inReach(actor, all, feed))
  const check = async (query: Query, expected: readonly FeedRow[], pinned?: FeedRow, perPage = 100) => {
    const found = { ids: idsOf(expected.filter((feed) => feed !== pinned)), sticky: pinned?.id ?? null }
    expect({ who: who.id, query, ...(await walk(actor, query, perPage)) }).toEqual({ who: who.id, query, ...found })
  }
  await check({}, visible, pinnedIn(visible, null), 9)
  await check(
    { disable_sticky: 'yes' },
    visible.filter((feed) => !feed.is_sticky),
  )
  for (const { id, slug } of spaces) {
    const here = visible.filter((feed) => feed.space_id === id)
    if (!standing(actor, all, id).sees) {
      expect((await who.raw('GET', `/feeds?space=${slug}`)).body.code).toBe('space_not_found')
      continue
    }
    await check({ space: slug }, here, pinnedIn(here, id))
    await check(
      { space: slug, disable_sticky: 'yes' },
      here.filter((feed) => !feed.is_sticky),
    )
    await check(
      { space: slug, user_id: who.id },
      here.filter((feed) => feed.user_id === who.id),
    )
  }
  for (const other of people)
    await check(
      { user_id: other.who.id },
      visible.filter((feed) => feed.user_id === other.who.id),
    )
  for (const status of STATUSES.slice(1)) {
    const held = status === 'pending' || status === 'spam'
    const reachable = all.feeds.filter((feed) => feed.status === status && inReach(actor, all, feed))
    const everywhere = held && actor.staffOf === 'all' && actor.decides
    await check({ status }, everywhere ? reachable : [])
    await check(
      { status, user_id: who.id },
      reachable.filter((feed) => feed.user_id === who.id),
    )
    if (!held) continue
    for (const { id, slug } of spaces.filter((space) => standing(actor, all, space.id).sees)) {
      await check({ status, space: slug }, standing(actor, all, id).decides ? reachable.filter((feed) => feed.space_id === id) : [])
    }
  }
}

const compareReading = async (actor: Actor, all: Rows) => {
  const { who } = actor
  const missing = await who.raw('GET', '/feeds/987654321/by-id')
  for (const feed of all.feeds) {
    const answers = [await who.raw('GET', `/feeds/${feed.id}/by-id`), await who.raw('GET', `/feeds/${feed.slug}/by-slug`)]
    const seen = isReadable(actor, all, feed)
    for (const { status, text } of answers) {
      expect({ who: who.id, feed: feed.id, status }).toEqual({ who: who.id, feed: feed.id, status: seen ? 200 : 404 })
      if (!seen) expect(text).toBe(missing.text)
    }
  }
}

/** Creates initial data, so that every kind of feed occurs in every kind of location. */
const furnish = async () => {
  for (const [index] of people.entries()) {
    for (const [space] of spaces.entries()) await act({ kind: 'place', who: index, space, role: index % 3 ? 'member' : 'moderator' })
    await act({ kind: 'follow', who: index, whom: (index + 3) % people.length, status: index % 4 ? 'active' : 'pending' })
    for (let space = 0; space <= 4; space++) {
      await act({
        kind: 'post',
        by: index,
        space,
        privacy: (index + space) % 2 ? 'private' : 'public',
        status: 'published',
        expires: false,
        pin: index === 3,
      })
    }
  }
}

const expectSoundLists = async () => {
  // Changes memberships and follows directly, bypassing the code that maintains the counters.
  await world.app.write(null, async ({ db }) => {
    for (const { id } of spaces) {
      const { n } = await db
        .selectFrom('space_members')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('space_id', '=', id)
        .where('status', '=', 'active')
        .executeTakeFirstOrThrow()
      await db.updateTable('spaces').set({ members_count: n }).where('id', '=', id).execute()
    }
  })
  await expectSound(world, 'user_followers_count', 'user_followings_count')
}

const expectRight = async () => {
  const all = await rows()
  await Promise.all(people.map((actor) => compareLists(actor, all)))
  await expectSoundLists()
  return all
}

const RUNS = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? 3 : 2

it('shows each person exactly the lists, totals and single feeds they may see, after any sequence of changes', {
  timeout: 60_000,
}, async () => {
  await furnish()
  await expectRight()
  // A staff member outside of their space, with a private feed in it.
  await act({ kind: 'place', who: 7, space: 0, role: 'none' })
  let rounds = 0
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 12, maxLength: 24 }), async (ops) => {
      for (const what of ops) await act(what)
      await world.runPendingJobs()
      await expectRight()
      rounds += 1
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(rounds).toBe(RUNS)
  const all = await rows()
  await Promise.all(people.map((actor) => compareReading(actor, all)))
})
