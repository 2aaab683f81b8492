import { setImmediate } from 'node:timers/promises'
import type { Actor } from '../../core/context.ts'
import { type Db, likeContaining, parameters, runText, statementIn } from '../../db/index.ts'
import { spaceTables } from '../spaces/index.ts'
import { nameableSpaces } from './access.ts'
import { shiftDay } from './date-buckets.ts'
import type { Range } from './range.ts'

export type Scope = readonly number[] | null

export interface SpaceMetrics {
  readonly space_id: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
}

type Placeholder = (value: string | number) => string

const NONE = '1 = 0'

/** SQL condition: the space id in `column` is in the scope. */
const scopeCondition = (scope: Scope, column: string, p: Placeholder): string => {
  if (scope === null) return '1 = 1'
  return scope.length === 0 ? NONE : `${column} in (${scope.map((id) => p(id)).join(', ')})`
}

const rowsIn = ({ generation, from, to }: Pick<Range, 'generation' | 'from' | 'to'>, scope: Scope, p: Placeholder) =>
  `from analytics_space_rollups where generation = ${p(generation)} and day >= ${p(from)} and day <= ${p(to)} and ${scopeCondition(scope, 'space_id', p)}`

/** Days per query; other work runs in between. */
const DAYS_PER_QUERY = 15

type RangeOfGeneration = Pick<Range, 'generation' | 'from' | 'to'>

/** The first and last day of the range that have data. */
const clipToData = async (db: Db, { generation, from, to }: RangeOfGeneration): Promise<{ first: string; last: string } | null> => {
  const { values, p } = parameters()
  const text = `select min(day) as first, max(day) as last from analytics_hourly_rollups where generation = ${p(generation)}`
  const [row] = await runText<{ first: string | null; last: string | null }>(db, text, values)
  if (!row?.first || !row.last) return null
  return { first: row.first > from ? row.first : from, last: row.last < to ? row.last : to }
}

/** Reads a range in batches of days, in order, without the days before and after all data. */
const inDayBatches = async <R>(db: Db, range: RangeOfGeneration, read: (piece: RangeOfGeneration) => Promise<R>): Promise<R[]> => {
  const days = await clipToData(db, range)
  const results: R[] = []
  for (let from = days?.first ?? ''; days && from <= days.last; from = shiftDay(from, DAYS_PER_QUERY)) {
    if (results.length > 0) await setImmediate()
    const to = shiftDay(from, DAYS_PER_QUERY - 1)
    results.push(await read({ generation: range.generation, from, to: to < days.last ? to : days.last }))
  }
  return results
}

/** Metrics of each space of a scope in a range; spaces without activity are left out. */
export const spaceMetrics = async (db: Db, range: Range, scope: Scope): Promise<SpaceMetrics[]> => {
  const pieces = await inDayBatches(db, range, (piece) => {
    const { values, p } = parameters()
    return runText<SpaceMetrics>(
      db,
      `select space_id, sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions ${rowsIn(piece, scope, p)}
       group by space_id`,
      values,
    )
  })
  const sums = new Map<number, SpaceMetrics>()
  for (const row of pieces.flat()) {
    const { posts = 0, comments = 0, reactions = 0 } = sums.get(row.space_id) ?? {}
    sums.set(row.space_id, {
      space_id: row.space_id,
      posts: posts + row.posts,
      comments: comments + row.comments,
      reactions: reactions + row.reactions,
    })
  }
  return [...sums.values()].filter(({ posts, comments, reactions }) => posts > 0 || comments > 0 || reactions > 0)
}

export const postsIn = async (db: Db, range: RangeOfGeneration, scope: Scope): Promise<number> => {
  const { values, p } = parameters()
  const rows = await runText<{ n: number }>(db, `select coalesce(sum(posts), 0) as n ${rowsIn(range, scope, p)}`, values)
  return rows[0]?.n ?? 0
}

export interface SpaceDay {
  readonly day: string
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly joins: number
}

