import type { FEED_ORDERS } from '@lyceum/contract'
import { cachedAggregate } from '../../../cache/cached.ts'
import type { Actor, ReadRequest } from '../../../core/context.ts'
import { invalidParameter } from '../../../core/errors.ts'
import type { NewSince } from '../../../core/pagination.ts'
import {
  countRows,
  type Db,
  limitTo,
  matchingFeeds,
  type Placeholder,
  rowVersion,
  selectNumber,
  selectRows,
  statement,
  statementIn,
  statementNumber,
  statementOne,
  type TopicRow,
} from '../../../db/index.ts'
import { topicRules } from '../../topics/index.ts'
import { reachableFeeds, visibleFeeds } from '../access.ts'
import {
  type FeedHit,
  type FoundFeed,
  hitColumns,
  isPlain,
  OTHER_KINDS,
  OTHER_TYPES,
  POPULARITY,
  type SortColumn,
  sortColumns,
  viewerStateColumns,
} from '../feed-row.ts'
import { locationKey, visibleScopeOf } from '../search/visibility.ts'

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
  readonly newSince?: NewSince | undefined
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
const conditionOf = (db: Db, actor: Actor, filter: ListFilter, p: Placeholder): string | null => {
  const status = statusCondition(actor, filter, p)
  const matching = filter.search ? matchingFeeds(db, filter.search, p) : undefined
  if (!status || matching === null) return null
  const parts = [status]
  if (filter.userId !== undefined) parts.push(`f.user_id = ${p(filter.userId)}`)
  if (filter.spaceId !== undefined) parts.push(`f.space_id = ${p(filter.spaceId)}`)
  if (filter.type !== undefined) parts.push(typeCondition(filter.type))
  if (filter.newSince?.since) parts.push(`f.published_at >= ${p(filter.newSince.since)}`)
  if (filter.newSince?.updatedSince) parts.push(`f.active_at >= ${p(filter.newSince.updatedSince)}`)
  if (filter.order.only) parts.push(filter.order.only)
  if (filter.exclude === 'pinned') parts.push('f.is_sticky = 0')
  else if (filter.exclude !== undefined) parts.push(`f.id <> ${p(filter.exclude)}`)
  if (matching) parts.push(matching)
  return parts.join(' and ')
}

/** Whether another filter with its own index makes the list short enough to check the topics of each feed. */
const isNarrow = ({ userId, search, status = 'published' }: ListFilter): boolean =>
  userId !== undefined || Boolean(search) || status !== 'published'

/** The tables, condition and sort keys of a list, for a page or for its size; null if nothing can match. */
const sourceOf = (db: Db, actor: Actor, filter: ListFilter, p: Placeholder, purpose: 'page' | 'count' = 'page'): Source | null => {
  const { topics, order } = filter
  const condition = conditionOf(db, actor, filter, p)
  const source = topics ? topicSource(topics, order, isNarrow(filter), p, purpose) : { from: 'feeds f', where: [], order }
  return condition && source ? { ...source, where: [...source.where, condition] } : null
}

/**
 * One page of a list, plus one row if there is a next page. The subquery limits the lookups of the caller's own state to the rows of the
 * page, and keeps their order.
 */
export const listFeeds = (db: Db, actor: Actor, filter: ListFilter, { limit, offset, cursor }: PageRange) =>
  selectRows<FeedHit>(db, (p) => {
    const me = p(actor.id)
    const source = sourceOf(db, actor, filter, p)
    if (!source) return null
    const { from, order } = source
    const all = [...source.where, ...(cursor ? [afterCursor(order, cursor.values.map(p))] : [])].join(' and ')
    const columns = ['f.id', ...sortColumns(filter.order.columns), `${rowVersion(db, 'f')} as version`].join(', ')
    const page = `select ${columns} from ${from} where ${all} order by ${orderBy(order)} ${limitTo(db, limit + 1, cursor ? 0 : offset, p)}`
    const names = ['id', ...filter.order.columns, 'version'].map((name) => `p1.${name}`).join(', ')
    return `select ${names}, ${viewerStateColumns(me, 'p1')} from (${page}) p1`
  })

/** A list of what is new is counted up to here: there is no index that knows its size. */
const MOST_COUNTED = 10_000

