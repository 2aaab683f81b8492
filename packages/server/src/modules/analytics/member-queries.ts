import { setImmediate } from 'node:timers/promises'
import { chunkPadded, type Db, parameters, runText, statementIn, statementOne, type Value } from '../../db/index.ts'
import { PERSON_COUNTS } from './accumulators.ts'
import { type Bucket, bucketsAtMost, bucketsOf, endOf, numberOfDay, type Piece, piecesOf, SPAN_NUMBERS, type Span } from './date-buckets.ts'
import type { Range } from './range.ts'

/**
 * Suspended and banned people are no active members. They are few: to count them apart and take them off costs a fraction of asking of
 * each row whether it is one of somebody else.
 */
const INACTIVE = `user_id in (select u.id from users u where u.status <> 'active')`

type Placeholder = (value: Value) => string

/** People whose rows are read at once: what is counted of many is counted portion by portion, so that others get their turn. */
const PEOPLE_AT_ONCE = 4000
/** Beyond so many, the days, weeks or months of a piece are not looked up one by one. */
const MOST_STARTS = 256

/** People by their ids, from the first to the last. */
interface Portion {
  readonly first: number
  readonly last: number
}

const highest = statementOne<{ id: number }>('select coalesce(max(id), 0) as id from users')
const earliest = statementOne<{ start: number | null }>(
  `select min(start) as start from analytics_member_rollups where generation = $1 and span = ${SPAN_NUMBERS.month}`,
)

/** The same range without the days before anything happened; null where that was after it. */
const clipped = async (db: Db, range: Range): Promise<Range | null> => {
  const start = (await earliest(db, [range.generation]))?.start
  if (!start) return null
  const text = String(start).padStart(8, '0')
  const first = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  return first > range.to ? null : { ...range, from: first > range.from ? first : range.from }
}

const startsOf = ({ span, first, last }: Piece): number[] => bucketsOf(span, first, last).map(({ start }) => numberOfDay(start))

/** What one portion after another gives, each as of its moment. */
const portionByPortion = async <R>(db: Db, range: Range, read: (range: Range, portion: Portion) => Promise<R>): Promise<R[]> => {
  const known = await clipped(db, range)
  if (!known) return []
  const { id } = (await highest(db)) ?? { id: 0 }
  const results: R[] = []
  for (let first = 1; first <= id; first += PEOPLE_AT_ONCE) {
    if (first > 1) await setImmediate()
    results.push(await read(known, { first, last: first + PEOPLE_AT_ONCE - 1 }))
  }
  return results
}

/** Rows of whole days, weeks or months. */
const between = (generation: number, { span, first, last }: Piece, p: Placeholder): string =>
  `from analytics_member_rollups where generation = ${p(generation)} and span = ${SPAN_NUMBERS[span]}
   and start >= ${p(numberOfDay(first))} and start <= ${p(numberOfDay(last))}`

/** The same of a portion of people: each start is named, for between two of them everybody's rows would be read. */
const betweenOf = (generation: number, piece: Piece, { first, last }: Portion, p: Placeholder): string => {
  const people = `user_id >= ${p(first)} and user_id <= ${p(last)}`
  if (bucketsAtMost(piece.span, piece.first, piece.last) > MOST_STARTS) return `${between(generation, piece, p)} and ${people}`
  const starts = startsOf(piece).map((start) => p(start))
  return `from analytics_member_rollups where generation = ${p(generation)} and span = ${SPAN_NUMBERS[piece.span]}
   and start in (${starts.join(', ')}) and ${people}`
}

