import { type Clock, systemClock } from '../core/clock.ts'
import type { ChangeListener, ChangeSubscription, Database } from '../db/index.ts'
import {
  type CacheDefinition,
  type CacheKey,
  createLruStore,
  defineCache,
  type LoadedItem,
  type LruStore,
  type SharedState,
  type Snapshot,
} from './lru-store.ts'
import { createTags, type Track } from './tags.ts'

export interface CacheMetrics {
  readonly name: string
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** The snapshot of a caller who has not polled where that is required: such a caller neither reads nor fills caches. */
const NO_SNAPSHOT: Snapshot = { revision: -1, newest: -1, canStore: false }

export interface Caches {
  /** Starts following changes, once the tables exist. */
  subscribe(database: Pick<Database, 'subscribeToChanges'>): void
  isUsable(): boolean
  /** Reads the changes of other processes at the beginning of a request; returns the snapshot as of which it may use cached data. */
  poll(): Snapshot | Promise<Snapshot>
  /** The snapshot of work without a request: it must not use cached values if changes arrive only with a poll. */
  unpolled(): Snapshot
  /** The same snapshot inside of a transaction, whose changes may be rolled back. */
  inTransaction(snapshot: Snapshot): Snapshot
  storeOf<L, V>(definition: CacheDefinition<L, V>): LruStore<L, V>
  stats(): {
    readonly caches: readonly CacheMetrics[]
    /** Number of changes, and of invalidations of everything. */
    readonly changes: number
    readonly everything: number
  }
}

/**
 * Caches of this process. An entry is invalidated when any process commits a change to a row that it was made from. While changes are not
 * followed, the caches are empty. Together, they use at most `maxBytes`; then the largest makes room.
 */
export const createCaches = (maxBytes = Number.POSITIVE_INFINITY, clock: Clock = systemClock): Caches => {
  const stores: (LruStore | undefined)[] = []
  const counts = { changes: 0, everything: 0 }
  let subscription: ChangeSubscription | null = null

  const all = () => stores.filter((store) => store !== undefined)

  const enforceLimit = () => {
    let sum = 0
    let largest: LruStore | undefined
    for (const store of stores) {
      if (store === undefined) continue
      const bytes = store.bytes()
      sum += bytes
      if (largest === undefined || bytes > largest.bytes()) largest = store
    }
    for (let over = sum - maxBytes; over > 0 && largest && largest.bytes() > 0; ) {
      const before = largest.bytes()
      largest.evict()
      over -= before - largest.bytes()
    }
  }

  const shared: SharedState = {
    tags: createTags(),
    revision: 0,
    isFollowing: false,
    isPolled: false,
    now: () => clock.now().getTime(),
    watchTable: (table) => subscription?.watchTable(table) ?? false,
    stored: enforceLimit,
  }

  const snapshotIf = (isKnown: boolean, newest = shared.revision): Snapshot =>
    isKnown ? { revision: shared.revision, newest, canStore: true } : NO_SNAPSHOT

  const invalidate: ChangeListener = (changed) => {
    shared.revision += 1
    if (changed === 'everything') {
      counts.everything += 1
      for (const store of all()) if (!store.isTimed) store.clear()
      shared.tags.everything(shared.revision)
      return
    }
    counts.changes += changed.size
    for (const name of changed) shared.tags.changed(name, shared.revision)
  }

  return {
    subscribe: (database) => {
      subscription = database.subscribeToChanges(invalidate)
      shared.isFollowing = subscription !== null
      shared.isPolled = subscription?.isSynchronous === false
    },
    isUsable: () => subscription?.isUpToDate() ?? false,
    poll: () => {
      const before = shared.revision
      const polled = subscription?.poll() ?? false
      return typeof polled === 'boolean' ? snapshotIf(polled) : polled.then((isKnown) => snapshotIf(isKnown, before))
    },
    unpolled: () => snapshotIf(shared.isFollowing && !shared.isPolled),
    inTransaction: (snapshot) => ({ ...snapshot, canStore: false }),
    storeOf: <L, V>(definition: CacheDefinition<L, V>) => {
      const found = stores[definition.index]
      if (found !== undefined) return found as unknown as LruStore<L, V>
      const made = createLruStore(definition, shared)
      stores[definition.index] = made as unknown as LruStore
      return made
    },
    stats: () => ({ caches: all().map((store) => store.stats()), ...counts }),
  }
}

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

interface Aggregate<T = unknown> {
  readonly value: T
}

/** Numbers and small lists that are counted from many rows. */
const aggregates = defineCache<Aggregate>({ name: 'aggregates', maxEntries: 30_000 })
const agedAggregates = defineCache<Aggregate>({ name: 'aged-aggregates', maxEntries: 700, ttlMs: 60_000, staleMs: 120_000 })

export const findAggregate = <T>(ctx: CacheContext, key: string): T | undefined => findCached(ctx, aggregates, key)?.value as T | undefined

/** An aggregate that is cached until its rows change. */
export const cachedAggregate = async <T>(ctx: CacheContext, key: string, count: (track: Track) => Promise<T>): Promise<T> =>
  (await cached(ctx, aggregates, key, async (track) => ({ value: await count(track) }))).value as T

/** An aggregate whose exact value would cost too much: it is up to a minute old, or another age that `count` sets. */
export const agedAggregate = async <T>(ctx: CacheContext, key: string, count: (track: Track) => Promise<T>): Promise<T> =>
  (await cached(ctx, agedAggregates, key, async (track) => ({ value: await count(track) }))).value as T
