import { containing, type Db, parameters, runText, statementFor } from '../../db/index.ts'
import type { Range } from './range.ts'

export type Scope = readonly number[] | null

export interface SpaceFigures {
  readonly space_id: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
}

type Placeholder = (value: string | number) => string

const NONE = '1 = 0'

/** SQL that holds for the spaces of a scope; `column` holds a space's id. */
const within = (scope: Scope, column: string, p: Placeholder): string => {
  if (scope === null) return '1 = 1'
  return scope.length === 0 ? NONE : `${column} in (${scope.map((id) => p(id)).join(', ')})`
}

const rowsIn = ({ generation, from, to }: Pick<Range, 'generation' | 'from' | 'to'>, scope: Scope, p: Placeholder) =>
  `from analytics_spaces where generation = ${p(generation)} and day >= ${p(from)} and day <= ${p(to)} and ${within(scope, 'space_id', p)}`

/** How many spaces had a post, comment or reaction in a range. */
export const activeSpaces = async (db: Db, range: Range, scope: Scope): Promise<number> => {
  const { values, p } = parameters()
  const rows = await runText<{ n: number }>(
    db,
    `select count(distinct space_id) as n ${rowsIn(range, scope, p)} and (posts > 0 or comments > 0 or reactions > 0)`,
    values,
  )
  return rows[0]?.n ?? 0
}

export const postsIn = async (db: Db, range: Pick<Range, 'generation' | 'from' | 'to'>, scope: Scope): Promise<number> => {
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

/** By day, in order. */
export const spaceDays = (db: Db, range: Range, scope: Scope): Promise<SpaceDay[]> => {
  const { values, p } = parameters()
  return runText(
    db,
    `select day, sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions, sum(joins) as joins
     ${rowsIn(range, scope, p)} group by day order by day`,
    values,
  )
}

const SCORES = { posts: 'sum(posts)', engagement: 'sum(posts * 3 + comments * 2 + reactions)' } as const

/** The spaces with most posts or engagement in a range; none that had nothing. */
export const topSpaces = (db: Db, range: Range, scope: Scope, metric: keyof typeof SCORES, limit: number): Promise<SpaceFigures[]> => {
  const { values, p } = parameters()
  const score = SCORES[metric]
  return runText(
    db,
    `select space_id, sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions ${rowsIn(range, scope, p)}
     group by space_id having ${score} > 0 order by ${score} desc, space_id limit ${p(limit)}`,
    values,
  )
}

/** What these spaces had in a range; spaces without anything are left out. */
export const figuresOf = (db: Db, range: Range, ids: readonly number[]): Promise<SpaceFigures[]> => {
  const { values, p } = parameters()
  return runText(
    db,
    `select space_id, sum(posts) as posts, sum(comments) as comments, sum(reactions) as reactions ${rowsIn(range, ids, p)} group by space_id`,
    values,
  )
}

export interface SpaceNames {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly members_count: number
  readonly posts_count: number
}

const COLUMNS = 's.id, s.title, s.slug, s.members_count, s.posts_count'
const byIds = statementFor<SpaceNames>((list) => `select ${COLUMNS} from spaces s where s.id in (${list(1)})`)

export const spacesById = async (db: Db, ids: readonly number[]): Promise<Map<number, SpaceNames>> =>
  ids.length === 0 ? new Map() : new Map((await byIds(db, ids.length, ids)).map((row) => [row.id, row]))

export const largestSpaces = (db: Db, scope: Scope, limit: number): Promise<SpaceNames[]> => {
  const { values, p } = parameters()
  return runText(
    db,
    `select ${COLUMNS} from spaces s where ${within(scope, 's.id', p)} order by s.members_count desc, s.id limit ${p(limit)}`,
    values,
  )
}

/** How many spaces there are, and memberships in them. */
export const spaceTotals = async (db: Db, scope: Scope): Promise<{ spaces: number; members: number }> => {
  const { values, p } = parameters()
  const rows = await runText<{ spaces: number; members: number }>(
    db,
    `select count(*) as spaces, coalesce(sum(s.members_count), 0) as members from spaces s where ${within(scope, 's.id', p)}`,
    values,
  )
  return rows[0] ?? { spaces: 0, members: 0 }
}

/** Spaces whose title or slug holds a text, by title. */
export const searchSpaces = (db: Db, scope: Scope, text: string, limit: number): Promise<SpaceNames[]> => {
  const { values, p } = parameters()
  const needle = `lower(${p(containing(text))})`
  return runText(
    db,
    `select ${COLUMNS} from spaces s where (lower(s.title) like ${needle} escape '\\' or s.slug like ${needle} escape '\\')
     and ${within(scope, 's.id', p)} order by s.title, s.id limit ${p(limit)}`,
    values,
  )
}
