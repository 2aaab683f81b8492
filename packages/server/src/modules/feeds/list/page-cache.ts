import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../../core/context.ts'
import { invalidParameter } from '../../../core/errors.ts'
import { pageOf } from '../../../core/pagination.ts'
import type { Input } from '../../../http/pipeline/route-handlers.ts'
import { namedSpace, spaceAbilities } from '../../spaces/index.ts'
import { RULE_TAGS } from '../../topics/index.ts'
import { approvesEverywhere } from '../access.ts'
import { cachedItem, hasDefaultViewerState, type Item, itemOf } from '../feed-json-cache.ts'
import type { FoundFeed } from '../feed-row.ts'
import { findInMemory, totalInMemory } from '../search/search-page.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { tailOf } from './envelope.ts'
import { findPinned, isFiltered, type ListFilter, listFeeds, type PageRange, pinnedOf, searchInDatabase } from './queries.ts'
import { orderOf } from './sort-orders.ts'
import { topicFilter } from './topic-filter.ts'
import { countFeeds } from './totals.ts'

const SEARCH_LENGTH = 200


/** A page of a list: its feeds with the caller's own fields. */
export interface ListPage {
  readonly items: readonly Item[]
  /** Identifies the feeds and the caller's own fields among all pages. */
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

/** Limits of the caches of totals and pinned feeds, and of pages. */
const MAX_CACHED_VALUES = 20_000
const MAX_CACHED_PAGES = 20_000

const viewerTags = (id: number) => [`member:${id}`, `account:${id}`]

/** The pinned feed of a space (0: of the community), if the caller sees it. The id, or its absence, is cached for all callers. */
const pinnedFor = async ({ db, actor, services: { caches } }: ReadRequest, spaceId = 0): Promise<FoundFeed | undefined> => {
  const cache = caches.of<{ id: number | null }>('pinned', MAX_CACHED_VALUES)
  const since = caches.now()
  const cached = cache.get(spaceId, since)
  const id = cached ? cached.id : await pinnedOf(db, spaceId)
  if (!cached) cache.set(spaceId, { id }, ['lists'], since)
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
  const { caches } = ctx.services
  const cache = caches.of<{ total: number }>('totals', MAX_CACHED_VALUES)
  const key = `${ctx.actor.id} ${filter.spaceId ?? 0} ${filter.exclude ?? ''}`
  const since = caches.now()
  const cached = cache.get(key, since)
  if (cached) return cached.total
  const total = await countFeeds(ctx, filter)
  cache.set(key, { total }, ['lists', ...viewerTags(ctx.actor.id)], since)
  return total
}

const readPage = async (ctx: ReadRequest, filter: ListFilter, page: PageRange) => {
  const found = await findInMemory(ctx, filter, page)
  if (found) return found
  if (filter.search) return searchInDatabase(ctx.db, ctx.actor, filter, page)
  const [rows, total] = await Promise.all([listFeeds(ctx.db, ctx.actor, filter, page), totalOf(ctx, filter)])
  return { rows, total }
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
    contentKey: items.every(hasDefaultViewerState)
      ? items.map(({ id }) => id).join()
      : items.map(({ id, viewerJson }) => `${id} ${viewerJson}`).join(),
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
  const others = [space, space_id, user_id, type, topic_slug, topics, cursor, search?.trim() || undefined]
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
 * bookmarks change. `since` is the cache revision from before the request.
 */
export const listPage = async (ctx: ReadRequest, query: Query, since: number): Promise<ListPage> => {
  const { actor, services } = ctx
  const pages = services.caches.of<CachedPage>('feed-pages', MAX_CACHED_PAGES)
  const tags = services.caches.holds() ? pageTags(query, actor.id) : null
  const key = tags && cacheKeyOf(actor.id, query)
  const cached = key === null ? undefined : pages.get(key, since)
  if (cached) return fromCached(cached)
  const page = await findPage(ctx, query)
  if (tags && key !== null) pages.set(key, toCached(page), tags, since)
  return page
}
