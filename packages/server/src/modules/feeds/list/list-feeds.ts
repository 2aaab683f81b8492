import { lazy } from '@lyceum/content/lazy'
import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { cachedAggregate } from '../../../cache/cached.ts'
import { cached, defineCache } from '../../../cache/index.ts'
import { joinItems, secondsSince, sentWithEnd, sharedResponse, splitAt } from '../../../cache/json-fragments.ts'
import type { ReadRequest } from '../../../core/context.ts'
import { invalidParameter } from '../../../core/errors.ts'
import { type NewSince, newSinceOf, pageOf } from '../../../core/pagination.ts'
import { sharedReadPipeline } from '../../../core/read-pipeline.ts'
import type { Input } from '../../../http/pipeline/route-handlers.ts'
import { namedSpace, spaceAbilities } from '../../spaces/index.ts'
import { RULE_TAGS } from '../../topics/index.ts'
import { approvesEverywhere } from '../access.ts'
import { cachedItem, feedJson, type Item, itemOf, viewerJsonOf } from '../feed-json-cache.ts'
import type { FoundFeed } from '../feed-row.ts'
import { findInMemory, totalInMemory } from '../search/search-page.ts'
import {
  countFeeds,
  findPinned,
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

interface ListPage {
  readonly items: readonly Item[]
  /** The key of the serialized feeds: their ids and the caller's own fields. */
  readonly contentKey: string
  /** JSON of the response after its feeds; ends before the pinned feed if there is one. */
  readonly end: string
  /** The pinned feed above the list. */
  readonly sticky: Item | null
}

/** GET /feeds. Callers who are shown the same feeds share their JSON, even if the lengths of their lists differ. */
export const respondWithList = sharedReadPipeline(
  {
    skeleton: (ctx, query: Query) => (isRecent(query) ? findRecent(ctx, query) : cachedPage(ctx, query)),
    hydrate: (ctx, { items }) => feedJson(ctx, items),
    filter: (_ctx, feeds, track) => {
      const visible = feeds.filter((feed) => feed !== undefined)
      // Other callers may still see what was hidden from this one.
      if (visible.length < feeds.length) track.skip()
      return visible
    },
    present: (_ctx, feeds) => joinItems(beginning(), feeds),
  },
  async (ctx, { items, contentKey, sticky, end }, build): Promise<Answer> => {
    // A row that was just found may be newer than the snapshot of the request: only JSON of the same version may be used.
    const isJustFound = items.some(({ version }) => typeof version === 'string')
    const feeds = await (isJustFound ? build() : sharedResponse(ctx, contentKey, build))
    const above = sticky ? ((await feedJson(ctx, [sticky]))[0] ?? NO_STICKY) : ''
    return sentWithEnd(feeds, end + above, secondsSince(ctx.request.startedAt))
  },
)

const serializer = lazy(() => fastJsonStringify(api.feeds.list.response as object))
const NO_STICKY = 'null'
const TIME = ',"execution_time":0}'

/** JSON of the response before its feeds, and after them up to the pinned feed. The execution time at the end differs per request. */
const renderEnvelope = (page: Omit<Answer['feeds'], 'data'>): [beginning: string, end: string] => {
  const [beginning, rest] = splitAt(serializer()({ feeds: { data: [], ...page }, sticky: null, execution_time: 0 }), 'data')
  if (!rest.endsWith(NO_STICKY + TIME)) throw new Error('the response does not end with the pinned feed and the time')
  return [beginning, rest.slice(0, -(NO_STICKY + TIME).length)]
}

const NO_PAGE = { current_page: 1, per_page: 10, from: null, to: null, has_more: false, total: 0, next_cursor: null }
const beginning = lazy(() => renderEnvelope(NO_PAGE)[0])

/** A page in its compact form in the cache: the ids, and the caller's own fields if one of them has another value than the default. */
interface CachedPage extends Omit<ListPage, 'items'> {
  readonly ids: readonly number[]
  readonly viewerJson: readonly string[] | null
}

/** Pages of lists by caller. The tags of lists cover the index in memory as well. */
const pages = defineCache<ListPage, CachedPage>({
  name: 'feed-pages',
  maxEntries: 20_000,
  serialize: ({ items, ...page }) => ({ ...page, ids: items.map(({ id }) => id), viewerJson: viewerJsonOf(items) }),
  // Who loads a page gets the versions of its rows.
  sharesLoads: false,
  // The account of the caller has a tag.
  ignored: ['v'],
})

const viewerTags = (id: number) => [`member:${id}`, `account:${id}`]

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
  return ['lists', ...search, `viewer_state:${id}`, ...viewerTags(id), ...orderTags(query), ...(byTopic ? ['topics', ...RULE_TAGS] : [])]
}

