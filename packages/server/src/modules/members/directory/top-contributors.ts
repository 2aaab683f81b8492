import { setImmediate } from 'node:timers/promises'
import { type CONTRIBUTION_METRICS, type CONTRIBUTION_PERIODS, MAX_CONTRIBUTIONS_COUNTED, MAX_ID } from '@lyceum/contract'
import { agedAggregate } from '../../../cache/cached.ts'
import { shift } from '../../../core/clock.ts'
import type { ReadContext } from '../../../core/context.ts'
import { type Db, statement } from '../../../db/index.ts'

type Period = (typeof CONTRIBUTION_PERIODS)[number]
type Metric = (typeof CONTRIBUTION_METRICS)[number]

export interface Contributor {
  readonly userId: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
}

const DAYS: Readonly<Record<Period, number | null>> = { week: 7, month: 30, year: 365, all: null }
const BEGINNING = '0000-00-00 00:00:00'
/** How long a count is cached. */
const CACHE_TTL_MS = 60_000

/** Rows read before yielding to other work. */
const BATCH_SIZE = 2000

interface Contribution {
  readonly id: number
  readonly user_id: number
  readonly reactions_count: number
  readonly made_at: string
  /** 1: published. */
  readonly shown: 0 | 1
  /** The space of its feed. */
  readonly space_id: number | null
  readonly listed: 0 | 1
  readonly privacy: 'public' | 'private'
}

const newestFeeds = statement<Contribution>(
  `select f.id, f.user_id, f.reactions_count, f.published_at as made_at, 1 as shown, f.space_id, f.listed, f.privacy from feeds f
   where f.listed = 1 and f.published_at >= $1 and (f.published_at, f.id) < ($2, $3)
   order by f.published_at desc, f.id desc limit ${BATCH_SIZE}`,
)
// Comment ids increase with time.
const newestComments = statement<Contribution>(
  `select c.id, c.user_id, c.reactions_count, c.created_at as made_at, case when c.status = 'published' then 1 else 0 end as shown,
   f.space_id, f.listed, f.privacy from comments c join feeds f on f.id = c.post_id where c.id < $1 order by c.id desc limit ${BATCH_SIZE}`,
)
const openSpaces = statement<{ id: number }>(`select id from spaces where privacy = 'public' and status <> 'draft'`)

const END = '9999-12-31 23:59:59'

/** The newest rows, until one is older than `since` or the limit is reached. */
async function* newest(read: (last: Contribution | undefined) => Promise<Contribution[]>, since: string): AsyncGenerator<Contribution[]> {
  let last: Contribution | undefined
  for (let left = MAX_CONTRIBUTIONS_COUNTED; left > 0; left -= BATCH_SIZE) {
    const rows = await read(last)
    yield rows.filter((row) => row.made_at >= since)
    last = rows.at(-1)
    if (!last || rows.length < BATCH_SIZE || last.made_at < since) return
    await setImmediate()
  }
}

const count = async (db: Db, since: string): Promise<Contributor[]> => {
  const open = new Set((await openSpaces(db)).map(({ id }) => id))
  // Only content visible to every member counts, so the result is the same for all callers.
  const isPublic = ({ shown, listed, privacy, space_id }: Contribution) =>
    shown === 1 && listed === 1 && privacy === 'public' && (space_id === null || open.has(space_id))
  const found = new Map<number, Contributor>()
  const add = (row: Contribution, what: 'posts' | 'comments') => {
    if (!isPublic(row)) return
    const before = found.get(row.user_id) ?? { userId: row.user_id, posts: 0, comments: 0, reactions: 0 }
    found.set(row.user_id, { ...before, [what]: before[what] + 1, reactions: before.reactions + row.reactions_count })
  }
  const feeds = newest((last) => newestFeeds(db, [since, last?.made_at ?? END, last?.id ?? MAX_ID]), since)
  for await (const rows of feeds) for (const row of rows) add(row, 'posts')
  const comments = newest((last) => newestComments(db, [last?.id ?? MAX_ID]), since)
  for await (const rows of comments) for (const row of rows) add(row, 'comments')
  return [...found.values()]
}

const counted = (ctx: ReadContext, period: Period): Promise<readonly Contributor[]> =>
  agedAggregate(ctx, `contributors ${period}`, (track) => {
    track.ttl(CACHE_TTL_MS)
    const days = DAYS[period]
    return count(ctx.db, days === null ? BEGINNING : shift(ctx.now, -days * 24 * 3600))
  })

/** Members with contributions in the period, most first; with equal counts, the older account first. Up to a minute old. */
export const contributors = async (ctx: ReadContext, period: Period, metric: Metric): Promise<Contributor[]> =>
  (await counted(ctx, period)).filter((who) => who[metric] > 0).sort((a, b) => b[metric] - a[metric] || a.userId - b.userId)
