import { setImmediate } from 'node:timers/promises'
import type { ReadContext } from '../../core/context.ts'
import {
  type Db,
  type Placeholder,
  paddedParts,
  selectRows,
  statementIn,
  statementOne,
  statementValues,
  type Tables,
  type UserRow,
} from '../../db/index.ts'
import { endOf, type Span } from '../../util/days.ts'
import { MEMBER_COUNTS } from './accumulators.ts'
import { type Bucket, bucketsAtMost, bucketsOf, numberOfDay, type Piece, piecesOf, SPAN_NUMBERS } from './date-buckets.ts'
import type { Range } from './range.ts'

/**
 * Suspended and banned accounts do not count as active. They are few, so counting them separately and subtracting is much cheaper than
 * checking each row.
 */
const INACTIVE = `user_id in (select u.id from users u where u.status <> 'active')`

type QueryContext = Pick<ReadContext, 'db'>

/** Users per query: counts over many users are read in batches, yielding to other work. */
const USERS_PER_BATCH = 4000
/** With more starts than this in a piece, they are not listed one by one. */
const MAX_STARTS = 256

const highest = statementValues<number>('select coalesce(max(id), 0) as id from users')
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

/** Rows of the range for one batch of users after another. Batches are not read from one snapshot. */
const inUserBatches = async <Row>(
  db: Db,
  range: Range,
  read: (range: Range, users: (p: Placeholder) => string) => Promise<readonly Row[]>,
): Promise<(readonly Row[])[]> => {
  const known = await clipToData(db, range)
  if (!known) return []
  const [last = 0] = await highest(db)
  const batches: (readonly Row[])[] = []
  for (let first = 1; first <= last; first += USERS_PER_BATCH) {
    if (first > 1) await setImmediate()
    batches.push(await read(known, (p) => `user_id >= ${p(first)} and user_id <= ${p(first + USERS_PER_BATCH - 1)}`))
  }
  return batches
}

const listOf = (numbers: readonly number[], p: Placeholder): string => paddedParts(numbers).flat().map(p).join(', ')

/** Rows of whole days, weeks or months. */
const rowsBetween = (generation: number, { span, first, last }: Piece, p: Placeholder): string =>
  `from analytics_member_rollups where generation = ${p(generation)} and span = ${SPAN_NUMBERS[span]}
   and start >= ${p(numberOfDay(first))} and start <= ${p(numberOfDay(last))}`

/** Rows of some users. Lists each start, because a range of starts would read the rows of all users. */
const rowsOfUsers = (generation: number, piece: Piece, users: string, p: Placeholder): string => {
  const { span, first, last } = piece
  if (bucketsAtMost(span, first, last) > MAX_STARTS) return `${rowsBetween(generation, piece, p)} and ${users}`
  const starts = bucketsOf(span, first, last).map(({ start }) => numberOfDay(start))
  return `from analytics_member_rollups where generation = ${p(generation)} and span = ${SPAN_NUMBERS[span]}
   and start in (${listOf(starts, p)}) and ${users}`
}

