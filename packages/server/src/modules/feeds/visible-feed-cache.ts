import type { ReadRequest } from '../../core/context.ts'
import { feedAbilities, feedFor } from './access.ts'
import { type Item, itemOf } from './feed-json-cache.ts'

export interface FeedVisibility {
  readonly item: Item
  /** The caller moderates comments here, so they also see pending and spam comments of others. */
  readonly decidesOnComments: boolean
  readonly commentsCount: number
}

const MAX_ENTRIES = 20_000

/**
 * Checks that the caller may read the feed, by id or slug. Cached until the feed, its space, or the caller's permissions, reaction or
 * bookmark change. Lesson feeds are checked every time because lessons unlock with time. `since` is the cache revision from before the
 * request.
 * @throws 404 feed_not_found
 */
export const visibilityOf = async (ctx: ReadRequest, key: number | string, since: number): Promise<FeedVisibility> => {
  const { actor, services } = ctx
  const cache = services.caches.of<FeedVisibility>('feed-sights', MAX_ENTRIES)
  const cacheKey = `${actor.id} ${typeof key} ${key}`
  const cached = cache.get(cacheKey, since)
  if (cached) return cached
  const feed = await feedFor(ctx, key, 'view')
  const { approve, moderateComments } = feedAbilities(actor, feed)
  const visibility: FeedVisibility = {
    item: itemOf(feed),
    decidesOnComments: approve || moderateComments,
    commentsCount: feed.comments_count,
  }
  if (feed.lesson_id !== null) return visibility
  const spaceTags = feed.space_id === null ? [] : [`space:${feed.space_id}`]
  cache.set(
    cacheKey,
    visibility,
    [`feed:${feed.id}`, `member:${actor.id}`, `account:${actor.id}`, `marks:${actor.id}`, ...spaceTags],
    since,
  )
  return visibility
}
