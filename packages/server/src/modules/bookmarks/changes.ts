import { lockRow } from '../../db/index.ts'
import type { AskedWrite } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { feedFor } from '../feeds/index.ts'
import { deleteBookmark, insertBookmark } from './queries.ts'
import { viewBookmark } from './view.ts'

/**
 * Bookmarks a feed that the caller sees.
 * @throws feed_not_found, already_bookmarked with the `bookmark_id`
 */
export const addBookmark = async (ctx: AskedWrite, feedId: number) => {
  const { db, actor, now } = ctx
  await lockRow(db, 'feeds', feedId)
  const feed = await feedFor(ctx, feedId, 'view')
  if (feed.my_bookmark !== null) throw new ApiError('already_bookmarked', { data: { bookmark_id: feed.my_bookmark } })
  const bookmark = await insertBookmark(db, actor.id, feedId, now)
  if (!bookmark) throw new Error('the feed is locked, and yet another bookmark came in between')
  await ctx.emit('bookmark.added', { bookmark_id: bookmark.id, user_id: actor.id, feed_id: feedId })
  return viewBookmark(bookmark)
}

/**
 * Forgets a bookmark, also one of a feed that the caller no longer sees.
 * @throws bookmark_not_found, feed_not_found where a feed without a bookmark must not be seen
 */
export const removeBookmark = async (ctx: AskedWrite, feedId: number): Promise<void> => {
  const { db, actor } = ctx
  const bookmark_id = await deleteBookmark(db, actor.id, feedId)
  if (bookmark_id === undefined) {
    await feedFor(ctx, feedId, 'view')
    throw new ApiError('bookmark_not_found')
  }
  await ctx.emit('bookmark.removed', { bookmark_id, user_id: actor.id, feed_id: feedId })
}
