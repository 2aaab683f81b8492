import { setImmediate } from 'node:timers/promises'
import { chunkPadded, type Db, parameters, runText, statementIn, statementOne, type Value } from '../../db/index.ts'
import { MEMBER_COUNTS } from './accumulators.ts'
import { type Bucket, bucketsAtMost, bucketsOf, endOf, numberOfDay, type Piece, piecesOf, SPAN_NUMBERS, type Span } from './date-buckets.ts'
import type { Range } from './range.ts'

/**
 * Suspended and banned accounts do not count as active. They are few, so counting them separately and subtracting is much cheaper than
 * checking each row.
 */
const INACTIVE = `user_id in (select u.id from users u where u.status <> 'active')`

type Placeholder = (value: Value) => string

/** Users per query: counts over many users are read in batches, yielding to other work. */
const USERS_PER_BATCH = 4000
/** With more starts than this in a piece, they are not listed one by one. */
const MAX_STARTS = 256

/** A range of user ids. */
interface UserRange {
  readonly first: number
  readonly last: number
}

const highest = statementOne<{ id: number }>('select coalesce(max(id), 0) as id from users')
const earliest = statementOne<{ start: number | null }>(
  `select min(start) as start from analytics_member_rollups where generation = $1 and span = ${SPAN_NUMBERS.month}`,
)

/** The range without the days before the first data; null if nothing is left. */
const clipToData = async (db: Db, range: Range): Promise<Range | null> => {
  const start = (await earliest(db, [range.generation]))?.start
  if (!start) return null
  const text = String(start).padStart(8, '0')
  const first = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  return first > range.to ? null : { ...range, from: first > range.from ? first : range.from }
}

const startsOf = ({ span, first, last }: Piece): number[] => bucketsOf(span, first, last).map(({ start }) => numberOfDay(start))

/** Reads the range for one batch of users after another. Batches are not read from one snapshot. */
const inUserBatches = async <R>(db: Db, range: Range, read: (range: Range, users: UserRange) => Promise<R>): Promise<R[]> => {
  const known = await clipToData(db, range)
  if (!known) return []
  const { id } = (await highest(db)) ?? { id: 0 }
  const results: R[] = []
  for (let first = 1; first <= id; first += USERS_PER_BATCH) {
    if (first > 1) await setImmediate()
    results.push(await read(known, { first, last: first + USERS_PER_BATCH - 1 }))
  }
  return results
}

/** Rows of whole days, weeks or months. */
const rowsBetween = (generation: number, { span, first, last }: Piece, p: Placeholder): string =>
  `from analytics_member_rollups where generation = ${p(generation)} and span = ${SPAN_NUMBERS[span]}
   and start >= ${p(numberOfDay(first))} and start <= ${p(numberOfDay(last))}`

/** Rows of a batch of users. Lists each start, because a range of starts would read the rows of all users. */
const rowsOfUsersBetween = (generation: number, piece: Piece, { first, last }: UserRange, p: Placeholder): string => {
  const userCondition = `user_id >= ${p(first)} and user_id <= ${p(last)}`
  if (bucketsAtMost(piece.span, piece.first, piece.last) > MAX_STARTS) return `${rowsBetween(generation, piece, p)} and ${userCondition}`
  const starts = startsOf(piece).map((start) => p(start))
  return `from analytics_member_rollups where generation = ${p(generation)} and span = ${SPAN_NUMBERS[piece.span]}
   and start in (${starts.join(', ')}) and ${userCondition}`
}