/** What some people made in a range: rows of analytics_member_rollups, several a person. */
const made = ({ from, to, generation }: Range, portion: Portion, p: Placeholder, columns: string, condition = ''): string =>
  piecesOf(from, to)
    .map((piece) => `select ${columns} ${betweenOf(generation, piece, portion, p)} ${condition}`)
    .join(' union all ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** How many active accounts posted, commented or reacted in a range. */
export const activeMembers = async (db: Db, range: Range): Promise<number> => {
  const counts = await portionByPortion(db, range, async (known, portion) => {
    const { values, p } = parameters()
    const rows = await runText<{ n: number }>(
      db,
      `select (select count(*) from (select distinct user_id from (${made(known, portion, p, 'user_id')}) p1) p2)
       - (select count(distinct user_id) from (${made(known, portion, p, 'user_id', `and ${INACTIVE}`)}) p3) as n`,
      values,
    )
    return rows[0]?.n ?? 0
  })
  return sum(counts)
}

/** What a person is ranked by, of a row, and which rows have anything of it. */
const SCORES = {
  posts: ['posts', 'and posts > 0'],
  comments: ['comments', 'and comments > 0'],
  reactions: ['reactions', 'and reactions > 0'],
  engagement: ['posts * 3 + comments * 2 + reactions', ''],
} as const
export type PersonMetric = keyof typeof SCORES

interface Ranked {
  readonly user_id: number
  readonly score: number
  readonly inactive: 0 | 1
  /** How many active accounts there are in all, where that was asked for. */
  readonly people: number
}

interface PersonFigures {
  readonly user_id: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly post_reactions: number
  readonly post_comments: number
  readonly comment_reactions: number
}

interface Named {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly avatar: string
}

const named = statementIn<Named>((list) => `select id, username, display_name, avatar from users where id in (${list(1)})`)

interface RankingRequest {
  readonly metric: PersonMetric
  readonly limit: number
  /** Whether it is to be told as well how many they are in all. */
  readonly counting: boolean
}

const ranked = (db: Db, range: Range, portion: Portion, { metric, limit, counting }: RankingRequest): Promise<Ranked[]> => {
  const { values, p } = parameters()
  const [score, condition] = SCORES[metric]
  const sums = `select user_id, sum(score) as score from (${made(range, portion, p, `user_id, ${score} as score`, condition)}) p1
    group by user_id having sum(score) > 0`
  const people = () =>
    `(select count(*) from sums)
     - (select count(distinct user_id) from (${made(range, portion, p, 'user_id', `${condition} and ${INACTIVE}`)}) p3)`
  return runText(
    db,
    `with sums as ${counting ? '' : 'not '}materialized (${sums})
     select user_id, score, case when ${INACTIVE} then 1 else 0 end as inactive, ${counting ? people() : 0} as people
     from (select user_id, score from sums order by score desc, user_id limit ${p(limit)}) p2 order by p2.score desc, user_id`,
    values,
  )
}

/** More than are asked for, since inactive people come off. */
const SPARE = 50
const MORE = 10

const rankedActive = async (db: Db, range: Range, portion: Portion, asked: RankingRequest): Promise<Ranked[]> => {
  for (let size = asked.limit + SPARE; ; size *= MORE) {
    const rows = await ranked(db, range, portion, { ...asked, limit: size })
    const active = rows.filter(({ inactive }) => inactive === 0)
    if (active.length >= asked.limit || rows.length < size) return active.slice(0, asked.limit)
  }
}

/** The first ones of all portions, and how many people they are taken from. */
const firstOf = async (db: Db, range: Range, asked: RankingRequest): Promise<{ rows: Ranked[]; people: number }> => {
  const portions = await portionByPortion(db, range, (known, portion) => rankedActive(db, known, portion, asked))
  const rows = portions.flat().sort((a, b) => b.score - a.score || a.user_id - b.user_id)
  return { rows: rows.slice(0, asked.limit), people: sum(portions.map(([first]) => first?.people ?? 0)) }
}

/** All that some people made in a range. */
const figuresOf = async (db: Db, range: Range, ids: readonly number[]): Promise<Map<number, PersonFigures>> => {
  const { values, p } = parameters()
  const list = (numbers: readonly number[]) =>
    chunkPadded(numbers)
      .flat()
      .map((n) => p(n))
      .join(', ')
  const among = `user_id in (${list(ids)})`
  const columns = PERSON_COUNTS.join(', ')
  const parts = piecesOf(range.from, range.to).map((piece) => {
    const { span, first, last } = piece
    if (bucketsAtMost(span, first, last) > MOST_STARTS)
      return `select user_id, ${columns} ${between(range.generation, piece, p)} and ${among}`
    // Named one by one, each person's rows are found by their whole key: between two days all people's would be read.
    const starts = startsOf(piece)
    return `select user_id, ${columns} from analytics_member_rollups where generation = ${p(range.generation)} and span = ${SPAN_NUMBERS[span]}
      and start in (${list(starts)}) and ${among}`
  })
  const sums = PERSON_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')
  const rows = await runText<PersonFigures>(db, `select user_id, ${sums} from (${parts.join(' union all ')}) p1 group by user_id`, values)
  return new Map(rows.map((row) => [row.user_id, row]))
}

const withFigures = async (db: Db, range: Range, rows: readonly Ranked[]): Promise<PersonFigures[]> => {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.user_id)
  const figures = await figuresOf(db, range, ids)
  return ids.flatMap((id) => figures.get(id) ?? [])
}

