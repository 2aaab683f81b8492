import type { ReadRequest } from '../../core/context.ts'
import { feedAbilities, feedFor } from './access.ts'
import { type Item, itemOf } from './feed-json-cache.ts'

/** A feed that the caller may read. */
export interface FeedVisibility {
  readonly item: Item
  /** He sees all comments of it, the pending and spam ones of others too. */
  readonly decidesOnComments: boolean
  readonly commentsCount: number
}

/** Most feeds of callers that are kept. */
const KEPT = 20_000

/**
 * The feed by id or slug, if the caller may read it: kept until it, its space, or the caller's rights or marks change. Whether a lesson is
 * open may change with the time of day, so that those of lessons are looked at each time. `since`: the caches' moment before.
 * @throws 404 feed_not_found
 */
export const visibilityOf = async (ctx: ReadRequest, key: number | string, since: number): Promise<FeedVisibility> => {
  const { actor, services } = ctx
  const kept = services.caches.of<FeedVisibility>('feed-sights', KEPT)
  const name = `${actor.id} ${typeof key} ${key}`
  const known = kept.get(name, since)
  if (known) return known
  const feed = await feedFor(ctx, key, 'view')
  const { approve, moderateComments } = feedAbilities(actor, feed)
  const sight: FeedVisibility = { item: itemOf(feed), decidesOnComments: approve || moderateComments, commentsCount: feed.comments_count }
  if (feed.lesson_id !== null) return sight
  const place = feed.space_id === null ? [] : [`space:${feed.space_id}`]
  kept.set(name, sight, [`feed:${feed.id}`, `member:${actor.id}`, `account:${actor.id}`, `marks:${actor.id}`, ...place], since)
  return sight
}
