import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../../core/context.ts'
import { invalidParameter } from '../../../core/errors.ts'
import { pageOf } from '../../../core/pagination.ts'
import type { Input } from '../../../http/pipeline/route-handlers.ts'
import { namedSpace, spaceAbilities } from '../../spaces/index.ts'
import { RULE_SUBJECTS } from '../../topics/index.ts'
import { approvesEverywhere } from '../access.ts'
import { type Item, isUnmarked, itemOf, keptItem } from '../feed-json-cache.ts'
import type { FoundFeed } from '../feed-row.ts'
import { findInMemory, totalInMemory } from '../search/search-page.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { endOf } from './envelope.ts'
import { findPinned, isFiltered, type ListWhat, listFeeds, type PageWhat, pinnedOf, searchInDatabase } from './queries.ts'
import { orderOf } from './sort-orders.ts'
import { topicFilter } from './topic-filter.ts'
import { countFeeds } from './totals.ts'

const SEARCH_LENGTH = 200

type Query = Input<typeof api.feeds.list>['query']

/** A page of a list: which feeds it shows, and what is the caller's own in them. */
export interface ListPage {
  readonly items: readonly Item[]
  /** What tells its feeds, with the caller's marks, from those of other pages. */
  readonly shows: string
  /** The JSON of the answer behind its feeds, without what stands above them where something does. */
  readonly end: string
  /** What stands above it. */
  readonly sticky: Item | null
}

/** A page as it is kept: small, for there are many. */
interface CachedPage extends Omit<ListPage, 'items'> {
  readonly ids: readonly number[]
  /** What is the caller's own in each; null where it is nothing, as on most pages. */
  readonly own: readonly string[] | null
}

/** Most figures about lists that are kept, pinned feeds among them, and most pages. */
const KEPT_FIGURES = 20_000
const MAX_CACHED_PAGES = 20_000

const ownSubjects = (id: number) => [`member:${id}`, `account:${id}`]

/** The pinned feed of a place, for this caller. Most places have none, which is kept for all callers. */
const pinnedFor = async ({ db, actor, services: { caches } }: ReadRequest, spaceId = 0): Promise<FoundFeed | undefined> => {
  const kept = caches.of<{ id: number | null }>('pinned', KEPT_FIGURES)
  const since = caches.now()
  const known = kept.get(spaceId, since)
  const id = known ? known.id : await pinnedOf(db, spaceId)
  if (!known) kept.set(spaceId, { id }, ['lists'], since)
  return id === null ? undefined : findPinned(db, actor, id)
}

/** Which list a query names. A pinned feed stands above unfiltered lists and is left out of them. */
const describeList = async (ctx: ReadRequest, query: Query) => {
  const { user_id, status, type, topic_slug, topics, disable_sticky } = query
  const search = query.search?.trim()
  if (search && [...search].length > SEARCH_LENGTH) throw invalidParameter('search', `must have at most ${SEARCH_LENGTH} characters`)
  const place = await namedSpace(ctx, query, 'view')
  const spaceId = place?.id
  const noPins = disable_sticky === 'yes'
  const byTopic = await topicFilter(ctx.db, { slug: topic_slug, ids: topics }, spaceId)
  const withPin = !noPins && !search && !byTopic && user_id === undefined && isOfPublished(query)
  const sticky = withPin ? await pinnedFor(ctx, spaceId) : undefined
  const what: ListWhat = {
    order: orderOf(query.order_by_type),
    spaceId,
    userId: user_id,
    status,
    decides: approvesEverywhere(ctx.actor) || (place !== undefined && spaceAbilities(ctx.actor, place).approve),
    type,
    search,
    topics: byTopic,
    without: noPins ? 'pinned' : sticky?.id,
  }
  return { what, sticky }
}

const isOfPublished = ({ status }: Query) => status === undefined || status === 'published'

