import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { isStaff, isStaffEverywhere, staffSpaces } from '../../../auth/authenticate.ts'
import { cachedAggregate } from '../../../cache/cached.ts'
import { cached, defineCache, type Track } from '../../../cache/index.ts'
import { joinItems, type SerializedResponse, secondsSince, sentWithEnd, sharedResponse, splitAt } from '../../../cache/json-fragments.ts'
import type { Actor, ReadRequest } from '../../../core/context.ts'
import { invalidParameter } from '../../../core/errors.ts'
import { pageOf } from '../../../core/pagination.ts'
import { type Db, parameters, runText, statementOne } from '../../../db/index.ts'
import type { Input } from '../../../http/pipeline/route-handlers.ts'
import { lazy } from '../../../util/lazy.ts'
import { namedSpace, spaceAbilities } from '../../spaces/index.ts'
import { RULE_TAGS } from '../../topics/index.ts'
import { approvesEverywhere, visibleFeeds } from '../access.ts'
import { areJustFound, cachedItem, feedFragments, feedJson, hasDefaultViewerState, type Item, itemOf } from '../feed-json-cache.ts'
import { type FoundFeed, isPlain, OTHER_TYPES } from '../feed-row.ts'
import { findInMemory, totalInMemory } from '../search/search-page.ts'
import {
  countMatching,
  findPinned,
  isFiltered,
  type ListFilter,
  listFeeds,
  orderOf,
  type PageRange,
  pinnedOf,
  readCursor,
  searchInDatabase,
  topicFilter,
  writeCursor,
} from './queries.ts'

type Answer = ResponseOf<typeof api.feeds.list>
type Query = Input<typeof api.feeds.list>['query']

/** The serialized feeds of a page, shared by all callers who are shown the same feeds, even if the lengths of their lists differ. */
const bodyOf = async (ctx: ReadRequest, items: readonly Item[], contentKey: string): Promise<SerializedResponse> => {
  const join = async (track?: Track) => {
    const parts = await feedFragments(ctx, items)
    // The caller no longer sees one of them.
    if (parts.includes(undefined)) track?.skip()
    return joinItems(headOf(), feedJson(items, parts))
  }
  return areJustFound(items) ? join() : sharedResponse(ctx, contentKey, join)
}

/** Responds with a page of feeds. Reuses the serialized page until one of its feeds changes. */
export const respondWithList = async (ctx: ReadRequest, query: Query): Promise<Answer> => {
  const { items, contentKey, sticky, end } = await listPage(ctx, query)
  const sent = await bodyOf(ctx, items, contentKey)
  const [above = 'null'] = sticky ? feedJson([sticky], await feedFragments(ctx, [sticky])) : []
  return sentWithEnd(sent, sticky ? end + String(above) : end, secondsSince(ctx.request.startedAt))
}

interface Frame {
  readonly page: number
  readonly per_page: number
  readonly byCursor: boolean
  readonly shown: number
  readonly total: number
  readonly has_more: boolean
  readonly next_cursor: string | null
}

const serializer = lazy(() => fastJsonStringify(api.feeds.list.response as object))
/** The end of the serialized response: the pinned feed and the execution time, which differ from request to request. */
const NO_STICKY = 'null'
const TIME = ',"execution_time":0}'

/** Serializes the response without feeds and splits it where they belong, without a pinned feed and before the execution time. */
const renderEnvelope = ({ page, per_page, byCursor, shown, total, has_more, next_cursor }: Frame): [head: string, end: string] => {
  const { limit, offset } = pageOf({ page, per_page })
  const isCounted = shown > 0 && !byCursor
  const feeds = {
    data: [],
    current_page: page,
    per_page: limit,
    from: isCounted ? offset + 1 : null,
    to: isCounted ? offset + shown : null,
    has_more,
    total,
    next_cursor,
  }
  const [head, rest] = splitAt(serializer()({ feeds, sticky: null, execution_time: 0 }), 'data')
  if (!rest.endsWith(NO_STICKY + TIME)) throw new Error('a list of feeds does not end with what stands above it and its time')
  return [head, rest.slice(0, -TIME.length)]
}

/** Start of every response. */
export const headOf = lazy(
  () => renderEnvelope({ page: 1, per_page: 10, byCursor: false, shown: 0, total: 0, has_more: false, next_cursor: null })[0],
)

/** The part after the feeds: up to the execution time if there is no pinned feed, else up to the pinned feed. */
export const tailOf = (frame: Frame, withoutSticky: boolean): string => {
  const [, end] = renderEnvelope(frame)
  return withoutSticky ? end : end.slice(0, -NO_STICKY.length)
}

