export { type CacheContext, type CacheMetrics, type Caches, cached, cachedEach, createCaches, findCached } from './cached.ts'
export type { LoadedItem, Snapshot } from './lru-store.ts'
export { defineCache } from './lru-store.ts'
export { type Track, UNTRACKED, unrecorded } from './tags.ts'
