import { LRUCache } from 'lru-cache'
import { recordReads } from '../db/changes/recorded-reads.ts'
import { TABLE_TAG } from '../db/changes/table-tags.ts'
import type { CacheDefinition } from './definition.ts'
import { estimateBytes } from './estimate-bytes.ts'
import type { Tag, Tags } from './tags.ts'
import { createTracker, currentTracker, type Track, type Tracker, tagsOf, UNTRACKED } from './track.ts'

export type CacheKey = string | number

/** The state of the data as of which a request reads cached values. */
export interface Snapshot {
  /** Changes up to this revision are known. Negative: cached values must not be used. */
  readonly revision: number
  /** Entries that were stored later are not used: they may contain changes that a poll which had begun before did not report. */
  readonly newest: number
  /** Whether values that are loaded may be cached. What an open transaction reads may be rolled back. */
  readonly canStore: boolean
}

/** What all caches of a process share. */
export interface SharedState {
  readonly tags: Tags
  /** Grows with every change. */
  revision: number
  /** Whether changes are known; otherwise only values with a TTL are stored. */
  isFollowing: boolean
  /** Changes arrive with a poll, so an entry of a concurrent request may be newer than what the caller has seen. */
  isPolled: boolean
  now(): number
  /** Whether changes of this table as a whole are reported. */
  watchTable(table: string): boolean
  stored(): void
}

export interface Entry<V> {
  readonly value: V
  readonly version: string | null
  readonly tags: readonly Tag[]
  /** Revision before its rows were read. */
  readonly since: number
  /** Revision at which it was stored. */
  readonly made: number
  /** Revision up to which its tags are known to be unchanged. */
  checked: number
  /** Times in milliseconds. */
  readonly storedAt: number
  readonly expiresAt: number
  /** After its expiry, it is used until then while a new value is loaded. */
  readonly usableUntil: number
}

interface Result<V> {
  readonly value: V
  /** Null: the value must not be shared. */
  readonly tags: ReadonlySet<string> | null
  readonly expiresAt: number
}

interface Flight<V> {
  readonly revision: number
  readonly result: Promise<Result<V>>
}

/** Loaded value of one key of a batch. Without tags it is not cached. */
export interface LoadedItem<L> {
  readonly value: L
  readonly tags: readonly string[] | null
  readonly version?: string | null
}

/** Approximate overhead of an entry and of each of its tags, in bytes. */
const ENTRY_BYTES = 280
const TAG_BYTES = 56

const inherit = (outer: Tracker | null | undefined, tags: Iterable<string> | null, expiresAt: number) => {
  if (!outer) return
  if (tags) for (const tag of tags) outer.inherited.add(tag)
  else outer.skipped = true
  outer.expiresAt = Math.min(outer.expiresAt, expiresAt)
}

const namesOf = (tags: readonly Tag[]) => tags.map(({ name }) => name)

