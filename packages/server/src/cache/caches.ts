import { type Clock, systemClock } from '../core/clock.ts'
import type { ChangeListener, ChangeSubscription, Database } from '../db/index.ts'
import type { CacheDefinition } from './definition.ts'
import { createStore, type SharedState, type Snapshot, type Store } from './store.ts'
import { createTags } from './tags.ts'

/** Metrics of one cache. */
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
  /** Whether the caches are in use. */
  isUsable(): boolean
  /** Reads the changes of other processes at the beginning of a request; returns the snapshot as of which it may use cached data. */
  poll(): Snapshot | Promise<Snapshot>
  /** The snapshot of work without a request: it must not use cached values if changes arrive only with a poll. */
  unpolled(): Snapshot
  /** The same snapshot inside of a transaction, whose changes may be rolled back. */
  inTransaction(snapshot: Snapshot): Snapshot
  /** The entries of a defined cache. */
  storeOf<L, V>(definition: CacheDefinition<L, V>): Store<L, V>
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
  const stores: (Store | undefined)[] = []
  const counts = { changes: 0, everything: 0 }
  let subscription: ChangeSubscription | null = null

  const all = () => stores.filter((store) => store !== undefined)

  const enforceLimit = () => {
    let sum = 0
    let largest: Store | undefined
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
      if (found !== undefined) return found as unknown as Store<L, V>
      const made = createStore(definition, shared)
      stores[definition.index] = made as unknown as Store
      return made
    },
    stats: () => ({ caches: all().map((store) => store.stats()), ...counts }),
  }
}
