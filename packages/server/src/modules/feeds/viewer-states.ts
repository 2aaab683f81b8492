import { type CacheContext, cached, defineCache, type Track } from '../../cache/index.ts'
import { LESSON_TABLES } from './feed-row.ts'

/** What single callers may see of a feed, and have done there: an entry per caller and feed. Feeds of lessons are not cached. */
const viewerStates = defineCache<unknown>({ name: 'viewer-states', maxEntries: 40_000, ignoredTables: LESSON_TABLES })

export const cachedViewerState = <T>(ctx: CacheContext, key: string, load: (track: Track) => Promise<T>): T | Promise<T> =>
  cached(ctx, viewerStates, key, load) as T | Promise<T>
