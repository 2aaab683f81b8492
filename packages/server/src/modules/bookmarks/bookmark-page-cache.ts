import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf } from '../../core/pagination.ts'
import type { Input } from '../../http/pipeline/route-handlers.ts'
import { type FeedItem, itemOf } from '../feeds/index.ts'
import { type BookmarkedFeed, type BookmarkList, countBookmarks, listBookmarks } from './queries.ts'

const MAX_ENTRIES = 2000

/** A page of bookmarks before the JSON of the feeds is loaded. */
export interface BookmarkPage {
  readonly rows: readonly (BookmarkedFeed & { readonly item: FeedItem })[]
  readonly total: number
}

/** A page, with its cache key if it is cached. */
interface PageResult {
  readonly page: BookmarkPage
  readonly key: string | null
}

/** Other orders depend on feeds that are not on the page. */
const isByBookmark = ({ order }: BookmarkList) => order === 'latest' || order === 'oldest'

const readPage = async (
  { db, actor }: ReadRequest,
  list: BookmarkList,
  query: Input<typeof api.bookmarks.list>['query'],
): Promise<BookmarkPage> => {
  const [rows, total] = await Promise.all([listBookmarks(db, actor, list, pageOf(query)), countBookmarks(db, actor, list)])
  return { rows: rows.map((row) => ({ ...row, item: itemOf(row) })), total }
}

/**
 * A page, cached until the caller's bookmarks, their visible feeds or a feed of the page changes. `since` is the cache revision from before
 * the request.
 */
export const bookmarkPage = async (
  ctx: ReadRequest,
  list: BookmarkList,
  query: Input<typeof api.bookmarks.list>['query'],
  since: number,
): Promise<PageResult> => {
  const { actor, services } = ctx
  // What moderators and administrators see also depends on their permissions.
  if (actor.role !== 'member' || !isByBookmark(list)) return { page: await readPage(ctx, list, query), key: null }
  const cache = services.caches.of<BookmarkPage>('bookmark-pages', MAX_ENTRIES)
  const { limit, offset } = pageOf(query)
  const key = `${actor.id} ${list.order} ${list.spaceId ?? ''} ${limit} ${offset}`
  const cached = cache.get(key, since)
  if (cached) return { page: cached, key }
  const page = await readPage(ctx, list, query)
  const tags = [`bookmarks:${actor.id}`, `member:${actor.id}`, `account:${actor.id}`, 'sight']
  cache.set(key, page, [...tags, ...page.rows.map(({ id }) => `feed:${id}`)], since)
  return { page, key }
}
