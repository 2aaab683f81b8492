import { expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createRandom } from '#test/random.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { LEDGER, POINTS_AGGREGATES } from '../../cli/doctor/checks.ts'
import { offenders } from '../../cli/doctor/run-checks.ts'
import { nowOf } from '../../core/clock.ts'
import { updatePeriods } from './index.ts'
import { spanOf } from './period-spans.ts'

/** A step takes longer on PostgreSQL, and only the database differs there. */
const STEPS = Number(process.env['LYCEUM_TEST_POINT_STEPS'] ?? (process.env['LYCEUM_TEST_DATABASE'] === 'postgres' ? 90 : 500))
const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? 11)
const PEOPLE = 7
const DAYS = 40
const TIMEOUT_MS = 60_000 + STEPS * 60

interface Feed {
  readonly who: number
  status: 'published' | 'draft' | 'spam'
  space: number
  /** Day on which it first earned points. */
  day: string | null
}
interface Comment {
  readonly who: number
  readonly feed: number
  readonly day: string
  published: boolean
}
interface Reaction {
  readonly from: number
  readonly to: number
  readonly feed: number
  readonly comment: number | null
  readonly day: string
}

/** Performs random actions through the API and keeps a model of the state. */
const play = async (world: World, admin: Member, people: readonly Member[], spaces: readonly number[]) => {
  const random = createRandom(SEED)
  const feeds = new Map<number, Feed>()
  const comments = new Map<number, Comment>()
  const reactions = new Map<string, Reaction>()
  const today = () => nowOf(world.clock).slice(0, 10)
  const send = async (who: Member, method: string, path: string, body?: object) => {
    const answer = await who.raw(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const member = (index: number) => people[index] as Member
  const some = <K, V>(map: ReadonlyMap<K, V>, holds: (value: V) => boolean): [K, V] | undefined => {
    const list = [...map].filter(([, value]) => holds(value))
    return list.length > 0 ? random.pick(list) : undefined
  }
  const isOpen = (id: number) => feeds.get(id)?.status === 'published'
  const runPendingJobs = async () => {
    await world.runPendingJobs()
    for (const feed of feeds.values()) if (feed.status === 'published') feed.day ??= today()
  }
  const toggle = async (who: number, to: number, feed: number, comment: number | null) => {
    const path = comment === null ? `/feeds/${feed}/react` : `/feeds/${feed}/comments/${comment}/reactions`
    await send(member(who), 'POST', path, { type: 'like' })
    const key = `${who} ${feed} ${comment}`
    if (!reactions.delete(key)) reactions.set(key, { from: who, to, feed, comment, day: today() })
  }
  const forget = (gone: (of: { feed: number; comment: number | null }) => boolean) => {
    for (const [id, { feed }] of comments) if (gone({ feed, comment: id })) comments.delete(id)
    for (const [key, reaction] of reactions) if (gone(reaction)) reactions.delete(key)
  }

  const actions: readonly (() => Promise<unknown>)[] = [
    async () => {
      const [who, space] = [random.int(PEOPLE), random.pick(spaces)]
      const status = random.oneIn(4) ? 'draft' : 'published'
      const { data } = await send(member(who), 'POST', '/feeds', { message: 'Words', space_id: space, status })
      feeds.set(data.id, { who, status, space, day: null })
    },
    async () => {
      const [id, feed] = some(feeds, ({ status }) => status !== 'spam') ?? []
      if (!id || !feed) return
      feed.status = feed.status === 'draft' ? 'published' : 'draft'
      await send(member(feed.who), 'POST', `/feeds/${id}`, { status: feed.status })
    },
    async () => {
      const [id, feed] = some(feeds, ({ status }) => status !== 'draft') ?? []
      if (!id || !feed) return
      feed.status = feed.status === 'spam' ? 'published' : 'spam'
      await send(admin, 'POST', `/feeds/${id}`, { status: feed.status })
    },
    async () => {
      const [id, feed] = some(feeds, ({ status }) => status === 'published') ?? []
      if (!id || !feed) return
      feed.space = random.pick(spaces)
      await send(member(feed.who), 'POST', `/feeds/${id}`, { space_id: feed.space })
    },
    async () => {
      const [id, feed] = random.oneIn(3) ? (some(feeds, () => true) ?? []) : []
      if (!id || !feed) return
      // Drafts belong to their authors.
      await send(feed.status === 'draft' ? member(feed.who) : admin, 'DELETE', `/feeds/${id}`)
      feeds.delete(id)
      forget((of) => of.feed === id)
    },
    ...Array.from({ length: 4 }, () => async () => {
      const [feed] = some(feeds, ({ status }) => status === 'published') ?? []
      if (!feed) return
      const who = random.int(PEOPLE)
      const { data } = await send(member(who), 'POST', `/feeds/${feed}/comments`, { comment: 'Indeed' })
      comments.set(data.id, { who, feed, day: today(), published: true })
    }),
    async () => {
      const [id, comment] = some(comments, ({ feed }) => isOpen(feed)) ?? []
      if (!id || !comment) return
      comment.published = !comment.published
      await send(admin, 'POST', `/feeds/${comment.feed}/comments/${id}`, { status: comment.published ? 'published' : 'spam' })
    },
    async () => {
      const [id, comment] = some(comments, ({ feed }) => isOpen(feed)) ?? []
      if (!id || !comment) return
      await send(admin, 'DELETE', `/feeds/${comment.feed}/comments/${id}`)
      forget((of) => of.comment === id)
    },
    ...Array.from({ length: 3 }, () => async () => {
      const [id, feed] = some(feeds, ({ status }) => status === 'published') ?? []
      if (id && feed) await toggle(random.int(PEOPLE), feed.who, id, null)
    }),
    async () => {
      const [id, comment] = some(comments, ({ feed, published }) => published && isOpen(feed)) ?? []
      if (id && comment) await toggle(random.int(PEOPLE), comment.who, comment.feed, id)
    },
  ]

  for (let step = 0; step < STEPS; step++) {
    await random.pick(actions)()
    if (random.oneIn(6)) await runPendingJobs()
    if (random.chance(DAYS / STEPS)) {
      await runPendingJobs()
      if (random.oneIn(2)) await updatePeriods(world.app.services)
      world.clock.advance(24 * 3600)
    }
  }
  await runPendingJobs()
  return { feeds, comments, reactions, today: today() }
}
type Played = Awaited<ReturnType<typeof play>>

const none = () => ({ posts: 0, comments: 0, reactions: 0 })

/** Posts, comments and reactions of all members on the days of a group, by the rules alone. */
const reckon = ({ feeds, comments, reactions }: Played, isIn: (day: string) => boolean, space: number | null) => {
  const scores = Array.from({ length: PEOPLE }, none)
  const add = (who: number, part: keyof ReturnType<typeof none>, points: number, day: string | null, feed: Feed | undefined) => {
    const score = scores[who]
    if (score && day !== null && isIn(day) && (space === null || feed?.space === space)) score[part] += points
  }
  for (const feed of feeds.values()) if (feed.status === 'published') add(feed.who, 'posts', 50, feed.day, feed)
  for (const { who, feed, day, published } of comments.values()) if (published) add(who, 'comments', 10, day, feeds.get(feed))
  for (const { from, to, feed, day } of reactions.values()) if (from !== to) add(to, 'reactions', 5, day, feeds.get(feed))
  return scores
}

const totalOf = ({ posts, comments, reactions }: ReturnType<typeof none>) => posts + comments + reactions

/** Asserts that the leaderboard matches the rules. */
const compare = async (admin: Member, people: readonly Member[], spaces: readonly number[], played: Played) => {
  for (const period of ['today', 'this_week', 'this_month'] as const) {
    for (const space of [null, ...spaces]) {
      const { leaderboard } = await admin.api.leaderboard.list({ period, ...(space && { space_id: space }) })
      for (const { key, items } of leaderboard) {
        const span = key === 'all_time' ? null : spanOf(key, played.today)
        const scores = reckon(played, (day) => span === null || (span.first <= day && day <= span.last), space)
        const shown = people.map(({ id }) => {
          const parts = items.find((item) => item.user_id === id)?.points_breakdown
          return [parts?.posts_created ?? 0, parts?.comments_made ?? 0, parts?.reactions_received ?? 0]
        })
        const expected = scores.map(({ posts, comments, reactions }) => [posts, comments, reactions])
        expect([key, space, shown]).toEqual([key, space, expected])
        expect(items.map(({ rank }) => rank)).toEqual(items.map((_item, i) => i + 1))
        if (space === null) continue
        const totals = scores.map(totalOf).filter((total) => total > 0)
        expect(items.map((item) => item.total_points)).toEqual(totals.sort((a, b) => b - a))
      }
    }
  }
  const { leaderboard } = await admin.api.leaderboard.list({})
  const expected = reckon(played, () => true, null).map((score, who) => {
    const posts = [...played.feeds.values()].some((feed) => feed.who === who && feed.status === 'published')
    const comments = [...played.comments.values()].filter((comment) => comment.who === who && comment.published).length
    return totalOf(score) + (posts ? 50 : 0) + (comments >= 100 ? 100 : 0)
  })
  const shown = people.map(({ id }) => leaderboard.at(-1)?.items.find((item) => item.user_id === id))
  expect(shown.map((item) => item?.total_points ?? 0)).toEqual(expected)
  expect(shown.map((item) => item?.xprofile.total_points ?? 0)).toEqual(expected)
}

test(
  `a month of ${STEPS} things at random gives the points that the rules give`,
  async () => {
    const world = await createWorld({ start: '2026-02-10T12:00:00Z' })
    const { read } = world.app.services.database
    const admin = await world.member({ role: 'admin' })
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => world.member()))
    const spaces = [(await makeSpace(world, { members: people })).id, (await makeSpace(world, { members: people })).id]
    const started = performance.now()
    const played = await play(world, admin, people, spaces)
    const seconds = (performance.now() - started) / 1000
    const ledger = await read.selectFrom('points_ledger').select('id').execute()
    console.log(`points ${world.dialect}: ${STEPS} things, ${ledger.length} rows of the ledger, ${seconds.toFixed(1)} s`)

    for (const check of [...POINTS_AGGREGATES, ...LEDGER])
      expect([check.name, await offenders(read, check, nowOf(world.clock))]).toEqual([check.name, []])
    await updatePeriods(world.app.services)
    await compare(admin, people, spaces, played)
    await world.app.write(null, ({ db }) => db.deleteFrom('score_periods').where('name', '<>', 'all_time').execute())
    await compare(admin, people, spaces, played)
    await world.close()
  },
  TIMEOUT_MS,
)
