import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { feedFor } from '../feeds/index.ts'
import { bookmarkOf, deleteBookmark, insertBookmark } from './queries.ts'
import { viewBookmark } from './view.ts'

/**
 * Leaves the caller with a bookmark of a feed, or without one, whatever was before.
 * @throws feed_not_found where a feed is to be bookmarked, or has no bookmark, and must not be seen
 */
export const setBookmark = async (ctx: WriteRequest, feedId: number, wanted: boolean) => {
  const { db, actor } = ctx
  await lockRow(db, 'feeds', feedId)
  const known = await bookmarkOf(db, actor.id, feedId)
  if (!wanted && known) {
    await removeBookmark(ctx, feedId)
    return { message: 'The bookmark was removed.', data: { action: 'removed' as const } }
  }
  if (wanted && !known)
    return { message: 'The feed was bookmarked.', data: { bookmark: await addBookmark(ctx, feedId), action: 'added' as const } }
  await feedFor(ctx, feedId, 'view')
  if (!known) return { message: 'The feed was not bookmarked.', data: { action: 'unchanged' as const } }
  return { message: 'The feed was already bookmarked.', data: { bookmark: viewBookmark(known), action: 'unchanged' as const } }
}

/**
 * Bookmarks a feed that the caller sees.
 * @throws feed_not_found, already_bookmarked with the `bookmark_id`
 */
export const addBookmark = async (ctx: WriteRequest, feedId: number) => {
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
export const removeBookmark = async (ctx: WriteRequest, feedId: number): Promise<void> => {
  const { db, actor } = ctx
  const bookmark_id = await deleteBookmark(db, actor.id, feedId)
  if (bookmark_id === undefined) {
    await feedFor(ctx, feedId, 'view')
    throw new ApiError('bookmark_not_found')
  }
  await ctx.emit('bookmark.removed', { bookmark_id, user_id: actor.id, feed_id: feedId })
}