/** Contributions of a batch of users in a range; several rows per user. */
const contributionsOf = ({ from, to, generation }: Range, users: UserRange, p: Placeholder, columns: string, condition = ''): string =>
  piecesOf(from, to)
    .map((piece) => `select ${columns} ${rowsOfUsersBetween(generation, piece, users, p)} ${condition}`)
    .join(' union all ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** The number of active accounts that posted, commented or reacted in a range. */
export const activeMembers = async (db: Db, range: Range): Promise<number> => {
  const counts = await inUserBatches(db, range, async (known, users) => {
    const { values, p } = parameters()
    const rows = await runText<{ n: number }>(
      db,
      `select (select count(*) from (select distinct user_id from (${contributionsOf(known, users, p, 'user_id')}) p1) p2)
       - (select count(distinct user_id) from (${contributionsOf(known, users, p, 'user_id', `and ${INACTIVE}`)}) p3) as n`,
      values,
    )
    return rows[0]?.n ?? 0
  })
  return sum(counts)
}

/** Ranking score of a row, and the condition for rows with a score. */
const SCORES = {
  posts: ['posts', 'and posts > 0'],
  comments: ['comments', 'and comments > 0'],
  reactions: ['reactions', 'and reactions > 0'],
  engagement: ['posts * 3 + comments * 2 + reactions', ''],
} as const
export type PersonMetric = keyof typeof SCORES

interface RankedMember {
  readonly user_id: number
  readonly score: number
  readonly inactive: 0 | 1
  /** The number of active members, if requested. */
  readonly member_count: number
}

interface MemberMetrics {
  readonly user_id: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly post_reactions: number
  readonly post_comments: number
  readonly comment_reactions: number
}

interface MemberName {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly avatar: string
}

const named = statementIn<MemberName>((list) => `select id, username, display_name, avatar from users where id in (${list(1)})`)

interface RankingRequest {
  readonly metric: PersonMetric
  readonly limit: number
  /** Also count the members. */
  readonly includeCount: boolean
}

const rankMembers = (db: Db, range: Range, users: UserRange, { metric, limit, includeCount }: RankingRequest): Promise<RankedMember[]> => {
  const { values, p } = parameters()
  const [score, condition] = SCORES[metric]
  const sums = `select user_id, sum(score) as score from (${contributionsOf(range, users, p, `user_id, ${score} as score`, condition)}) p1
    group by user_id having sum(score) > 0`
  const memberCount = () =>
    `(select count(*) from sums)
     - (select count(distinct user_id) from (${contributionsOf(range, users, p, 'user_id', `${condition} and ${INACTIVE}`)}) p3)`
  return runText(
    db,
    `with sums as ${includeCount ? '' : 'not '}materialized (${sums})
     select user_id, score, case when ${INACTIVE} then 1 else 0 end as inactive, ${includeCount ? memberCount() : 0} as member_count
     from (select user_id, score from sums order by score desc, user_id limit ${p(limit)}) p2 order by p2.score desc, user_id`,
    values,
  )
}

/** Reads more rows than requested, because inactive accounts are dropped. */
const EXTRA_ROWS = 50
const GROWTH_FACTOR = 10

const rankedActive = async (db: Db, range: Range, users: UserRange, asked: RankingRequest): Promise<RankedMember[]> => {
  for (let size = asked.limit + EXTRA_ROWS; ; size *= GROWTH_FACTOR) {
    const rows = await rankMembers(db, range, users, { ...asked, limit: size })
    const active = rows.filter(({ inactive }) => inactive === 0)
    if (active.length >= asked.limit || rows.length < size) return active.slice(0, asked.limit)
  }
}

/** The top members of all batches, and the total number of members. */
const topOfAll = async (db: Db, range: Range, asked: RankingRequest): Promise<{ rows: RankedMember[]; memberCount: number }> => {
  const batches = await inUserBatches(db, range, (known, users) => rankedActive(db, known, users, asked))
  const rows = batches.flat().sort((a, b) => b.score - a.score || a.user_id - b.user_id)
  return { rows: rows.slice(0, asked.limit), memberCount: sum(batches.map(([first]) => first?.member_count ?? 0)) }
}

/** All metrics of some members in a range. */
const metricsOf = async (db: Db, range: Range, ids: readonly number[]): Promise<Map<number, MemberMetrics>> => {
  const { values, p } = parameters()
  const list = (numbers: readonly number[]) =>
    chunkPadded(numbers)
      .flat()
      .map((n) => p(n))
      .join(', ')
  const among = `user_id in (${list(ids)})`
  const columns = MEMBER_COUNTS.join(', ')
  const parts = piecesOf(range.from, range.to).map((piece) => {
    const { span, first, last } = piece
    if (bucketsAtMost(span, first, last) > MAX_STARTS)
      return `select user_id, ${columns} ${rowsBetween(range.generation, piece, p)} and ${among}`
    // Listing the starts reads each member's rows by their full key; a range would read all members.
    const starts = startsOf(piece)
    return `select user_id, ${columns} from analytics_member_rollups where generation = ${p(range.generation)} and span = ${SPAN_NUMBERS[span]}
      and start in (${list(starts)}) and ${among}`
  })
  const sums = MEMBER_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')
  const rows = await runText<MemberMetrics>(db, `select user_id, ${sums} from (${parts.join(' union all ')}) p1 group by user_id`, values)
  return new Map(rows.map((row) => [row.user_id, row]))
}

const withMetrics = async (db: Db, range: Range, rows: readonly RankedMember[]): Promise<MemberMetrics[]> => {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.user_id)
  const metrics = await metricsOf(db, range, ids)
  return ids.flatMap((id) => metrics.get(id) ?? [])
}