const SEARCH_LENGTH = 200

/** A page of a list: its feeds with the caller's own fields. */
export interface ListPage {
  readonly items: readonly Item[]
  /** The key of the serialized feeds: their ids and the caller's own fields. */
  readonly contentKey: string
  /** JSON of the response after its feeds; ends before the pinned feed if there is one. */
  readonly end: string
  /** The pinned feed above the list. */
  readonly sticky: Item | null
}

/** A page in its compact form in the cache. */
interface CachedPage extends Omit<ListPage, 'items'> {
  readonly ids: readonly number[]
  /** The caller's own fields of each feed; null if all have the default, as on most pages. */
  readonly viewerJson: readonly string[] | null
}

/** Pages of lists by caller, as ids. The tags of lists cover the index in memory as well. */
const pages = defineCache<ListPage, CachedPage>({
  name: 'feed-pages',
  maxEntries: 20_000,
  serialize: (page) => toCached(page),
  // Who loads a page gets the versions of its rows.
  sharesLoads: false,
  ignoredTables: ['feed_index_changelog', 'feed_search'],
})

const viewerTags = (id: number) => [`member:${id}`, `account:${id}`]

/** The pinned feed of a space (0: of the community), if the caller sees it. The id, or its absence, is cached for all callers. */
const pinnedFor = async (ctx: ReadRequest, spaceId = 0): Promise<FoundFeed | undefined> => {
  const { db, actor } = ctx
  const id = await cachedAggregate(ctx, `pinned ${spaceId}`, (track) => {
    track.tag('lists')
    return pinnedOf(db, spaceId)
  })
  return id === null ? undefined : findPinned(db, actor, id)
}

/** Resolves the query to a list. A pinned feed is shown above unfiltered lists and excluded from them. */
const resolveList = async (ctx: ReadRequest, query: Query) => {
  const { user_id, status, type, topic_slug, topics, disable_sticky } = query
  const search = query.search?.trim()
  if (search && [...search].length > SEARCH_LENGTH) throw invalidParameter('search', `must have at most ${SEARCH_LENGTH} characters`)
  const space = await namedSpace(ctx, query, 'view')
  const spaceId = space?.id
  const hidePins = disable_sticky === 'yes'
  const byTopic = await topicFilter(ctx.db, { slug: topic_slug, ids: topics }, spaceId)
  const showsPin = !hidePins && !search && !byTopic && user_id === undefined && isOfPublished(query)
  const sticky = showsPin ? await pinnedFor(ctx, spaceId) : undefined
  const filter: ListFilter = {
    order: orderOf(query.order_by_type),
    spaceId,
    userId: user_id,
    status,
    moderates: approvesEverywhere(ctx.actor) || (space !== undefined && spaceAbilities(ctx.actor, space).approve),
    type,
    search,
    topics: byTopic,
    exclude: hidePins ? 'pinned' : sticky?.id,
  }
  return { what: filter, sticky }
}

const isOfPublished = ({ status }: Query) => status === undefined || status === 'published'

/**
 * The number of feeds in a list. For an unfiltered list it is cached until a feed enters, leaves or moves, or the caller's memberships
 * change.
 */
const totalOf = async (ctx: ReadRequest, filter: ListFilter): Promise<number> => {
  if (isFiltered(filter)) return (await totalInMemory(ctx, filter)) ?? countFeeds(ctx, filter)
  const { id } = ctx.actor
  return cachedAggregate(ctx, `feeds ${id} ${filter.spaceId ?? 0} ${filter.exclude ?? ''}`, (track) => {
    track.tag('lists', ...viewerTags(id))
    return countFeeds(ctx, filter)
  })
}

const readPage = async (ctx: ReadRequest, filter: ListFilter, page: PageRange) => {
  const found = await findInMemory(ctx, filter, page)
  if (found) return found
  if (filter.search) return searchInDatabase(ctx.db, ctx.actor, filter, page)
  const [rows, total] = await Promise.all([listFeeds(ctx.db, ctx.actor, filter, page), totalOf(ctx, filter)])
  return { rows, total }
}

const contentKeyOf = (items: readonly Item[]): string => {
  const parts = items.every(hasDefaultViewerState) ? items.map(({ id }) => id) : items.map(({ id, viewerJson }) => `${id} ${viewerJson}`)
  return `feeds ${parts.join()}`
}

