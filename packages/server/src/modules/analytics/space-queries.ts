import { setImmediate } from 'node:timers/promises'
import type { Actor, ReadContext } from '../../core/context.ts'
import { containsText, type Db, type Placeholder, type SpaceRow, selectRows, statementIn, type Tables } from '../../db/index.ts'
import { shiftDay } from '../../util/days.ts'
import { spaceTables } from '../spaces/index.ts'
import { nameableSpaces } from './access.ts'
import { engagement } from './formulas.ts'
import type { Range } from './range.ts'

export type Scope = readonly number[] | null

export type SpaceMetrics = Pick<Tables['analytics_space_rollups'], 'space_id' | 'posts' | 'comments' | 'reactions'>
type SpaceDay = Pick<Tables['analytics_space_rollups'], 'day' | 'posts' | 'comments' | 'reactions' | 'joins'>
type QueryContext = Pick<ReadContext, 'db'>

const scopeCondition = (scope: Scope, column: string, p: Placeholder): string => {
  if (scope === null) return '1 = 1'
  return scope.length === 0 ? '1 = 0' : `${column} in (${scope.map(p).join(', ')})`
}

const rowsIn = ({ generation, from, to }: Range, scope: Scope, p: Placeholder) =>
  `from analytics_space_rollups where generation = ${p(generation)} and day >= ${p(from)} and day <= ${p(to)} and ${scopeCondition(scope, 'space_id', p)}`

const SUMS = 'sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions'

/** Days per query; other work runs in between. */
const DAYS_PER_QUERY = 15

/** Rows of a range in batches of days, in order, without the days before and after all data. */
const inDayBatches = async <Row>(db: Db, range: Range, text: (piece: Range, p: Placeholder) => string): Promise<Row[]> => {
  const [known] = await selectRows<{ first: string | null; last: string | null }>(
    db,
    (p) => `select min(day) as first, max(day) as last from analytics_hourly_rollups where generation = ${p(range.generation)}`,
  )
  if (!known?.first || !known.last) return []
  const first = known.first > range.from ? known.first : range.from
  const last = known.last < range.to ? known.last : range.to
  const rows: Row[] = []
  for (let from = first; from <= last; from = shiftDay(from, DAYS_PER_QUERY)) {
    if (from > first) await setImmediate()
    const to = shiftDay(from, DAYS_PER_QUERY - 1)
    rows.push(...(await selectRows<Row>(db, (p) => text({ ...range, from, to: to < last ? to : last }, p))))
  }
  return rows
}

/** Metrics of each space of a scope in a range; spaces without activity are left out. */
export const spaceMetrics = async ({ db }: QueryContext, range: Range, scope: Scope): Promise<SpaceMetrics[]> => {
  const rows = await inDayBatches<SpaceMetrics>(
    db,
    range,
    (piece, p) => `select space_id, ${SUMS} ${rowsIn(piece, scope, p)} group by space_id`,
  )
  const sums = new Map<number, SpaceMetrics>()
  for (const { space_id, ...row } of rows) {
    const { posts = 0, comments = 0, reactions = 0 } = sums.get(space_id) ?? {}
    sums.set(space_id, { space_id, posts: posts + row.posts, comments: comments + row.comments, reactions: reactions + row.reactions })
  }
  return [...sums.values()].filter(({ posts, comments, reactions }) => posts > 0 || comments > 0 || reactions > 0)
}

export const postsIn = async ({ db }: QueryContext, range: Range, scope: Scope): Promise<number> =>
  (await selectRows<{ n: number }>(db, (p) => `select coalesce(sum(posts), 0) as n ${rowsIn(range, scope, p)}`))[0]?.n ?? 0

export const spaceDays = ({ db }: QueryContext, range: Range, scope: Scope): Promise<SpaceDay[]> =>
  inDayBatches(db, range, (piece, p) => `select day, ${SUMS}, sum(joins) as joins ${rowsIn(piece, scope, p)} group by day order by day`)

const SCORES = { posts: ({ posts }: SpaceMetrics) => posts, engagement } as const

/** The spaces with the most posts or engagement, without those with none. */
export const topSpaces = (metrics: readonly SpaceMetrics[], metric: keyof typeof SCORES, limit: number): SpaceMetrics[] => {
  const score = SCORES[metric]
  return metrics
    .filter((row) => score(row) > 0)
    .sort((a, b) => score(b) - score(a) || a.space_id - b.space_id)
    .slice(0, limit)
}

/** Metrics of these spaces in a range; spaces without activity are left out. */
export const metricsOf = (db: Db, range: Range, ids: readonly number[]): Promise<SpaceMetrics[]> =>
  selectRows(db, (p) => `select space_id, ${SUMS} ${rowsIn(range, ids, p)} group by space_id`)

type SpaceNames = Pick<SpaceRow, 'id' | 'title' | 'slug' | 'members_count' | 'posts_count'>

const COLUMNS = 's.id, s.title, s.slug, s.members_count, s.posts_count'
const byIds = statementIn<SpaceNames>((list) => `select ${COLUMNS} from spaces s where s.id in (${list})`)

export const spacesById = async (db: Db, ids: readonly number[]): Promise<Map<number, SpaceNames>> =>
  new Map((await byIds(db, ids)).map((row) => [row.id, row]))

/** Ids of the spaces that metrics must not name to the actor. */
export const unnameableSpaces = async (db: Db, actor: Actor): Promise<ReadonlySet<number>> => {
  const rows = await selectRows<{ id: number }>(
    db,
    (p) => `select s.id from ${spaceTables(p(actor.id))} where case when ${nameableSpaces(actor, p)} then 0 else 1 end = 1`,
  )
  return new Set(rows.map(({ id }) => id))
}

export const largestSpaces = (db: Db, actor: Actor, scope: Scope, limit: number): Promise<SpaceNames[]> =>
  selectRows(
    db,
    (p) => `select ${COLUMNS} from ${spaceTables(p(actor.id))} where ${scopeCondition(scope, 's.id', p)} and ${nameableSpaces(actor, p)}
      order by s.members_count desc, s.id limit ${p(limit)}`,
  )

export const spaceTotals = async (db: Db, scope: Scope): Promise<{ spaces: number; members: number }> => {
  const rows = await selectRows<{ spaces: number; members: number }>(
    db,
    (p) =>
      `select count(*) as spaces, coalesce(sum(s.members_count), 0) as members from spaces s where ${scopeCondition(scope, 's.id', p)}`,
  )
  return rows[0] ?? { spaces: 0, members: 0 }
}

export const searchSpaces = (db: Db, actor: Actor, scope: Scope, text: string, limit: number): Promise<SpaceNames[]> =>
  selectRows(
    db,
    (p) => `select ${COLUMNS} from ${spaceTables(p(actor.id))} where ${containsText(text, p, 's.title', 's.slug')}
      and ${scopeCondition(scope, 's.id', p)} and ${nameableSpaces(actor, p)} order by s.title, s.id limit ${p(limit)}`,
  )
