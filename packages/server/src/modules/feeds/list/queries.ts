import type { Actor } from '../../../core/context.ts'
import { type Db, limitTo, matchingFeeds, type Placeholder, parameters, rowVersion, runText, statementOne } from '../../../db/index.ts'
import { feedsInReach, visibleFeeds } from '../access.ts'
import { type FeedHit, type FoundFeed, hitColumns, ownColumns, sortColumns } from '../feed-row.ts'
import { isPlain, OTHER_KINDS, OTHER_TYPES } from '../feed-types.ts'
import type { Cursor } from './cursor.ts'
import { after, type Order, orderBy } from './sort-orders.ts'
import { countSource, pageSource, type Source, type TopicFilter } from './topic-filter.ts'

export interface ListWhat {
  readonly order: Order
  readonly spaceId?: number | undefined
  readonly userId?: number | undefined
  /** Another status than published: one's own, or what staff decide about. */
  readonly status?: string | undefined
  /** The caller decides about content here, so that pending and spam feeds of others are listed too. */
  readonly decides?: boolean | undefined
  readonly type?: string | undefined
  readonly search?: string | undefined
  readonly topics?: TopicFilter | undefined
  /** Leave this feed out (it stands above the list), or every pinned one. */
  readonly without?: number | 'pinned' | undefined
}

export interface PageWhat {
  readonly limit: number
  readonly offset: number
  readonly cursor?: Cursor | undefined
}

/** What waits for a decision; has an index of its own. */
const HELD = `f.status in ('pending', 'spam')`

/** SQL for feeds of that status: published ones are seen by others, the rest by their author and by those who decide about them. */
const hasStatus = (actor: Actor, { status = 'published', userId, decides }: ListWhat, p: Placeholder): string | null => {
  if (status === 'published') return visibleFeeds(actor, p)
  const held = status === 'pending' || status === 'spam'
  if (userId !== actor.id && !(held && decides)) return null
  return `f.status = ${p(status)}${held ? ` and ${HELD}` : ''} and ${feedsInReach(actor, p)}`
}

/**
 * The others are named for plain ones too, since a list of wanted types would be sorted rather than read in order. A type is written out, not
 * handed over: PostgreSQL must know whether it is a rare one.
 */
const hasType = (type: string): string =>
  isPlain(type) ? `f.type not in (${OTHER_TYPES})` : `f.type = '${OTHER_KINDS.find((kind) => kind === type) ?? ''}'`

/** SQL for the rows of a list that the caller may see; null when nothing can match. */
const whereOf = (db: Db, actor: Actor, what: ListWhat, p: Placeholder): string | null => {
  const status = hasStatus(actor, what, p)
  if (!status) return null
  const parts = [status]
  if (what.userId !== undefined) parts.push(`f.user_id = ${p(what.userId)}`)
  if (what.spaceId !== undefined) parts.push(`f.space_id = ${p(what.spaceId)}`)
  if (what.type !== undefined) parts.push(hasType(what.type))
  if (what.order.only) parts.push(what.order.only)
  if (what.without === 'pinned') parts.push('f.is_sticky = 0')
  else if (what.without !== undefined) parts.push(`f.id <> ${p(what.without)}`)
  if (what.search) {
    const matching = matchingFeeds(db, what.search, p)
    if (!matching) return null
    parts.push(matching)
  }
  return parts.join(' and ')
}

/** A filter that has an index of its own makes the list short enough to look at each feed's topics. */
const isNarrow = ({ userId, search, status = 'published' }: ListWhat): boolean =>
  userId !== undefined || Boolean(search) || status !== 'published'

/** Where the rows come from; null when nothing can match. */
const sourceOf = (what: ListWhat, p: Placeholder, choose: typeof pageSource = pageSource): Source | null =>
  what.topics ? choose(what.topics, what.order, isNarrow(what), p) : { from: 'feeds f', where: [], order: what.order }