const findPage = async (ctx: ReadRequest, query: Query): Promise<ListPage> => {
  const { page = 1, per_page = 10 } = query
  const { what: filter, sticky } = await resolveList(ctx, query)
  const { order } = filter
  const { limit, offset } = pageOf({ page, per_page })
  const cursor = query.cursor ? readCursor(query.cursor, order.name, order.types) : undefined
  const { rows, total } = await readPage(ctx, filter, { limit, offset, cursor })
  const last = rows[limit - 1]
  const has_more = rows.length > limit
  const items = rows.slice(0, limit).map(itemOf)
  const above = sticky !== undefined && page === 1 && !cursor ? itemOf(sticky) : null
  const next_cursor = has_more && last ? writeCursor({ order: order.name, values: order.valuesOf(last) }) : null
  return {
    items,
    contentKey: contentKeyOf(items),
    end: tailOf({ page, per_page, byCursor: cursor !== undefined, shown: items.length, total, has_more, next_cursor }, above === null),
    sticky: above,
  }
}

/** Cache tags of the sort keys; which feeds the list contains is covered by other tags. */
const orderTags = (query: Query): readonly string[] => {
  const { name, only } = orderOf(query.order_by_type)
  if (name === 'newest' || name === 'oldest') return []
  return name === 'alphabetical' && !only ? ['titles'] : ['counts']
}

/** Cache tags of a page; null if it must not be cached: the visibility of unpublished feeds depends on more than the tags cover. */
const pageTags = (query: Query, id: number): string[] | null => {
  if (!isOfPublished(query)) return null
  const byTopic = query.topic_slug !== undefined || query.topics !== undefined
  const search = query.search?.trim() ? ['finds'] : []
  return ['lists', ...search, `marks:${id}`, ...viewerTags(id), ...orderTags(query), ...(byTopic ? ['topics', ...RULE_TAGS] : [])]
}

const cacheKeyOf = (id: number, query: Query): string => {
  const {
    page = 1,
    per_page = 10,
    space,
    space_id,
    user_id,
    topic_slug,
    topics,
    order_by_type,
    disable_sticky,
    type,
    cursor,
    search,
  } = query
  const pins = disable_sticky === 'yes' ? 'n' : ''
  const status = isOfPublished(query) ? undefined : query.status
  const others = [space, space_id, user_id, type, topic_slug, topics, cursor, search?.trim() || undefined, status]
  const rest = others.some((value) => value !== undefined) ? JSON.stringify(others) : ''
  return `${id} ${page} ${per_page} ${order_by_type ?? ''} ${pins} ${rest}`
}

const toCached = ({ items, ...page }: ListPage): CachedPage => ({
  ...page,
  ids: items.map(({ id }) => id),
  viewerJson: items.every(hasDefaultViewerState) ? null : items.map(({ viewerJson }) => viewerJson),
})

const fromCached = ({ ids, viewerJson, ...page }: CachedPage): ListPage => ({
  ...page,
  items: ids.map((id, i) => cachedItem(id, viewerJson?.[i])),
})

/**
 * A page of a list for this caller. Cached, as ids, until a feed enters or leaves lists or moves, or the caller's permissions, reactions or
 * bookmarks change.
 */
export const listPage = async (ctx: ReadRequest, query: Query): Promise<ListPage> => {
  const { id } = ctx.actor
  let found = null as ListPage | null
  const page = await cached(ctx, pages, cacheKeyOf(id, query), async (track) => {
    const tags = pageTags(query, id)
    if (tags) track.tag(...tags)
    else track.skip()
    found = await findPage(ctx, query)
    return found
  })
  // A page that was just found has the versions of its rows.
  return found ?? fromCached(page)
}

/**
 * SQL that counts the caller's own private feeds in spaces whose private feeds they do not see in general; the stored counts do not cover
 * these.
 */
const countOwnPrivate = (me: string, space: string, managed: readonly string[]) => {
  const elsewhere = managed.length > 0 ? ` and (f.space_id is null or f.space_id not in (${managed.join(', ')}))` : ''
  return `select count(*) from feeds f where f.user_id = ${me} and f.listed = 1 and f.privacy = 'private'${space}${elsewhere}
    and (f.space_id is null or exists (select 1 from spaces vs where vs.id = f.space_id and vs.privacy = 'public' and vs.status <> 'draft'))
    and not exists (select 1 from space_members vm where vm.space_id = f.space_id and vm.user_id = ${me} and vm.status = 'active')`
}

/**
 * SQL that counts private feeds outside of spaces by members whom the caller follows. `cross` makes SQLite start with the few followed
 * members instead of the many feeds.
 */
