import type { Caches } from './caches.ts'
import type { CacheDefinition } from './definition.ts'
import type { CacheKey, LoadedItem, Snapshot } from './store.ts'
import type { Track } from './track.ts'

/** What a lookup needs of the context of a request. */
export interface CacheContext {
  readonly services: { readonly caches: Caches }
  readonly snapshot: Snapshot
}

/** The cached value of a key, if there is one. */
export const findCached = <L, V>({ services, snapshot }: CacheContext, definition: CacheDefinition<L, V>, key: CacheKey): V | undefined => {
  const store = services.caches.storeOf(definition)
  const entry = store.find(key, snapshot)
  if (entry === undefined) return undefined
  store.used(entry)
  return entry.value
}

/**
 * The cached value of a key; on a miss, that which `load` returns. The entry is invalidated when a row changes that `load` has read. The key
 * must contain everything else that the value depends on, such as the caller and the day.
 */
export const cached = <L, V>(
  { services, snapshot }: CacheContext,
  definition: CacheDefinition<L, V>,
  key: CacheKey,
  load: (track: Track) => Promise<L>,
): V | Promise<V> => {
  const store = services.caches.storeOf(definition)
  const entry = store.find(key, snapshot)
  if (entry === undefined) return store.load(key, snapshot, load)
  store.used(entry)
  return entry.value
}

/** An item of a batch, and the version of its row if it was just read. */
export interface VersionedKey {
  readonly id: number
  readonly version?: string | null | undefined
}

/** The cached values of several keys, in their order; undefined for those that `load` returns nothing for. */
export const cachedEach = async <L, V>(
  { services, snapshot }: CacheContext,
  definition: CacheDefinition<L, V>,
  items: readonly VersionedKey[],
  load: (ids: readonly number[]) => Promise<ReadonlyMap<number, LoadedItem<L>>>,
): Promise<readonly (V | undefined)[]> => {
  const store = services.caches.storeOf(definition)
  const found: (V | undefined)[] = []
  const missing: number[] = []
  for (const { id, version } of items) {
    const entry = store.find(id, snapshot, version)
    if (entry === undefined) missing.push(id)
    else store.used(entry)
    found.push(entry?.value)
  }
  if (missing.length === 0) return found
  const loaded = await store.loadEach(missing, snapshot, load)
  return items.map(({ id }, i) => found[i] ?? loaded.get(id))
}