/** The entries of one cache. */
export const createStore = <L, V>(definition: CacheDefinition<L, V>, shared: SharedState) => {
  const { serialize, weigh, sharesLoads, ignoredTables, ttlMs, staleMs, maxBytes } = definition
  const entries = new LRUCache<CacheKey, Entry<V>>({
    max: definition.maxEntries,
    maxSize: maxBytes,
    dispose: ({ tags }) => shared.tags.release(tags),
  })
  const flights = new Map<CacheKey, Flight<V>>()
  const counts = { hits: 0, misses: 0 }
  const isTimed = ttlMs > 0

  const isUnchanged = (entry: Entry<V>): boolean => {
    if (entry.checked === shared.revision) return true
    for (const tag of entry.tags) if (tag.changed > entry.since) return false
    entry.checked = shared.revision
    return true
  }

  const isUnexpired = ({ storedAt, expiresAt }: Entry<V>): boolean => {
    const now = shared.now()
    return now < expiresAt && now >= storedAt
  }

  const isValid = (entry: Entry<V>, { newest }: Snapshot): boolean => {
    if (!isTimed && (newest < entry.made || !isUnchanged(entry))) return false
    return entry.expiresAt === Number.POSITIVE_INFINITY || isUnexpired(entry)
  }

  /** The valid entry of a key. If the main row was just read, its `version` must equal that of the entry. */
  const find = (key: CacheKey, snapshot: Snapshot, version?: string | null): Entry<V> | undefined => {
    const entry = entries.get(key)
    if (entry !== undefined && (version === undefined || version === entry.version) && isValid(entry, snapshot)) {
      counts.hits += 1
      return entry
    }
    counts.misses += 1
    return undefined
  }

  const areWatched = (names: Iterable<string>): boolean => {
    let all = true
    for (const name of names) if (name.startsWith(TABLE_TAG) && !shared.watchTable(name.slice(TABLE_TAG.length))) all = false
    return all
  }

  const put = (key: CacheKey, value: V, names: Iterable<string>, since: number, about: Partial<Entry<V>> = {}) => {
    if (!areWatched(names)) return
    const tags = shared.tags.take(names, since)
    if (!tags) return
    if (shared.isPolled) shared.revision += 1
    const bytes = ENTRY_BYTES + estimateBytes(key) + weigh(value) + tags.length * TAG_BYTES
    if (bytes > maxBytes) return shared.tags.release(tags)
    const made = shared.revision
    const entry: Entry<V> = {
      value,
      version: null,
      tags,
      since,
      made,
      checked: -1,
      storedAt: shared.now(),
      expiresAt: Number.POSITIVE_INFINITY,
      usableUntil: 0,
      ...about,
    }
    entries.set(key, entry, { size: bytes })
    shared.stored()
  }

  const stored = (loaded: L): V => (serialize ? serialize(loaded) : (loaded as unknown as V))

  const finish = (key: CacheKey, snapshot: Snapshot, tracker: Tracker, loaded: L): Result<V> => {
    const value = stored(loaded)
    if (isTimed) {
      const now = shared.now()
      const expiresAt = now + (tracker.ttlMs || ttlMs)
      if (tracker.skipped) return { value, tags: null, expiresAt }
      put(key, value, [], shared.revision, { expiresAt, usableUntil: now + (tracker.staleMs || staleMs) })
      return { value, tags: new Set(), expiresAt }
    }
    const tags = tracker.skipped ? null : tagsOf(tracker.own, tracker.tables, ignoredTables, tracker.ignored)
    for (const tag of tracker.inherited) tags?.add(tag)
    const { expiresAt } = tracker
    if (tags && snapshot.canStore && shared.isFollowing) put(key, value, tags, snapshot.revision, { expiresAt })
    return { value, tags, expiresAt }
  }

  const fly = (key: CacheKey, snapshot: Snapshot, work: (track: Track) => Promise<L>): Promise<Result<V>> => {
    const tracker = createTracker()
    const result = recordReads(tracker, () => work(tracker.track)).then((loaded) => finish(key, snapshot, tracker, loaded))
    const flight: Flight<V> = { revision: isTimed ? 0 : snapshot.revision, result }
    flights.set(key, flight)
    const end = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    result.then(end, end)
    return result
  }

  /** A value that has expired, but may be used while a new one is loaded. */
  const findAged = (key: CacheKey, snapshot: Snapshot, work: (track: Track) => Promise<L>): Entry<V> | undefined => {
    const entry = entries.peek(key)
    const now = shared.now()
    if (entry === undefined || entry.usableUntil <= now || entry.storedAt > now) return undefined
    // The next caller gets the result or the error.
    if (!flights.has(key)) fly(key, snapshot, work).catch(() => {})
    return entry
  }

  /** Loads a value that is not cached. Concurrent callers with the same snapshot share one load. */
  const load = async (key: CacheKey, snapshot: Snapshot, work: (track: Track) => Promise<L>): Promise<V> => {
    const outer = currentTracker()
    if (!isTimed && !outer && !(snapshot.canStore && shared.isFollowing)) return stored(await work(UNTRACKED))
    const aged = isTimed ? findAged(key, snapshot, work) : undefined
    if (aged) {
      inherit(outer, null, 0)
      return aged.value
    }
    const flight = sharesLoads ? flights.get(key) : undefined
    if (flight !== undefined && (isTimed || (snapshot.canStore && flight.revision === snapshot.revision))) {
      const shareable = await flight.result
        .then((result) => (isTimed || result.tags ? result : null))
        .catch((error) => {
          if (isTimed) throw error
          return null
        })
      if (shareable) {
        inherit(outer, shareable.tags, shareable.expiresAt)
        return shareable.value
      }
    }
    const { value, tags, expiresAt } = await fly(key, snapshot, work)
    inherit(outer, tags, expiresAt)
    return value
  }

  /** Loads the values of several keys at once. */
  const loadEach = async (
    keys: readonly number[],
    snapshot: Snapshot,
    work: (keys: readonly number[]) => Promise<ReadonlyMap<number, LoadedItem<L>>>,
  ): Promise<ReadonlyMap<number, V>> => {
    const outer = currentTracker()
    const tracker = createTracker()
    const loaded = await recordReads(tracker, () => work(keys))
    const values = new Map<number, V>()
    for (const [key, { value: one, tags: own, version = null }] of loaded) {
      const value = stored(one)
      values.set(key, value)
      const tags = own === null || tracker.skipped ? null : tagsOf(own, tracker.tables, ignoredTables)
      for (const tag of tracker.inherited) tags?.add(tag)
      inherit(outer, tags, tracker.expiresAt)
      if (tags && snapshot.canStore && shared.isFollowing)
        put(key, value, tags, snapshot.revision, { version, expiresAt: tracker.expiresAt })
    }
    // What lacks a value depends on everything that was read.
    if (outer && values.size < keys.length) for (const table of tracker.tables) outer.tables.add(table)
    return values
  }

  return {
    name: definition.name,
    isTimed,
    find,
    load,
    loadEach,
    /** The value that is being loaded depends on a cached one. */
    used: (entry: Entry<V>) => {
      const outer = currentTracker()
      if (outer) inherit(outer, namesOf(entry.tags), entry.expiresAt)
    },
    clear: () => entries.clear(),
    /** Evicts the entry that was not used for the longest time. */
    evict: () => void entries.pop(),
    bytes: () => entries.calculatedSize,
    stats: () => ({ name: definition.name, ...counts, entries: entries.size, bytes: entries.calculatedSize }),
  }
}

export type Store<L = unknown, V = L> = ReturnType<typeof createStore<L, V>>