/** `extraCondition` is additional SQL; it must be constant text. */
const countMatching = (db: Db, actor: Actor, filter: ListFilter, extraCondition = ''): Promise<number> =>
  selectNumber(db, (p) => {
    const source = sourceOf(db, actor, filter, p, 'count')
    if (!source) return null
    const rows = `from ${source.from} where ${source.where.join(' and ')}${extraCondition}`
    return `select count(*) as n ${filter.newSince ? `from (select 1 ${rows} limit ${MOST_COUNTED}) p1` : rows}`
  })

/** A page of search results and their total number, from a single pass over the matches. */
export const searchInDatabase = async (
  db: Db,
  actor: Actor,
  filter: ListFilter,
  page: PageRange,
): Promise<{ rows: FeedHit[]; total: number }> => {
  if (page.cursor) return { rows: await listFeeds(db, actor, filter, page), total: await countMatching(db, actor, filter) }
  const rows = await selectRows<FeedHit & { total: number }>(db, (p) => {
    const me = p(actor.id)
    const source = sourceOf(db, actor, filter, p)
    if (!source) return null
    const hits = `select f.id as hit, count(*) over () as total from ${source.from} where ${source.where.join(' and ')}
      order by ${orderBy(filter.order)} limit ${p(page.limit + 1)} offset ${p(page.offset)}`
    return `select ${hitColumns(me, rowVersion(db, 'f'))}, h.total from (${hits}) h join feeds f on f.id = h.hit order by ${orderBy(filter.order)}`
  })
  return { rows, total: rows[0]?.total ?? (page.offset === 0 ? 0 : await countMatching(db, actor, filter)) }
}

/** Whether the list is filtered further than by space, so that the stored counts do not give its size. */
const isFiltered = ({ userId, type, search, topics, order, status, newSince }: ListFilter): boolean =>
  userId !== undefined ||
  newSince !== undefined ||
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
export const findPinned = async (db: Db, actor: Actor, id: number): Promise<FoundFeed | undefined> =>
  (
    await selectRows<FoundFeed>(
      db,
      (p) => `select f.id, ${rowVersion(db, 'f')} as version, ${viewerStateColumns(p(actor.id))} from feeds f
        where f.id = ${p(id)} and f.is_sticky = 1 and ${visibleFeeds(actor, p)}`,
    )
  )[0]

export type OrderName = (typeof FEED_ORDERS)[number]

/** A sort order of feed lists: the SQL sort keys (the id breaks ties, so pages never overlap) and how to read their values from a row. */
export interface Order {
  readonly name: string
  readonly keys: readonly string[]
  readonly descending: boolean
  readonly types: readonly ('string' | 'number')[]
  /** Columns of a row that hold the values of the keys; the id is always selected. */
  readonly columns: readonly SortColumn[]
  readonly valuesOf: (row: FeedHit) => readonly (string | number)[]
  /** An additional condition that belongs to the order. */
  readonly only?: string
}

/** The values of the sort columns and the id are those of the keys. */
const order = (name: string, columns: readonly SortColumn[], descending = true): Order => ({
  name,
  keys: [...columns.map((column) => (column === 'popularity' ? POPULARITY : `f.${column}`)), 'f.id'],
  descending,
  types: [...columns.map((column) => (NUMBERS.has(column) ? 'number' : 'string')), 'number'],
  columns,
  valuesOf: (row) => [...columns.map((column) => row[column] ?? (NUMBERS.has(column) ? 0 : '')), row.id],
})

const NUMBERS: ReadonlySet<SortColumn> = new Set(['reactions_count', 'popularity'])

const newest = order('newest', ['published_at'])

const ORDERS: Readonly<Record<OrderName, Order>> = {
  latest: newest,
  recent: newest,
  published: newest,
  oldest: order('oldest', ['published_at'], false),
  unanswered: { ...newest, name: 'unanswered', only: 'f.comments_count = 0' },
  new_activity: order('new_activity', ['active_at']),
  likes: order('likes', ['reactions_count']),
  popular: order('popular', ['popularity']),
  alphabetical: order('alphabetical', ['title', 'slug'], false),
}

export const orderOf = (name: OrderName | undefined): Order => ORDERS[name ?? 'latest']

export const orderBy = ({ keys, descending }: Order): string => keys.map((key) => (descending ? `${key} desc` : key)).join(', ')