/** The size of a list. Of one that nothing narrows it is kept until a feed comes, goes or moves, or the caller's place changes. */
const totalOf = async (ctx: ReadRequest, what: ListWhat): Promise<number> => {
  if (isFiltered(what)) return (await totalInMemory(ctx, what)) ?? countFeeds(ctx, what)
  const { caches } = ctx.services
  const kept = caches.of<{ total: number }>('totals', KEPT_FIGURES)
  const key = `${ctx.actor.id} ${what.spaceId ?? 0} ${what.without ?? ''}`
  const since = caches.now()
  const known = kept.get(key, since)
  if (known) return known.total
  const total = await countFeeds(ctx, what)
  kept.set(key, { total }, ['lists', ...ownSubjects(ctx.actor.id)], since)
  return total
}

const readPage = async (ctx: ReadRequest, what: ListWhat, page: PageWhat) => {
  const found = await findInMemory(ctx, what, page)
  if (found) return found
  if (what.search) return searchInDatabase(ctx.db, ctx.actor, what, page)
  const [rows, total] = await Promise.all([listFeeds(ctx.db, ctx.actor, what, page), totalOf(ctx, what)])
  return { rows, total }
}

const findPage = async (ctx: ReadRequest, query: Query): Promise<ListPage> => {
  const { page = 1, per_page = 10 } = query
  const { what, sticky } = await describeList(ctx, query)
  const { order } = what
  const { limit, offset } = pageOf({ page, per_page })
  const cursor = query.cursor ? readCursor(query.cursor, order.name, order.types) : undefined
  const { rows, total } = await readPage(ctx, what, { limit, offset, cursor })
  const last = rows[limit - 1]
  const has_more = rows.length > limit
  const items = rows.slice(0, limit).map(itemOf)
  const above = sticky !== undefined && page === 1 && !cursor ? itemOf(sticky) : null
  const next_cursor = has_more && last ? writeCursor({ order: order.name, values: order.valuesOf(last) }) : null
  return {
    items,
    shows: items.every(isUnmarked) ? items.map(({ id }) => id).join() : items.map(({ id, own }) => `${id} ${own}`).join(),
    end: endOf({ page, per_page, byCursor: cursor !== undefined, shown: items.length, total, has_more, next_cursor }, above === null),
    sticky: above,
  }
}

/** What each order depends on beside which feeds are in the list; all else is in their text. */
const orderSubjects = (query: Query): readonly string[] => {
  const { name, only } = orderOf(query.order_by_type)
  if (name === 'newest' || name === 'oldest') return []
  return name === 'alphabetical' && !only ? ['titles'] : ['counts']
}

/** What a page falls with; null where it is not kept: what is not published depends on more than lists do. */
const subjectsOf = (query: Query, id: number): string[] | null => {
  if (!isOfPublished(query)) return null
  const byTopic = query.topic_slug !== undefined || query.topics !== undefined
  const search = query.search?.trim() ? ['finds'] : []
  return ['lists', ...search, `marks:${id}`, ...ownSubjects(id), ...orderSubjects(query), ...(byTopic ? ['topics', ...RULE_SUBJECTS] : [])]
}

const keyOf = (id: number, query: Query): string => {
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

const toKeep = ({ items, ...page }: ListPage): CachedPage => ({
  ...page,
  ids: items.map(({ id }) => id),
  own: items.every(isUnmarked) ? null : items.map(({ own }) => own),
})

const fromKept = ({ ids, own, ...page }: CachedPage): ListPage => ({
  ...page,
  items: ids.map((id, i) => keptItem(id, own?.[i])),
})

/**
 * A page of a list for this caller. Pages are kept, by ids, until a feed comes into lists, leaves or moves, or the caller's rights or marks
 * change. `since`: the caches' moment before.
 */
export const listPage = async (ctx: ReadRequest, query: Query, since: number): Promise<ListPage> => {
  const { actor, services } = ctx
  const pages = services.caches.of<CachedPage>('feed-pages', MAX_CACHED_PAGES)
  const subjects = services.caches.holds() ? subjectsOf(query, actor.id) : null
  const key = subjects && keyOf(actor.id, query)
  const known = key === null ? undefined : pages.get(key, since)
  if (known) return fromKept(known)
  const page = await findPage(ctx, query)
  if (subjects && key !== null) pages.set(key, toKeep(page), subjects, since)
  return page
}
