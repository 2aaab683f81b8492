import type { Actor } from '../../../core/context.ts'
import { type Db, limitTo, matchingFeeds, type Placeholder, parameters, rowVersion, runText, statementOne } from '../../../db/index.ts'
import { reachableFeeds, visibleFeeds } from '../access.ts'
import { type FeedHit, type FoundFeed, hitColumns, sortColumns, viewerStateColumns } from '../feed-row.ts'
import { isPlain, OTHER_KINDS, OTHER_TYPES } from '../feed-types.ts'
import type { Cursor } from './cursor.ts'
import { afterCursor, type Order, orderBy } from './sort-orders.ts'
import { countSource, pageSource, type Source, type TopicFilter } from './topic-filter.ts'

export interface ListFilter {
  readonly order: Order
  readonly spaceId?: number | undefined
  readonly userId?: number | undefined
  /** A status other than published: own feeds, or those held for moderation. */
  readonly status?: string | undefined
  /** The caller moderates here, so pending and spam feeds of others are listed too. */
  readonly moderates?: boolean | undefined
  readonly type?: string | undefined
  readonly search?: string | undefined
  readonly topics?: TopicFilter | undefined
  /** Exclude this feed (it is shown above the list), or every pinned one. */
  readonly exclude?: number | 'pinned' | undefined
}

export interface PageRange {
  readonly limit: number
  readonly offset: number
  readonly cursor?: Cursor | undefined
}

/** Matches the condition of a partial index. */
const HELD_FOR_MODERATION = `f.status in ('pending', 'spam')`

/**
 * SQL condition for the status: published feeds follow the visibility rules; others are visible to their author and, if held, to
 * moderators. Null if nothing can match.
 */
const statusCondition = (actor: Actor, { status = 'published', userId, moderates }: ListFilter, p: Placeholder): string | null => {
  if (status === 'published') return visibleFeeds(actor, p)
  const held = status === 'pending' || status === 'spam'
  if (userId !== actor.id && !(held && moderates)) return null
  return `f.status = ${p(status)}${held ? ` and ${HELD_FOR_MODERATION}` : ''} and ${reachableFeeds(actor, p)}`
}

/**
 * The plain type is a `not in` condition, because with a list of wanted types the database would sort rather than read the index in order.
 * The type is a literal, not a parameter, so that PostgreSQL can estimate how rare it is.
 */
const typeCondition = (type: string): string =>
  isPlain(type) ? `f.type not in (${OTHER_TYPES})` : `f.type = '${OTHER_KINDS.find((kind) => kind === type) ?? ''}'`

/** SQL condition for the rows that the caller may see; null if nothing can match. */
const whereOf = (db: Db, actor: Actor, filter: ListFilter, p: Placeholder): string | null => {
  const status = statusCondition(actor, filter, p)
  if (!status) return null
  const parts = [status]
  if (filter.userId !== undefined) parts.push(`f.user_id = ${p(filter.userId)}`)
  if (filter.spaceId !== undefined) parts.push(`f.space_id = ${p(filter.spaceId)}`)
  if (filter.type !== undefined) parts.push(typeCondition(filter.type))
  if (filter.order.only) parts.push(filter.order.only)
  if (filter.exclude === 'pinned') parts.push('f.is_sticky = 0')
  else if (filter.exclude !== undefined) parts.push(`f.id <> ${p(filter.exclude)}`)
  if (filter.search) {
    const matching = matchingFeeds(db, filter.search, p)
    if (!matching) return null
    parts.push(matching)
  }
  return parts.join(' and ')
}

/** Whether another filter with its own index makes the list short enough to check the topics of each feed. */
const isNarrow = ({ userId, search, status = 'published' }: ListFilter): boolean =>
  userId !== undefined || Boolean(search) || status !== 'published'

/** The tables to read from; null if nothing can match. */
const sourceOf = (filter: ListFilter, p: Placeholder, chooseSource: typeof pageSource = pageSource): Source | null =>
  filter.topics ? chooseSource(filter.topics, filter.order, isNarrow(filter), p) : { from: 'feeds f', where: [], order: filter.order }