/** Contributions of some users in a range; several rows per user. */
const contributionsOf = ({ from, to, generation }: Range, users: string, p: Placeholder, columns: string, condition = ''): string =>
  piecesOf(from, to)
    .map((piece) => `select ${columns} ${rowsOfUsers(generation, piece, users, p)} ${condition}`)
    .join(' union all ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** The number of active accounts that posted, commented or reacted in a range. */
export const activeMembers = async ({ db }: QueryContext, range: Range): Promise<number> => {
  const counts = await inUserBatches(db, range, (known, users) =>
    selectRows<{ n: number }>(
      db,
      (p) => `select (select count(*) from (select distinct user_id from (${contributionsOf(known, users(p), p, 'user_id')}) p1) p2)
       - (select count(distinct user_id) from (${contributionsOf(known, users(p), p, 'user_id', `and ${INACTIVE}`)}) p3) as n`,
    ),
  )
  return sum(counts.flat().map(({ n }) => n))
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

type MemberMetrics = Pick<Tables['analytics_member_rollups'], 'user_id' | (typeof MEMBER_COUNTS)[number]>
type MemberName = Pick<UserRow, 'id' | 'username' | 'display_name' | 'avatar'>

const named = statementIn<MemberName>((list) => `select id, username, display_name, avatar from users where id in (${list})`)

interface RankingRequest {
  readonly metric: PersonMetric
  readonly limit: number
  /** Also count the members. */
  readonly includeCount: boolean
}

const rankMembers = (db: Db, range: Range, users: (p: Placeholder) => string, { metric, limit, includeCount }: RankingRequest) => {
  const [score, condition] = SCORES[metric]
  return selectRows<RankedMember>(db, (p) => {
    const sums = `select user_id, sum(score) as score from (${contributionsOf(range, users(p), p, `user_id, ${score} as score`, condition)}) p1
      group by user_id having sum(score) > 0`
    const memberCount = () =>
      `(select count(*) from sums)
       - (select count(distinct user_id) from (${contributionsOf(range, users(p), p, 'user_id', `${condition} and ${INACTIVE}`)}) p3)`
    return `with sums as ${includeCount ? '' : 'not '}materialized (${sums})
      select user_id, score, case when ${INACTIVE} then 1 else 0 end as inactive, ${includeCount ? memberCount() : 0} as member_count
      from (select user_id, score from sums order by score desc, user_id limit ${p(limit)}) p2 order by p2.score desc, user_id`
  })
}

/** Reads more rows than requested, because inactive accounts are dropped. */
const EXTRA_ROWS = 50
const GROWTH_FACTOR = 10

/** The top members of all batches of users, and the total number of members. */
const topOfAll = async (db: Db, range: Range, asked: RankingRequest): Promise<{ top: MemberMetrics[]; memberCount: number }> => {
  const batches = await inUserBatches(db, range, async (known, users) => {
    for (let size = asked.limit + EXTRA_ROWS; ; size *= GROWTH_FACTOR) {
      const rows = await rankMembers(db, known, users, { ...asked, limit: size })
      const active = rows.filter(({ inactive }) => inactive === 0)
      if (active.length >= asked.limit || rows.length < size) return active.slice(0, asked.limit)
    }
  })
  const rows = batches.flat().sort((a, b) => b.score - a.score || a.user_id - b.user_id)
  const ids = rows.slice(0, asked.limit).map((row) => row.user_id)
  return { top: await metricsOf(db, range, ids), memberCount: sum(batches.map(([first]) => first?.member_count ?? 0)) }
}

/** All metrics of some members in a range, in the order of the ids. */
const metricsOf = async (db: Db, range: Range, ids: readonly number[]): Promise<MemberMetrics[]> => {
  if (ids.length === 0) return []
  const sums = MEMBER_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')
  const rows = await selectRows<MemberMetrics>(db, (p) => {
    const contributions = contributionsOf(range, `user_id in (${listOf(ids, p)})`, p, `user_id, ${MEMBER_COUNTS.join(', ')}`)
    return `select user_id, ${sums} from (${contributions}) p1 group by user_id`
  })
  const byId = new Map(rows.map((row) => [row.user_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The active accounts with the highest values of a metric in a range, without those with none. */
export const topMembers = async ({ db }: QueryContext, range: Range, metric: PersonMetric, limit: number): Promise<MemberMetrics[]> =>
  (await topOfAll(db, range, { metric, limit, includeCount: false })).top

/** The account with the highest engagement score, and the number of active accounts, from the same reads. */
export const topAndActive = ({ db }: QueryContext, range: Range) =>
  topOfAll(db, range, { metric: 'engagement', limit: 1, includeCount: true })

/** Adds names; skips deleted accounts. */
export const withNames = async (db: Db, rows: readonly MemberMetrics[]): Promise<(MemberMetrics & MemberName)[]> => {
  const ids = rows.map((row) => row.user_id)
  const names = new Map((await named(db, ids)).map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const person = names.get(row.user_id)
    return person ? [{ ...row, ...person }] : []
  })
}

interface Activity {
  readonly active: number
  /** Of these, accounts created before. */
  readonly existing_members: number
}

const NO_ACTIVITY: Activity = { active: 0, existing_members: 0 }

const existingMembers = (first: string) => `coalesce(sum(case when joined < ${first} then 1 else 0 end), 0) as existing_members`

const SPANS_PER_QUERY: Readonly<Record<Span, number>> = { day: 7, week: 1, month: 1 }

/** Activity in whole spans, which have one row per member. */
const activityOfWholeSpans = (db: Db, generation: number, piece: Piece) => {
  const counted = `select start, count(*) as active, ${existingMembers('start')}`
  return selectRows<Activity & { readonly start: number }>(
    db,
    (
      p,
    ) => `select a.start, a.active - coalesce(i.active, 0) as active, a.existing_members - coalesce(i.existing_members, 0) as existing_members
     from (${counted} ${rowsBetween(generation, piece, p)} group by start) a
     left join (${counted} ${rowsBetween(generation, piece, p)} and ${INACTIVE} group by start) i on i.start = a.start`,
  )
}

const activityOfPart = async (db: Db, range: Range, { first, last }: Bucket): Promise<Activity> => {
  const batches = await inUserBatches(db, { ...range, from: first, to: last }, (known, users) =>
    selectRows<Activity>(db, (p) => {
      const counted = (condition: string) =>
        `(select count(*) as active, ${existingMembers(p(numberOfDay(first)))}
          from (select distinct user_id, joined from (${contributionsOf(known, users(p), p, 'user_id, joined', condition)}) p1) p2)`
      return `select a.active - i.active as active, a.existing_members - i.existing_members as existing_members
        from ${counted('')} a cross join ${counted(`and ${INACTIVE}`)} i`
    }),
  )
  const rows = batches.flat()
  return { active: sum(rows.map(({ active }) => active)), existing_members: sum(rows.map((row) => row.existing_members)) }
}

export const activityIn = async ({ db }: QueryContext, range: Range, span: Span): Promise<Activity[]> => {
  const buckets = bucketsOf(span, range.from, range.to)
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