/**
 * SQL condition for the rows after a cursor. Repeats the first key on its own, because SQLite cannot use a row comparison that starts with
 * an expression to seek in the index.
 */
export const afterCursor = ({ keys, descending }: Order, placeholders: readonly string[]): string => {
  const sign = descending ? '<' : '>'
  return `${keys[0]} ${sign}= ${placeholders[0]} and (${keys.join(', ')}) ${sign} (${placeholders.join(', ')})`
}

/** Topics of which a feed must have at least one. */
interface TopicGroup {
  readonly ids: readonly number[]
  /** Upper bound for the number of listed feeds that match. */
  readonly size: number
}

export interface TopicFilter {
  /** A feed must match every group; sorted by size, smallest first. */
  readonly groups: readonly TopicGroup[]
  /** Number of listed feeds in the space, or in the community. */
  readonly listSize: number
}

type TopicSize = Pick<TopicRow, 'id' | 'posts_count'>

const bySlug = statement<TopicSize>(`select id, posts_count from topics where slug = $1 and status = 'active'`)
const byIds = statementIn<TopicSize>((list) => `select id, posts_count from topics where id in (${list}) and status = 'active' order by id`)
const sizeOfAll = statementNumber('select sum(c.feeds_count) as n from listed_feed_counts c')
const sizeOfSpace = statementNumber('select posts_count as n from spaces where id = $1')

const MAX_IDS = 50

/** @throws invalid_parameter */
const readIds = (text: string): number[] => {
  const ids = text.split(',').map((part) => (/^ ?[1-9]\d{0,14} ?$/.test(part) ? Number(part) : 0))
  if (ids.includes(0) || ids.length > MAX_IDS) throw invalidParameter('topics', `must be at most ${MAX_IDS} comma-separated ids`)
  return [...new Set(ids)]
}

const groupOf = (topics: readonly TopicSize[]): TopicGroup => ({
  ids: topics.map((topic) => topic.id),
  size: topics.reduce((sum, topic) => sum + topic.posts_count, 0),
})

/** The filter for the requested active topics; undefined if the query has none. `ids` are comma-separated. @throws invalid_parameter */
export const topicFilter = async (
  db: Db,
  { topic_slug: slug, topics: ids }: { topic_slug?: string | undefined; topics?: string | undefined },
  spaceId: number | undefined,
): Promise<TopicFilter | undefined> => {
  if (slug === undefined && ids === undefined) return undefined
  const wanted = ids === undefined ? [] : readIds(ids)
  const { on: enabled } = await topicRules(db)
  const groups: TopicGroup[] = []
  if (slug !== undefined) groups.push(groupOf(enabled ? await bySlug(db, [slug]) : []))
  if (ids !== undefined) groups.push(groupOf(enabled ? await byIds(db, wanted) : []))
  const listSize = await (spaceId === undefined ? sizeOfAll(db) : sizeOfSpace(db, [spaceId]))
  return { groups: groups.sort((a, b) => a.size - b.size), listSize }
}

const hasTopic = ({ ids }: TopicGroup, p: Placeholder) =>
  `exists (select 1 from feed_topics ft where ft.feed_id = f.id and ft.topic_id in (${ids.map(p).join(', ')}))`

/** SQL source of a list: tables with the feed as `f`, conditions, and sort keys in terms of these tables. */
interface Source {
  readonly from: string
  readonly where: readonly string[]
  readonly order: Order
}

const TOPIC_INDEX_KEYS = new Map([
  ['f.published_at', 'c.published_at'],
  ['f.id', 'c.feed_id'],
])

/** Whether the index of a single topic returns its feeds in this order. */
const isInOrder = ({ ids }: TopicGroup, order: Order) => ids.length === 1 && order.keys[0] === 'f.published_at'

/** Reads the feeds of the topics first. The cross join fixes the join order, which planners would choose differently. */
const fromTopic = (group: TopicGroup, others: readonly TopicGroup[], order: Order, p: Placeholder): Source => {
  const topics = group.ids.map(p)
  const isSingle = topics.length === 1
  const table = isSingle ? 'feed_topics' : `(select distinct feed_id from feed_topics where topic_id in (${topics.join(', ')}))`
  return {
    from: `${table} c cross join feeds f`,
    where: [...(isSingle ? [`c.topic_id = ${topics[0]}`] : []), 'f.id = c.feed_id', ...others.map((other) => hasTopic(other, p))],
    order: isInOrder(group, order) ? { ...order, keys: order.keys.map((key) => TOPIC_INDEX_KEYS.get(key) ?? key) } : order,
  }
}

