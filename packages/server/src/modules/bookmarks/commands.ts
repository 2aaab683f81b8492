import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { feedFor } from '../feeds/index.ts'
import { bookmarkOf, deleteBookmark, insertBookmark } from './queries.ts'

/**
 * Adds or removes the caller's bookmark of a feed. Idempotent.
 * @throws feed_not_found if the caller cannot see the feed and has no bookmark of it
 */
export const setBookmark = async (ctx: WriteRequest, feedId: number, wanted: boolean) => {
  const { db, actor } = ctx
  await lockRow(db, 'feeds', feedId)
  const existing = await bookmarkOf(db, [feedId, actor.id])
  if (!wanted && existing) {
    await removeBookmark(ctx, feedId)
    return { message: 'The bookmark was removed.', data: { action: 'removed' as const } }
  }
  if (wanted && !existing)
    return { message: 'The feed was bookmarked.', data: { bookmark: await addBookmark(ctx, feedId), action: 'added' as const } }
  await feedFor(ctx, feedId, 'view')
  if (!existing) return { message: 'The feed was not bookmarked.', data: { action: 'unchanged' as const } }
  return { message: 'The feed was already bookmarked.', data: { bookmark: existing, action: 'unchanged' as const } }
}

/** Bookmarks a feed that the caller can see. @throws feed_not_found, already_bookmarked with the `bookmark_id` */
export const addBookmark = async (ctx: WriteRequest, feedId: number) => {
  const { db, actor, now } = ctx
  await lockRow(db, 'feeds', feedId)
  const feed = await feedFor(ctx, feedId, 'view')
  if (feed.my_bookmark !== null) throw new ApiError('already_bookmarked', { data: { bookmark_id: feed.my_bookmark } })
  const bookmark = await insertBookmark(db, [feedId, actor.id, now])
  if (!bookmark) throw new Error('a bookmark was inserted although the feed is locked')
  await ctx.emit('bookmark.added', { bookmark_id: bookmark.id, user_id: actor.id, feed_id: feedId })
  return bookmark
}

/**
 * Removes a bookmark, even if the caller can no longer see the feed.
 * @throws bookmark_not_found, or feed_not_found if the caller cannot see the feed either
 */
export const removeBookmark = async (ctx: WriteRequest, feedId: number): Promise<void> => {
  const { db, actor } = ctx
  const removed = await deleteBookmark(db, [feedId, actor.id])
  if (!removed) {
    await feedFor(ctx, feedId, 'view')
    throw new ApiError('bookmark_not_found')
  }
  await ctx.emit('bookmark.removed', { bookmark_id: removed.id, user_id: actor.id, feed_id: feedId })
}
