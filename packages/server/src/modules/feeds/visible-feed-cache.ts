import { type CacheContext, cached, defineCache, type Track } from '../../cache/index.ts'
import type { ReadRequest } from '../../core/context.ts'
import { feedAbilities, feedFor } from './access.ts'
import { itemOf } from './feed-json-cache.ts'
import { LESSON_ACCESS } from './feed-row.ts'

/** What single callers may see of a feed, and have done there: an entry per caller and feed. Feeds of lessons are not cached. */
const viewerStates = defineCache<unknown>({ name: 'viewer-states', maxEntries: 40_000, ignored: LESSON_ACCESS })

export const cachedViewerState = <T>(ctx: CacheContext, key: string, load: (track: Track) => Promise<T>): T | Promise<T> =>
  cached(ctx, viewerStates, key, load) as T | Promise<T>

/**
 * Checks that the caller may read the feed, by id or slug. Cached until the feed, its space, or the caller's permissions, reaction or
 * bookmark change. Lesson feeds are checked every time because lessons unlock with time. Callers who decide on comments also see pending and
 * spam comments of others.
 * @throws 404 feed_not_found
 */
export const visibilityOf = async (ctx: ReadRequest, key: number | string) => {
  const { actor } = ctx
  return cachedViewerState(ctx, `feed ${actor.id} ${typeof key} ${key}`, async (track) => {
    const feed = await feedFor(ctx, key, 'view')
    const { approve, moderateComments } = feedAbilities(actor, feed)
    if (feed.lesson_id !== null) track.skip()
    track.tag(`feed:${feed.id}`, `space:${feed.space_id ?? 0}`, `member:${actor.id}`, `account:${actor.id}`, `viewer_state:${actor.id}`)
    return { item: itemOf(feed), decidesOnComments: approve || moderateComments, commentsCount: feed.comments_count }
  })
}