/** Those active accounts that made most of something in a range, and how much of everything; nobody who made none. */
export const topPeople = async (db: Db, range: Range, metric: PersonMetric, limit: number): Promise<PersonFigures[]> =>
  withFigures(db, range, (await firstOf(db, range, { metric, limit, counting: false })).rows)

/** The one with the highest engagement score, and how many active accounts there are: both of one reading. */
export const topAndActive = async (db: Db, range: Range): Promise<{ active: number; top: PersonFigures[] }> => {
  const { rows, people } = await firstOf(db, range, { metric: 'engagement', limit: 1, counting: true })
  return { active: people, top: await withFigures(db, range, rows) }
}

/** The same with who they are; nobody who is gone. */
export const withNames = async (db: Db, rows: readonly PersonFigures[]): Promise<(PersonFigures & Named)[]> => {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.user_id)
  const people = new Map((await named(db, ids.length, ids)).map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const person = people.get(row.user_id)
    return person ? [{ ...row, ...person }] : []
  })
}

export interface Activity {
  readonly active: number
  /** Of these, accounts made before. */
  readonly older: number
}

interface ActivityRow extends Activity {
  readonly start: number
}

const NOBODY: Activity = { active: 0, older: 0 }

const older = (first: string) => `coalesce(sum(case when joined < ${first} then 1 else 0 end), 0) as older`

/** Whole spans that are read at once. */
const SPANS_AT_ONCE: Readonly<Record<Span, number>> = { day: 7, week: 1, month: 1 }

/** Whole spans, of which each person has one row. */
const inWhole = async (db: Db, generation: number, piece: Piece): Promise<ActivityRow[]> => {
  const { values, p } = parameters()
  const counted = `select start, count(*) as active, ${older('start')}`
  return runText<ActivityRow>(
    db,
    `select a.start, a.active - coalesce(i.active, 0) as active, a.older - coalesce(i.older, 0) as older
     from (${counted} ${between(generation, piece, p)} group by start) a
     left join (${counted} ${between(generation, piece, p)} and ${INACTIVE} group by start) i on i.start = a.start`,
    values,
  )
}

const inPart = async (db: Db, range: Range, { first, last }: Bucket): Promise<Activity> => {
  const portions = await portionByPortion(db, { ...range, from: first, to: last }, async (known, portion) => {
    const { values, p } = parameters()
    const counted = (condition: string) =>
      `(select count(*) as active, ${older(p(numberOfDay(first)))}
        from (select distinct user_id, joined from (${made(known, portion, p, 'user_id, joined', condition)}) p1) p2)`
    const rows = await runText<Activity>(
      db,
      `select a.active - i.active as active, a.older - i.older as older from ${counted('')} a cross join ${counted(`and ${INACTIVE}`)} i`,
      values,
    )
    return rows[0] ?? NOBODY
  })
  return { active: sum(portions.map(({ active }) => active)), older: sum(portions.map((one) => one.older)) }
}

/** How many active accounts posted, commented or reacted in each bucket. */
export const activityIn = async (db: Db, range: Range, span: Span, buckets: readonly Bucket[]): Promise<Activity[]> => {
  const first = (await clipped(db, range))?.from
  const isWhole = ({ start, first: begin, last }: Bucket) => begin === start && (last === endOf(span, start) || last >= range.today)
  const used = first === undefined ? [] : buckets.filter(({ last }) => last >= first)
  const whole = used.filter(isWhole)
  const known = new Map<number, Activity>()
  for (let at = 0; at < whole.length; at += SPANS_AT_ONCE[span]) {
    const some = whole.slice(at, at + SPANS_AT_ONCE[span])
    const piece = { span, first: some[0]?.start ?? '', last: some.at(-1)?.start ?? '' }
    for (const row of await inWhole(db, range.generation, piece)) known.set(row.start, row)
    await setImmediate()
  }
  for (const bucket of used) if (!isWhole(bucket)) known.set(numberOfDay(bucket.start), await inPart(db, range, bucket))
  return buckets.map(({ start }) => known.get(numberOfDay(start)) ?? NOBODY)
}