/**
 * One page of a list, one row more than asked when there is a further one. What is the caller's own is looked up of the page alone: hence
 * the subquery, whose rows keep their order.
 */
export const listFeeds = async (db: Db, actor: Actor, what: ListWhat, { limit, offset, cursor }: PageWhat): Promise<FeedHit[]> => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, what, p)
  const source = sourceOf(what, p)
  if (!where || !source) return []
  const { from, order } = source
  const beyond = cursor ? [after(order, cursor.values.map(p))] : []
  const all = [...source.where, where, ...beyond].join(' and ')
  const columns = ['f.id', ...sortColumns(what.order.columns), `${rowVersion(db, 'f')} as version`].join(', ')
  const page = `select ${columns} from ${from} where ${all} order by ${orderBy(order)} ${limitTo(db, limit + 1, cursor ? 0 : offset, p)}`
  const names = ['id', ...what.order.columns, 'version'].map((name) => `p1.${name}`).join(', ')
  return runText<FeedHit>(db, `select ${names}, ${ownColumns(me, 'p1')} from (${page}) p1`, values)
}

/** `also` is a further condition, of constant text. */
export const countMatching = async (db: Db, actor: Actor, what: ListWhat, also = ''): Promise<number> => {
  const { values, p } = parameters()
  const where = whereOf(db, actor, what, p)
  const source = sourceOf(what, p, countSource)
  if (!where || !source) return 0
  const all = [...source.where, where].join(' and ')
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from ${source.from} where ${all}${also}`, values)
  return row?.n ?? 0
}

/** A page of a search with the size of the whole result, both from one pass over what matches. */
export const searchInDatabase = async (
  db: Db,
  actor: Actor,
  what: ListWhat,
  page: PageWhat,
): Promise<{ rows: FeedHit[]; total: number }> => {
  if (page.cursor) return { rows: await listFeeds(db, actor, what, page), total: await countMatching(db, actor, what) }
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, what, p)
  const source = sourceOf(what, p)
  if (!where || !source) return { rows: [], total: 0 }
  const all = [...source.where, where].join(' and ')
  const window = `limit ${p(page.limit + 1)} offset ${p(page.offset)}`
  const hits = `select f.id as hit, count(*) over () as total from ${source.from} where ${all} order by ${orderBy(what.order)} ${window}`
  const text = `select ${hitColumns(me, rowVersion(db, 'f'))}, h.total from (${hits}) h join feeds f on f.id = h.hit order by ${orderBy(what.order)}`
  const rows = await runText<FeedHit & { total: number }>(db, text, values)
  const [first] = rows
  if (!first) return { rows: [], total: page.offset === 0 ? 0 : await countMatching(db, actor, what) }
  return { rows, total: first.total }
}

/** Whether a list is narrower than its place, so that kept counts do not tell its size. */
export const isFiltered = ({ userId, type, search, topics, order, status }: ListWhat): boolean =>
  userId !== undefined ||
  type !== undefined ||
  topics !== undefined ||
  Boolean(search || order.only) ||
  (status !== undefined && status !== 'published')

const pinnedIn = statementOne<{ id: number }>(
  'select f.id from feeds f where f.is_sticky = 1 and f.listed = 1 and coalesce(f.space_id, 0) = $1',
)

/** The feed that is pinned in a place (0: the community), whoever may see it. */
export const pinnedOf = async (db: Db, spaceId: number): Promise<number | null> => (await pinnedIn(db, [spaceId]))?.id ?? null

/** A pinned feed, if it is that still and the caller may see it. */
export const findPinned = async (db: Db, actor: Actor, id: number): Promise<FoundFeed | undefined> => {
  const { values, p } = parameters()
  const text = `select f.id, ${rowVersion(db, 'f')} as version, ${ownColumns(p(actor.id))} from feeds f
    where f.id = ${p(id)} and f.is_sticky = 1 and ${visibleFeeds(actor, p)}`
  const [row] = await runText<FoundFeed>(db, text, values)
  return row
}
