import type { ChangeListener, ChangeSubscription, Database } from '../db/index.ts'
import { type Capacity, createStore, createTags, type Entry, entryBytes, estimateBytes, type Store } from './clock-store.ts'

export interface Cache<V> {
  /**
   * The cached value, unless one of its tags changed after `since`: data read before a change must not be combined with data from after it,
   * which the caller may no longer be allowed to see. If the main row was just read, its `version` (`rowVersion`) must equal that of `set`.
   */
  get(key: string | number, since: number, version?: string | null): V | undefined
  /**
   * Caches `value` until one of its tags changes. It is not cached if one changed after `since`, because it may be stale already. `version`
   * is that of the main row; `bytes` is the approximate size if it is known.
   */
  set(key: string | number, value: V, subjects: readonly string[], since: number, version?: string | null, bytes?: number): void
}

/** Metrics of one cache. */
export interface CacheMetrics {
  readonly name: string
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** Default capacity of a cache in bytes. */
const USUAL_BYTES = 24 * 2 ** 20
/** The revision of a caller who has not synchronized where that is required: such a caller neither reads nor fills caches. */
const NEVER = -1

interface Known {
  readonly name: string
  readonly store: Store
  readonly cache: Cache<unknown>
  readonly counts: { hits: number; misses: number }
}

export interface Caches {
  /** Starts following changes, once the tables exist. */
  subscribe(database: Pick<Database, 'subscribeToChanges'>): void
  /** Whether the caches are in use. */
  isUsable(): boolean
  /** Reads the changes of other processes at the beginning of a request; returns the revision as of which it may use cached data. */
  poll(): number | Promise<number>
  /**
   * A number that grows with every change. Get it before reading what is to be cached. If synchronization is required, it is that of a
   * caller who has not synchronized.
   */
  revision(): number
  /** The cache with this name and capacity; entries that were not used recently are evicted first. */
  of<V>(name: string, entries: number, bytes?: number): Cache<V>
  /**
   * The same for a caller who synchronized at that revision: later changes invalidate what the caller stores, and entries from later
   * revisions are not returned.
   */
  atRevision(revision: number): Caches
  stats(): {
    readonly caches: readonly CacheMetrics[]
    /** Number of tags of entries. */
    readonly tags: number
    /** Number of changes, and of invalidations of everything. */
    readonly changes: number
    readonly everything: number
  }
}

/**
 * Caches of this process. An entry is invalidated when any process commits a change to a row that it was made from. While changes are not
 * followed, the caches are empty. Together, they use at most `mostBytes`; then the largest makes room.
 */
export const createCaches = (mostBytes = Number.POSITIVE_INFINITY): Caches => {
  const subjects = createTags()
  const known = new Map<string, Known>()
  const invalidations = { changes: 0, everything: 0 }
  let current = 0
  let subscription: ChangeSubscription | null = null

  const enforceLimit = () => {
    let [all, largest] = [0, null as Store | null]
    for (const { store } of known.values()) {
      all += store.bytes()
      if (!largest || store.bytes() > largest.bytes()) largest = store
    }
    for (let over = all - mostBytes; over > 0 && largest && largest.size().entries > 0; ) {
      const before = largest.bytes()
      largest.makeRoom()
      over -= before - largest.bytes()
    }
  }

  const isAlive = ({ tags: own, since }: Entry) => {
    for (const subject of own) if (subject.changed > since) return false
    return true
  }

  /** If changes are read at synchronization, an entry from a concurrent request may be newer than what the caller may see. */
  const isPolled = () => subscription?.isSynchronous === false

  const revisionIf = (isKnown: boolean) => (isKnown ? current : NEVER)

  const invalidate: ChangeListener = (changed) => {
    current += 1
    if (changed !== 'everything') {
      invalidations.changes += changed.size
      for (const name of changed) subjects.changed(name, current)
      return
    }
    invalidations.everything += 1
    for (const { store } of known.values()) store.clear()
    subjects.everything(current)
  }

  const make = (name: string, room: Capacity): Known => {
    const store = createStore(room, isAlive, ({ tags: own }) => subjects.release(own))
    const counts = { hits: 0, misses: 0 }
    const find = (key: string | number, since: number, version: string | null | undefined): unknown => {
      const found = since === NEVER ? undefined : store.get(key)
      if (!found) return undefined
      if (!isAlive(found)) {
        store.remove(found)
        return undefined
      }
      if (found.made > since || (version !== undefined && found.version !== version)) return undefined
      found.used = true
      return found.value
    }
    const cache: Cache<unknown> = {
      get: (key, since, version) => {
        const value = find(key, since, version)
        if (value === undefined) counts.misses += 1
        else counts.hits += 1
        return value
      },
      set: (key, value, names, since, version = null, weight) => {
        if (!subscription || since === NEVER) return
        const own = subjects.take(names, since)
        if (!own) return
        if (isPolled()) current += 1
        const bytes = entryBytes(key, own.length, weight ?? estimateBytes(value))
        store.add({
          key,
          value,
          version,
          tags: own,
          since,
          made: current,
          bytes,
          used: false,
          before: null,
          after: null,
        })
        enforceLimit()
      },
    }
    return { name, store, cache, counts }
  }

  const caches: Caches = {
    subscribe: (database) => {
      subscription = database.subscribeToChanges(invalidate)
    },
    isUsable: () => subscription?.isUpToDate() ?? false,
    poll: () => {
      const polled = subscription?.poll() ?? false
      return typeof polled === 'boolean' ? revisionIf(polled) : polled.then(revisionIf)
    },
    revision: () => revisionIf(!isPolled()),
    of: <V>(name: string, entries: number, bytes = USUAL_BYTES) => {
      const found = known.get(name) ?? make(name, { entries, bytes })
      known.set(name, found)
      return found.cache as Cache<V>
    },
    atRevision: (revision) => ({ ...caches, revision: () => revision, isUsable: () => revision !== NEVER && caches.isUsable() }),
    stats: () => ({
      caches: [...known.values()].map(({ name, store, counts }) => ({ name, ...counts, ...store.size() })),
      tags: subjects.count(),
      ...invalidations,
    }),
  }
  return caches
}
