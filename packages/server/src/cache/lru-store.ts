import { LRUCache } from 'lru-cache'
import { recordReads, TABLE_TAG } from '../db/changes/table-tags.ts'
import { createTracker, currentTracker, type Tag, type Tags, type Track, type Tracker, tagsOf, UNTRACKED } from './tags.ts'

const OBJECT = 48
const MEMBER = 16

/** Views of one buffer, such as a text with and without its end, count once. */
const estimateMembers = (members: readonly unknown[], depth: number): number => {
  const buffers = new Map<ArrayBufferLike, number>()
  let sum = 0
  for (const member of members) {
    sum += MEMBER
    if (ArrayBuffer.isView(member)) buffers.set(member.buffer, Math.max(buffers.get(member.buffer) ?? 0, member.byteLength))
    else sum += estimateBytes(member, depth - 1)
  }
  for (const bytes of buffers.values()) sum += OBJECT + bytes
  return sum
}

/** Approximate memory of a value in bytes; of deep values, only the upper levels. */
export const estimateBytes = (value: unknown, depth = 4): number => {
  if (typeof value === 'string') return MEMBER + value.length
  if (typeof value !== 'object' || value === null) return MEMBER / 2
  if (ArrayBuffer.isView(value)) return OBJECT + value.byteLength
  if (depth === 0) return OBJECT
  if (value instanceof Map) return OBJECT + estimateMembers([...value.keys(), ...value.values()], depth)
  if (value instanceof Set) return OBJECT + estimateMembers([...value], depth)
  if (!Array.isArray(value)) return OBJECT + estimateMembers(Object.values(value), depth)
  // Lists of ids are long.
  if (typeof value[0] === 'number') return OBJECT + MEMBER * value.length
  return OBJECT + estimateMembers(value, depth)
}

interface CacheOptions<L, V> {
  /** Name in the metrics. */
  readonly name: string
  readonly maxEntries: number
  readonly maxBytes?: number
  /** Makes the stored value from what `load` returns, for example its JSON. */
  readonly serialize?: (loaded: L) => V
  /** Bytes of a stored value, if it needs more memory than it contains. */
  readonly weigh?: (value: V) => number
  /**
   * Tables, or names that tables have in the statements, that need no tag: what is read under them does not affect the value, or the rows have
   * tags.
   */
  readonly ignored?: readonly string[]
  /** Whether concurrent callers with the same key and snapshot share one load; true by default. */
  readonly sharesLoads?: boolean
  /** For values that changes of the database do not invalidate: they are used for this long. */
  readonly ttlMs?: number
  /** After `ttlMs`, a value is still used for this long in total while a new one is loaded. */
  readonly staleMs?: number
}

export interface CacheDefinition<L = unknown, V = L> extends CacheOptions<L, V> {
  readonly index: number
}

/** Default capacity of a cache in bytes. */
const DEFAULT_BYTES = 24 * 2 ** 20

const names: string[] = []

/** Defines a cache of the process. Call it once per cache, when a module is loaded. */
export const defineCache = <L, V = L>(options: CacheOptions<L, V>): CacheDefinition<L, V> => {
  if (names.includes(options.name)) throw new Error(`the cache ${options.name} is defined twice`)
  return { ...options, index: names.push(options.name) - 1 }
}

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

export const createLruStore = <L, V>(definition: CacheDefinition<L, V>, shared: SharedState) => {
  const { serialize, weigh = estimateBytes, sharesLoads = true, ttlMs = 0, staleMs = ttlMs, maxBytes = DEFAULT_BYTES } = definition
  const ignored = new Set(definition.ignored)
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
    const tags = tracker.skipped ? null : tagsOf(tracker.own, tracker, ignored)
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
      const tags = own === null || tracker.skipped ? null : tagsOf(own, tracker, ignored)
      for (const tag of tracker.inherited) tags?.add(tag)
      inherit(outer, tags, tracker.expiresAt)
      if (tags && snapshot.canStore && shared.isFollowing)
        put(key, value, tags, snapshot.revision, { version, expiresAt: tracker.expiresAt })
    }
    // What lacks a value depends on everything that was read.
    if (outer && values.size < keys.length) for (const read of tracker.reads) outer.reads.add(read)
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

export type LruStore<L = unknown, V = L> = ReturnType<typeof createLruStore<L, V>>
