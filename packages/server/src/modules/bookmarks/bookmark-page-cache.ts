import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf } from '../../core/pagination.ts'
import type { Input } from '../../http/pipeline/route-handlers.ts'
import { type FeedItem, itemOf } from '../feeds/index.ts'
import { type BookmarkedFeed, type BookmarkList, countBookmarks, listBookmarks } from './queries.ts'

/** Callers whose pages are kept. */
const KEPT = 2000

/** A page of bookmarks before the feeds themselves are looked for. */
export interface BookmarkPage {
  readonly rows: readonly (Pick<BookmarkedFeed, 'id' | 'bookmark_id' | 'bookmarked_at'> & { readonly item: FeedItem })[]
  readonly total: number
}

/** A page; where it is kept with the key that it is kept by. */
interface Found {
  readonly page: BookmarkPage
  readonly key: string | null
}

/** The order of the others changes with feeds that are not on the page. */
const isByBookmark = ({ order }: BookmarkList) => order === 'latest' || order === 'oldest'

const readPage = async (
  { db, actor }: ReadRequest,
  what: BookmarkList,
  query: Input<typeof api.bookmarks.list>['query'],
): Promise<BookmarkPage> => {
  const [rows, total] = await Promise.all([listBookmarks(db, actor, what, pageOf(query)), countBookmarks(db, actor, what)])
  return { rows: rows.map((row) => ({ ...row, item: itemOf(row) })), total }
}

/** A page, kept until the caller's bookmarks, what he sees or one of its feeds changes. `since`: the caches' moment before. */
export const bookmarkPage = async (
  ctx: ReadRequest,
  what: BookmarkList,
  query: Input<typeof api.bookmarks.list>['query'],
  since: number,
): Promise<Found> => {
  const { actor, services } = ctx
  // What others than members see depends on what they may decide about.
  if (actor.role !== 'member' || !isByBookmark(what)) return { page: await readPage(ctx, what, query), key: null }
  const kept = services.caches.of<BookmarkPage>('bookmark-pages', KEPT)
  const { limit, offset } = pageOf(query)
  const key = `${actor.id} ${what.order} ${what.spaceId ?? ''} ${limit} ${offset}`
  const found = kept.get(key, since)
  if (found) return { page: found, key }
  const page = await readPage(ctx, what, query)
  const own = [`bookmarks:${actor.id}`, `member:${actor.id}`, `account:${actor.id}`, 'sight']
  kept.set(key, page, [...own, ...page.rows.map(({ id }) => `feed:${id}`)], since)
  return { page, key }
}