/**
 * One page of a list, plus one row if there is a next page. The subquery limits the lookups of the caller's own state to the rows of the
 * page, and keeps their order.
 */
export const listFeeds = async (db: Db, actor: Actor, filter: ListFilter, { limit, offset, cursor }: PageRange): Promise<FeedHit[]> => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, filter, p)
  const source = sourceOf(filter, p)
  if (!where || !source) return []
  const { from, order } = source
  const beyond = cursor ? [afterCursor(order, cursor.values.map(p))] : []
  const all = [...source.where, where, ...beyond].join(' and ')
  const columns = ['f.id', ...sortColumns(filter.order.columns), `${rowVersion(db, 'f')} as version`].join(', ')
  const page = `select ${columns} from ${from} where ${all} order by ${orderBy(order)} ${limitTo(db, limit + 1, cursor ? 0 : offset, p)}`
  const names = ['id', ...filter.order.columns, 'version'].map((name) => `p1.${name}`).join(', ')
  return runText<FeedHit>(db, `select ${names}, ${viewerStateColumns(me, 'p1')} from (${page}) p1`, values)
}

/** `extraCondition` is additional SQL; it must be constant text. */
export const countMatching = async (db: Db, actor: Actor, filter: ListFilter, extraCondition = ''): Promise<number> => {
  const { values, p } = parameters()
  const where = whereOf(db, actor, filter, p)
  const source = sourceOf(filter, p, countSource)
  if (!where || !source) return 0
  const all = [...source.where, where].join(' and ')
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from ${source.from} where ${all}${extraCondition}`, values)
  return row?.n ?? 0
}

/** A page of search results and their total number, from a single pass over the matches. */
export const searchInDatabase = async (
  db: Db,
  actor: Actor,
  filter: ListFilter,
  page: PageRange,
): Promise<{ rows: FeedHit[]; total: number }> => {
  if (page.cursor) return { rows: await listFeeds(db, actor, filter, page), total: await countMatching(db, actor, filter) }
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, filter, p)
  const source = sourceOf(filter, p)
  if (!where || !source) return { rows: [], total: 0 }
  const all = [...source.where, where].join(' and ')
  const window = `limit ${p(page.limit + 1)} offset ${p(page.offset)}`
  const hits = `select f.id as hit, count(*) over () as total from ${source.from} where ${all} order by ${orderBy(filter.order)} ${window}`
  const text = `select ${hitColumns(me, rowVersion(db, 'f'))}, h.total from (${hits}) h join feeds f on f.id = h.hit order by ${orderBy(filter.order)}`
  const rows = await runText<FeedHit & { total: number }>(db, text, values)
  const [first] = rows
  if (!first) return { rows: [], total: page.offset === 0 ? 0 : await countMatching(db, actor, filter) }
  return { rows, total: first.total }
}

/** Whether the list is filtered further than by space, so that the stored counts do not give its size. */
export const isFiltered = ({ userId, type, search, topics, order, status }: ListFilter): boolean =>
  userId !== undefined ||
  type !== undefined ||
  topics !== undefined ||
  Boolean(search || order.only) ||
  (status !== undefined && status !== 'published')

const pinnedIn = statementOne<{ id: number }>(
  'select f.id from feeds f where f.is_sticky = 1 and f.listed = 1 and coalesce(f.space_id, 0) = $1',
)

/** The feed that is pinned in a space (0: the community), regardless of who may see it. */
export const pinnedOf = async (db: Db, spaceId: number): Promise<number | null> => (await pinnedIn(db, [spaceId]))?.id ?? null

/** The pinned feed, if it is still pinned and the caller may see it. */
export const findPinned = async (db: Db, actor: Actor, id: number): Promise<FoundFeed | undefined> => {
  const { values, p } = parameters()
  const text = `select f.id, ${rowVersion(db, 'f')} as version, ${viewerStateColumns(p(actor.id))} from feeds f
    where f.id = ${p(id)} and f.is_sticky = 1 and ${visibleFeeds(actor, p)}`
  const [row] = await runText<FoundFeed>(db, text, values)
  return row
}