const cacheKeyOf = (id: number, query: Query): string => {
  const { page = 1, per_page = 10, order_by_type, disable_sticky, space, space_id, user_id, type, topic_slug, topics, cursor } = query
  const pins = disable_sticky === 'yes' ? 'n' : ''
  const status = isOfPublished(query) ? undefined : query.status
  const others = [space, space_id, user_id, type, topic_slug, topics, cursor, query.search?.trim() || undefined, status]
  const rest = others.some((value) => value !== undefined) ? JSON.stringify(others) : ''
  return `${id} ${page} ${per_page} ${order_by_type ?? ''} ${pins} ${rest}`
}

/**
 * A page of a list for this caller. Cached, as ids, until a feed enters or leaves lists or moves, or the caller's permissions, reactions or
 * bookmarks change.
 */
const cachedPage = async (ctx: ReadRequest, query: Query): Promise<ListPage> => {
  const { id } = ctx.actor
  let found = null as ListPage | null
  const { ids, viewerJson, ...page } = await cached(ctx, pages, cacheKeyOf(id, query), async (track) => {
    const tags = pageTags(query, id)
    if (tags) track.tag(...tags)
    else track.skip()
    found = await findPage(ctx, query)
    return found
  })
  // A page that was just found has the versions of its rows.
  return found ?? { ...page, items: ids.map((feedId, i) => cachedItem(feedId, viewerJson?.[i])) }
}

const findPage = async (ctx: ReadRequest, query: Query): Promise<ListPage> => {
  const { page = 1, per_page = 10 } = query
  const { filter, sticky } = await resolveList(ctx, query)
  const { order } = filter
  const { limit, offset } = pageOf({ page, per_page })
  const cursor = query.cursor ? readCursor(query.cursor, order.name, order.types) : undefined
  const { rows, total } = await findRows(ctx, filter, { limit, offset, cursor })
  const last = rows[limit - 1]
  const has_more = rows.length > limit
  const items = rows.slice(0, limit).map(itemOf)
  const isCounted = items.length > 0 && !cursor
  const [, end] = renderEnvelope({
    current_page: page,
    per_page: limit,
    from: isCounted ? offset + 1 : null,
    to: isCounted ? offset + items.length : null,
    has_more,
    total,
    next_cursor: has_more && last ? writeCursor({ order: order.name, values: order.valuesOf(last) }) : null,
  })
  const above = sticky !== undefined && page === 1 && !cursor ? itemOf(sticky) : null
  const content = viewerJsonOf(items)?.map((viewerJson, i) => `${items[i]?.id} ${viewerJson}`) ?? items.map(({ id }) => id)
  return { items, contentKey: `feeds ${content.join()}`, end: above ? end : end + NO_STICKY, sticky: above }
}

const isRecent = ({ since, updated_since }: Query) => since !== undefined || updated_since !== undefined

/** A page of a list of what is new. Not cached: its times are hardly ever the same. */
const findRecent = (ctx: ReadRequest, query: Query) =>
  findPage(ctx, query.updated_since ? { order_by_type: 'new_activity', ...query } : query)

const SEARCH_LENGTH = 200