/**
 * A topic's feeds are sorted if they are fewer than this factor times the square root of the list size; otherwise the list is scanned in
 * order.
 */
const SORT_FACTOR = 4

/**
 * The topic if it has few feeds, otherwise all feeds, of which those without the topics are skipped. Null if nothing can match. `isNarrow`:
 * another filter already makes the list short.
 */
const topicSource = (
  { groups, listSize }: TopicFilter,
  order: Order,
  isNarrow: boolean,
  p: Placeholder,
  purpose: 'page' | 'count',
): Source | null => {
  const [first, ...others] = groups
  if (!first || groups.some(({ ids }) => ids.length === 0)) return null
  const isSorted = purpose === 'page' && !isInOrder(first, order)
  const fits = first.size <= (isSorted ? SORT_FACTOR * Math.sqrt(listSize) : listSize)
  return !isNarrow && fits
    ? fromTopic(first, others, order, p)
    : { from: 'feeds f', where: groups.map((group) => hasTopic(group, p)), order }
}

/** Position where a page ended: the order it belongs to and the sort values of its last row. */
export interface Cursor {
  readonly order: string
  readonly values: readonly (string | number)[]
}

export const writeCursor = ({ order, values }: Cursor): string => Buffer.from(JSON.stringify([order, ...values])).toString('base64url')

/** @throws invalid_parameter if the text is not a cursor of this server or belongs to another order */
export const readCursor = (text: string, order: string, types: readonly ('string' | 'number')[]): Cursor => {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw invalidParameter('cursor', 'is not a valid cursor')
  }
  const [cursorOrder, ...values] = Array.isArray(parsed) ? parsed : []
  const fits =
    cursorOrder === order &&
    values.length === types.length &&
    values.every((value, i) => typeof value === types[i] && !String(value).includes('\0'))
  if (!fits || values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
    throw invalidParameter('cursor', 'does not belong to this list')
  return { order, values }
}

const storedCounts = statement<{ space_id: number; privacy: string; feeds_count: number }>(
  'select c.space_id, c.privacy, c.feeds_count from listed_feed_counts c where c.feeds_count > 0',
)

/** The size of the unfiltered list of a space or of the community: all feeds where the caller sees all, and single private ones elsewhere. */
const sizeOfScope = async (ctx: ReadRequest, spaceId: number | undefined): Promise<number> => {
  const [{ locations, personal }, counts] = await Promise.all([
    visibleScopeOf(ctx),
    cachedAggregate(ctx, 'listed feeds', (track) => {
      track.tag('lists')
      return storedCounts(ctx.db)
    }),
  ])
  const isHere = (space: number | null) => spaceId === undefined || (space ?? 0) === spaceId
  const seen = counts.filter(({ space_id, privacy }) => isHere(space_id) && locations.has(locationKey(space_id, privacy)))
  const more = personal.filter(({ space_id }) => isHere(space_id) && !locations.has(locationKey(space_id, 'private')))
  return seen.reduce((sum, { feeds_count }) => sum + feeds_count, more.length)
}

const countPinned = (db: Db, actor: Actor, spaceId: number | undefined): Promise<number> =>
  countRows(db, (p) => {
    const space = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
    return `feeds f where f.is_sticky = 1 and ${visibleFeeds(actor, p)}${space}`
  })

/** The size of a list. Counts rows only if a filter requires it. */
export const countFeeds = async (ctx: ReadRequest, filter: ListFilter): Promise<number> => {
  const { db, actor } = ctx
  const { type, ...rest } = filter
  // Nearly all feeds are plain, so counting the others is faster.
  if (isPlain(type) && !isFiltered(rest))
    return (await countFeeds(ctx, rest)) - (await countMatching(db, actor, rest, ` and f.type in (${OTHER_TYPES})`))
  if (isFiltered(filter)) return countMatching(db, actor, filter)
  const total = await sizeOfScope(ctx, filter.spaceId)
  if (filter.exclude === 'pinned') return total - (await countPinned(db, actor, filter.spaceId))
  return filter.exclude === undefined ? total : total - 1
}