/** Metrics by day, in order. */
export const spaceDays = async (db: Db, range: Range, scope: Scope): Promise<SpaceDay[]> => {
  const pieces = await inDayBatches(db, range, (piece) => {
    const { values, p } = parameters()
    return runText<SpaceDay>(
      db,
      `select day, sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions, sum(joins) as joins
       ${rowsIn(piece, scope, p)} group by day order by day`,
      values,
    )
  })
  return pieces.flat()
}

const SCORES = {
  posts: ({ posts }: SpaceMetrics) => posts,
  engagement: ({ posts, comments, reactions }: SpaceMetrics) => posts * 3 + comments * 2 + reactions,
} as const

/** The spaces with the most posts or engagement, without those with none. */
export const topSpaces = (metrics: readonly SpaceMetrics[], metric: keyof typeof SCORES, limit: number): SpaceMetrics[] => {
  const score = SCORES[metric]
  return metrics
    .filter((row) => score(row) > 0)
    .sort((a, b) => score(b) - score(a) || a.space_id - b.space_id)
    .slice(0, limit)
}

/** Metrics of these spaces in a range; spaces without activity are left out. */
export const metricsOf = (db: Db, range: Range, ids: readonly number[]): Promise<SpaceMetrics[]> => {
  const { values, p } = parameters()
  return runText(
    db,
    `select space_id, sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions ${rowsIn(range, ids, p)} group by space_id`,
    values,
  )
}

interface SpaceNames {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly members_count: number
  readonly posts_count: number
}

const COLUMNS = 's.id, s.title, s.slug, s.members_count, s.posts_count'
const byIds = statementIn<SpaceNames>((list) => `select ${COLUMNS} from spaces s where s.id in (${list(1)})`)

export const spacesById = async (db: Db, ids: readonly number[]): Promise<Map<number, SpaceNames>> =>
  ids.length === 0 ? new Map() : new Map((await byIds(db, ids.length, ids)).map((row) => [row.id, row]))

/** Ids of the spaces that metrics must not name to the actor. */
export const unnameableSpaces = async (db: Db, actor: Actor): Promise<ReadonlySet<number>> => {
  const { values, p } = parameters()
  const text = `select s.id from ${spaceTables(p(actor.id))} where case when ${nameableSpaces(actor, p)} then 0 else 1 end = 1`
  return new Set((await runText<{ id: number }>(db, text, values)).map(({ id }) => id))
}

export const largestSpaces = (db: Db, actor: Actor, scope: Scope, limit: number): Promise<SpaceNames[]> => {
  const { values, p } = parameters()
  return runText(
    db,
    `select ${COLUMNS} from ${spaceTables(p(actor.id))} where ${scopeCondition(scope, 's.id', p)} and ${nameableSpaces(actor, p)} order by s.members_count desc, s.id limit ${p(limit)}`,
    values,
  )
}

/** The number of spaces and of memberships. */
export const spaceTotals = async (db: Db, scope: Scope): Promise<{ spaces: number; members: number }> => {
  const { values, p } = parameters()
  const rows = await runText<{ spaces: number; members: number }>(
    db,
    `select count(*) as spaces, coalesce(sum(s.members_count), 0) as members from spaces s where ${scopeCondition(scope, 's.id', p)}`,
    values,
  )
  return rows[0] ?? { spaces: 0, members: 0 }
}

/** Spaces whose title or slug contains a text, by title. */
export const searchSpaces = (db: Db, actor: Actor, scope: Scope, text: string, limit: number): Promise<SpaceNames[]> => {
  const { values, p } = parameters()
  const tables = spaceTables(p(actor.id))
  const needle = `lower(${p(likeContaining(text))})`
  return runText(
    db,
    `select ${COLUMNS} from ${tables} where (lower(s.title) like ${needle} escape '\\' or s.slug like ${needle} escape '\\')
     and ${scopeCondition(scope, 's.id', p)} and ${nameableSpaces(actor, p)} order by s.title, s.id limit ${p(limit)}`,
    values,
  )
}
