import { type Db, padded, parameters, runText, statementFor, type Value } from '../../db/index.ts'
import { type Bucket, bucketsAtMost, bucketsOf, endOf, numberOfDay, type Piece, piecesOf, SPAN_NUMBERS, type Span } from './calendar.ts'
import type { Range } from './range.ts'
import { PERSON_COUNTS } from './sums.ts'

/**
 * Suspended and banned people are no active members. They are few: to count them apart and take them off costs a fraction of asking of
 * each row whether it is one of somebody else.
 */
const INACTIVE = `user_id in (select u.id from users u where u.status <> 'active')`

type Placeholder = (value: Value) => string

/** Rows of whole days, weeks or months. */
const between = (generation: number, { span, first, last }: Piece, p: Placeholder): string =>
  `from analytics_members where generation = ${p(generation)} and span = ${SPAN_NUMBERS[span]}
   and start >= ${p(numberOfDay(first))} and start <= ${p(numberOfDay(last))}`

/** What people made in a range: rows of analytics_members, several a person. */
const made = ({ from, to, generation }: Range, p: Placeholder, columns: string, condition = ''): string =>
  piecesOf(from, to)
    .map((piece) => `select ${columns} ${between(generation, piece, p)} ${condition}`)
    .join(' union all ')

/** How many active accounts posted, commented or reacted in a range. */
export const activeMembers = async (db: Db, range: Range): Promise<number> => {
  const { values, p } = parameters()
  const rows = await runText<{ n: number }>(
    db,
    `select (select count(*) from (select distinct user_id from (${made(range, p, 'user_id')}) p1) p2)
     - (select count(distinct user_id) from (${made(range, p, 'user_id', `and ${INACTIVE}`)}) p3) as n`,
    values,
  )
  return rows[0]?.n ?? 0
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

const named = statementFor<Named>((list) => `select id, username, display_name, avatar from users where id in (${list(1)})`)

const ranked = (db: Db, range: Range, metric: PersonMetric, limit: number, counting: boolean): Promise<Ranked[]> => {
  const { values, p } = parameters()
  const [score, condition] = SCORES[metric]
  const sums = `select user_id, sum(score) as score from (${made(range, p, `user_id, ${score} as score`, condition)}) p1
    group by user_id having sum(score) > 0`
  const people = () =>
    `(select count(*) from sums)
     - (select count(distinct user_id) from (${made(range, p, 'user_id', `${condition} and ${INACTIVE}`)}) p3)`
  return runText(
    db,
    `with sums as ${counting ? '' : 'not '}materialized (${sums})
     select user_id, case when ${INACTIVE} then 1 else 0 end as inactive, ${counting ? people() : 0} as people
     from (select user_id, score from sums order by score desc, user_id limit ${p(limit)}) p2 order by p2.score desc, user_id`,
    values,
  )
}

/** More than are asked for, since inactive people come off. */
const SPARE = 50
const MORE = 10

const rankedActive = async (db: Db, range: Range, metric: PersonMetric, limit: number, counting: boolean): Promise<Ranked[]> => {
  for (let size = limit + SPARE; ; size *= MORE) {
    const rows = await ranked(db, range, metric, size, counting)
    const active = rows.filter(({ inactive }) => inactive === 0)
    if (active.length >= limit || rows.length < size) return active.slice(0, limit)
  }
}

/** Beyond so many, the days, weeks or months of a piece are not looked up one by one. */
const MOST_STARTS = 256

/** All that some people made in a range. */
const figuresOf = async (db: Db, range: Range, ids: readonly number[]): Promise<Map<number, PersonFigures>> => {
  const { values, p } = parameters()
  const list = (numbers: readonly number[]) =>
    padded(numbers)
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
    const starts = bucketsOf(span, first, last).map(({ start }) => numberOfDay(start))
    return `select user_id, ${columns} from analytics_members where generation = ${p(range.generation)} and span = ${SPAN_NUMBERS[span]}
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
  withFigures(db, range, await rankedActive(db, range, metric, limit, false))

/** The one with the highest engagement score, and how many active accounts there are: both of one reading. */
export const topAndActive = async (db: Db, range: Range): Promise<{ active: number; top: PersonFigures[] }> => {
  const rows = await rankedActive(db, range, 'engagement', 1, true)
  return { active: rows[0]?.people ?? 0, top: await withFigures(db, range, rows) }
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

/** Whole spans, of which each person has one row. */
const inWhole = async (db: Db, generation: number, piece: Piece): Promise<Map<number, Activity>> => {
  const { values, p } = parameters()
  const counted = `select start, count(*) as active, ${older('start')}`
  const rows = await runText<ActivityRow>(
    db,
    `select a.start, a.active - coalesce(i.active, 0) as active, a.older - coalesce(i.older, 0) as older
     from (${counted} ${between(generation, piece, p)} group by start) a
     left join (${counted} ${between(generation, piece, p)} and ${INACTIVE} group by start) i on i.start = a.start`,
    values,
  )
  return new Map(rows.map((row) => [row.start, row]))
}

const inPart = async (db: Db, range: Range, { first, last }: Bucket): Promise<Activity> => {
  const { values, p } = parameters()
  const counted = (condition: string) =>
    `(select count(*) as active, ${older(p(numberOfDay(first)))}
      from (select distinct user_id, joined from (${made({ ...range, from: first, to: last }, p, 'user_id, joined', condition)}) p1) p2)`
  const rows = await runText<Activity>(
    db,
    `select a.active - i.active as active, a.older - i.older as older from ${counted('')} a cross join ${counted(`and ${INACTIVE}`)} i`,
    values,
  )
  return rows[0] ?? NOBODY
}

/** How many active accounts posted, commented or reacted in each bucket. */
export const activityIn = async (db: Db, range: Range, span: Span, buckets: readonly Bucket[]): Promise<Activity[]> => {
  const isWhole = ({ start, first, last }: Bucket) => first === start && (last === endOf(span, start) || last >= range.today)
  const whole = buckets.filter(isWhole)
  const [begin, end] = [whole.at(0), whole.at(-1)]
  const known =
    begin && end ? await inWhole(db, range.generation, { span, first: begin.start, last: end.start }) : new Map<number, Activity>()
  for (const bucket of buckets) if (!isWhole(bucket)) known.set(numberOfDay(bucket.start), await inPart(db, range, bucket))
  return buckets.map(({ start }) => known.get(numberOfDay(start)) ?? NOBODY)
}