/** The times that limit the list. They need an order whose index starts with them. @throws invalid_parameter */
const newSinceIn = (query: Query): NewSince | undefined => {
  const { since, updatedSince } = newSinceOf(query)
  if (since === undefined && updatedSince === undefined) return undefined
  const { name, keys } = orderOf(query.order_by_type)
  if (updatedSince !== undefined ? name !== 'new_activity' : keys[0] !== 'f.published_at')
    throw invalidParameter('order_by_type', `must be an order by ${updatedSince === undefined ? 'publication' : 'activity'} here`)
  return { since, updatedSince }
}

/** Resolves the query to a list. A pinned feed is shown above unfiltered lists and excluded from them. */
const resolveList = async (ctx: ReadRequest, query: Query): Promise<{ filter: ListFilter; sticky: FoundFeed | undefined }> => {
  const { user_id, status, type, disable_sticky } = query
  const search = query.search?.trim()
  if (search && [...search].length > SEARCH_LENGTH) throw invalidParameter('search', `must have at most ${SEARCH_LENGTH} characters`)
  const space = await namedSpace(ctx, query, 'view')
  const spaceId = space?.id
  const hidePins = disable_sticky === 'yes'
  const byTopic = await topicFilter(ctx.db, query, spaceId)
  const newSince = newSinceIn(query)
  const showsPin = !hidePins && !search && !byTopic && !newSince && user_id === undefined && isOfPublished(query)
  const sticky = showsPin ? await pinnedFor(ctx, spaceId) : undefined
  const filter = {
    order: orderOf(query.order_by_type),
    spaceId,
    userId: user_id,
    status,
    moderates: approvesEverywhere(ctx.actor) || (space !== undefined && spaceAbilities(ctx.actor, space).approve),
    type,
    search,
    topics: byTopic,
    newSince,
    exclude: hidePins ? ('pinned' as const) : sticky?.id,
  }
  return { filter, sticky }
}

const isOfPublished = ({ status }: Query) => status === undefined || status === 'published'

/** The pinned feed of a space (0: of the community), if the caller sees it. The id, or its absence, is cached for all callers. */
const pinnedFor = async (ctx: ReadRequest, spaceId = 0): Promise<FoundFeed | undefined> => {
  const { db, actor } = ctx
  const id = await cachedAggregate(ctx, `pinned ${spaceId}`, (track) => {
    track.tag('lists')
    return pinnedOf(db, spaceId)
  })
  return id === null ? undefined : findPinned(db, actor, id)
}

/** Whether the in-memory index can answer. It has no unpublished feeds; unfiltered lists of one author are short anyway. */
const isInIndex = ({ search, userId, status = 'published', type, topics, order, newSince }: ListFilter): boolean =>
  status === 'published' &&
  !newSince &&
  (Boolean(search) || (userId === undefined && (type !== undefined || topics !== undefined || Boolean(order.only))))

/** Lists for which the database would have to scan many rows that do not match. */
const isSelective = ({ search, type, topics, order }: ListFilter): boolean => {
  if (search) return true
  if (topics !== undefined) return type !== undefined || Boolean(order.only)
  return type !== undefined && (Boolean(order.only) || order.keys[0] !== 'f.published_at')
}

/** The rows of a page, one more if there is a next page, and the total: from the index in memory or from the database. */
const findRows = async (ctx: ReadRequest, filter: ListFilter, page: PageRange) => {
  const found = isSelective(filter) && isInIndex(filter) ? await findInMemory(ctx, filter, page) : null
  if (found) return found
  if (filter.search) return searchInDatabase(ctx.db, ctx.actor, filter, page)
  const [rows, total] = await Promise.all([listFeeds(ctx.db, ctx.actor, filter, page), totalOf(ctx, filter)])
  return { rows, total }
}

const totalOf = async (ctx: ReadRequest, filter: ListFilter): Promise<number> =>
  (isInIndex(filter) ? await totalInMemory(ctx, filter) : null) ?? countFeeds(ctx, filter)