const countFollowedPrivate = (me: string) =>
  `select count(*) from followers vf cross join feeds f where vf.follower_id = ${me} and vf.status = 'active'
    and f.user_id = vf.following_id and f.listed = 1 and f.privacy = 'private' and f.space_id is null`

const countPinned = async (db: Db, actor: Actor, spaceId: number | undefined): Promise<number> => {
  const { values, p } = parameters()
  const visible = visibleFeeds(actor, p)
  const space = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from feeds f where f.is_sticky = 1 and ${visible}${space}`, values)
  return row?.n ?? 0
}

/** SQL condition: row `c` of the counts is for feeds that every member sees; its space, if any, is `vs`. */
const OPEN_TO_MEMBERS = `c.privacy = 'public' and vs.privacy = 'public' and vs.status <> 'draft'`

const openTotal = statementOne<{ n: number }>(
  `select coalesce((select c.feeds_count from listed_feed_counts c where c.space_id = 0 and c.privacy = 'public'), 0)
   + coalesce((select sum(c.feeds_count) from listed_feed_counts c join spaces vs on vs.id = c.space_id where ${OPEN_TO_MEMBERS}), 0) as n`,
)
const totalOfEverything = statementOne<{ n: number }>('select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c')

/** Totals that are the same for every caller, cached until any feed enters or leaves a list. */
const cachedTotal = (ctx: ReadRequest, name: string, find: typeof openTotal): Promise<number> =>
  cachedAggregate(ctx, `feeds ${name}`, async (track) => {
    track.tag('lists')
    return (await find(ctx.db))?.n ?? 0
  })

/** SQL that counts the feeds of the caller's spaces that not every member sees. The `cross` joins start with the few spaces. */
const countRestricted = (me: string, managed: readonly string[]) => {
  const own = `select vm.space_id as id from space_members vm cross join spaces vs where vm.user_id = ${me} and vm.status = 'active'
    and vs.id = vm.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin'))`
  const places = managed.length > 0 ? `${own} union select vs.id from spaces vs where vs.id in (${managed.join(', ')})` : own
  return `select sum(c.feeds_count) from (${places}) o cross join spaces vs cross join listed_feed_counts c
    where vs.id = o.id and c.space_id = o.id and not (${OPEN_TO_MEMBERS})`
}

/** The size of the unfiltered list of all feeds, from the stored counts per space. */
const totalOfAll = async (ctx: ReadRequest): Promise<number> => {
  const { db, actor } = ctx
  if (isStaffEverywhere(actor)) return cachedTotal(ctx, 'everything', totalOfEverything)
  const { values, p } = parameters()
  const me = p(actor.id)
  const managed = staffSpaces(actor).map(p)
  const text = `select coalesce((${countRestricted(me, managed)}), 0) + (${countOwnPrivate(me, '', managed)}) + (${countFollowedPrivate(me)}) as n`
  const [openCount, [restricted]] = await Promise.all([cachedTotal(ctx, 'open', openTotal), runText<{ n: number }>(db, text, values)])
  return openCount + (restricted?.n ?? 0)
}

/** The size of the unfiltered list of one space. */
const totalOfSpace = async ({ db, actor }: ReadRequest, spaceId: number): Promise<number> => {
  const { values, p } = parameters()
  const space = p(spaceId)
  if (isStaff(actor, spaceId)) {
    const [row] = await runText<{ n: number }>(
      db,
      `select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c where c.space_id = ${space}`,
      values,
    )
    return row?.n ?? 0
  }
  const me = p(actor.id)
  const text = `select coalesce(sum(c.feeds_count), 0) + (${countOwnPrivate(me, ` and f.space_id = ${space}`, [])}) as n from listed_feed_counts c
    where c.space_id = ${space} and exists (
      select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
      where vs.id = c.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin')) and (vm.id is not null or (${OPEN_TO_MEMBERS})))`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}

/** The size of a list. Counts rows only if a filter requires it. */
export const countFeeds = async (ctx: ReadRequest, filter: ListFilter): Promise<number> => {
  const { db, actor } = ctx
  const { type, ...rest } = filter
  // Nearly all feeds are plain, so counting the others is faster.
  if (isPlain(type) && !isFiltered(rest))
    return (await countFeeds(ctx, rest)) - (await countMatching(db, actor, rest, ` and f.type in (${OTHER_TYPES})`))
  if (isFiltered(filter)) return countMatching(db, actor, filter)
  const total = await (filter.spaceId === undefined ? totalOfAll(ctx) : totalOfSpace(ctx, filter.spaceId))
  if (filter.exclude === 'pinned') return total - (await countPinned(db, actor, filter.spaceId))
  return filter.exclude === undefined ? total : total - 1
}