/** The active accounts with the highest values of a metric in a range, without those with none. */
export const topMembers = async (db: Db, range: Range, metric: PersonMetric, limit: number): Promise<MemberMetrics[]> =>
  withMetrics(db, range, (await topOfAll(db, range, { metric, limit, includeCount: false })).rows)

/** The account with the highest engagement score, and the number of active accounts, from the same reads. */
export const topAndActive = async (db: Db, range: Range): Promise<{ active: number; top: MemberMetrics[] }> => {
  const { rows, memberCount } = await topOfAll(db, range, { metric: 'engagement', limit: 1, includeCount: true })
  return { active: memberCount, top: await withMetrics(db, range, rows) }
}

/** Adds names; skips deleted accounts. */
export const withNames = async (db: Db, rows: readonly MemberMetrics[]): Promise<(MemberMetrics & MemberName)[]> => {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.user_id)
  const names = new Map((await named(db, ids.length, ids)).map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const person = names.get(row.user_id)
    return person ? [{ ...row, ...person }] : []
  })
}

export interface Activity {
  readonly active: number
  /** Of these, accounts created before. */
  readonly existing_members: number
}

interface ActivityRow extends Activity {
  readonly start: number
}

const NO_ACTIVITY: Activity = { active: 0, existing_members: 0 }

const existingMembers = (first: string) => `coalesce(sum(case when joined < ${first} then 1 else 0 end), 0) as existing_members`

/** Whole spans per query. */
const SPANS_PER_QUERY: Readonly<Record<Span, number>> = { day: 7, week: 1, month: 1 }

/** Activity in whole spans, which have one row per member. */
const activityOfWholeSpans = async (db: Db, generation: number, piece: Piece): Promise<ActivityRow[]> => {
  const { values, p } = parameters()
  const counted = `select start, count(*) as active, ${existingMembers('start')}`
  return runText<ActivityRow>(
    db,
    `select a.start, a.active - coalesce(i.active, 0) as active, a.existing_members - coalesce(i.existing_members, 0) as existing_members
     from (${counted} ${rowsBetween(generation, piece, p)} group by start) a
     left join (${counted} ${rowsBetween(generation, piece, p)} and ${INACTIVE} group by start) i on i.start = a.start`,
    values,
  )
}

const activityOfPart = async (db: Db, range: Range, { first, last }: Bucket): Promise<Activity> => {
  const batches = await inUserBatches(db, { ...range, from: first, to: last }, async (known, users) => {
    const { values, p } = parameters()
    const counted = (condition: string) =>
      `(select count(*) as active, ${existingMembers(p(numberOfDay(first)))}
        from (select distinct user_id, joined from (${contributionsOf(known, users, p, 'user_id, joined', condition)}) p1) p2)`
    const rows = await runText<Activity>(
      db,
      `select a.active - i.active as active, a.existing_members - i.existing_members as existing_members from ${counted('')} a cross join ${counted(`and ${INACTIVE}`)} i`,
      values,
    )
    return rows[0] ?? NO_ACTIVITY
  })
  return { active: sum(batches.map(({ active }) => active)), existing_members: sum(batches.map((one) => one.existing_members)) }
}

/** The number of active accounts per bucket. */
export const activityIn = async (db: Db, range: Range, span: Span, buckets: readonly Bucket[]): Promise<Activity[]> => {
  const first = (await clipToData(db, range))?.from
  const isWhole = ({ start, first: begin, last }: Bucket) => begin === start && (last === endOf(span, start) || last >= range.today)
  const used = first === undefined ? [] : buckets.filter(({ last }) => last >= first)
  const whole = used.filter(isWhole)
  const known = new Map<number, Activity>()
  for (let at = 0; at < whole.length; at += SPANS_PER_QUERY[span]) {
    const some = whole.slice(at, at + SPANS_PER_QUERY[span])
    const piece = { span, first: some[0]?.start ?? '', last: some.at(-1)?.start ?? '' }
    for (const row of await activityOfWholeSpans(db, range.generation, piece)) known.set(row.start, row)
    await setImmediate()
  }
  for (const bucket of used) if (!isWhole(bucket)) known.set(numberOfDay(bucket.start), await activityOfPart(db, range, bucket))
  return buckets.map(({ start }) => known.get(numberOfDay(start)) ?? NO_ACTIVITY)
}
