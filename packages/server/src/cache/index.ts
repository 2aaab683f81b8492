import type { ChangeListener, Database, Following } from '../db/index.ts'
import { bytesOf, createStore, type Entry, type Room, type Store } from './clock-store.ts'
import { weightOf } from './size-of.ts'
import { createSubjects } from './tags.ts'

export interface Cache<V> {
  /**
   * What is kept, unless one of its subjects changed since `since`: what was found before a change must not be joined with what was made
   * after it, for it may have left the caller's sight in between. Where the main row was just found, its `version` (`rowVersion`) must be
   * that of `set`.
   */
  get(key: string | number, since: number, version?: string | null): V | undefined
  /**
   * Keeps `value` until one of its subjects changes; not at all when one changed since `since`, for then it may be old already.
   * `version` is that of the main row which it was made from; `bytes` about how many the value takes, where that is known already.
   */
  set(key: string | number, value: V, subjects: readonly string[], since: number, version?: string | null, bytes?: number): void
}

/** Figures of one cache. */
export interface CacheMetrics {
  readonly name: string
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** Bytes of a cache of which nothing else is said. */
const USUAL_BYTES = 24 * 2 ** 20
/** The moment of who has not looked where that is needed: nothing is kept for him, nor by him. */
const NEVER = -1

interface Known {
  readonly name: string
  readonly store: Store
  readonly cache: Cache<unknown>
  readonly counts: { hits: number; misses: number }
}

export interface Caches {
  /** Begins to follow the changes, once the tables exist. */
  follow(database: Pick<Database, 'follow'>): void
  /** Whether anything is kept at present. */
  holds(): boolean
  /** Looks what others have written, at the beginning of a request; the moment as of which it may use what is kept. */
  look(): number | Promise<number>
  /** A number that grows with every change; take it before reading what is to be cached. Where looks are needed it is that of nobody. */
  now(): number
  /** The cache of that name, of at most so many entries and bytes; those that were not used lately leave first. */
  of<V>(name: string, entries: number, bytes?: number): Cache<V>
  /** The same for whoever has looked at that moment: what was told since makes void what he keeps, and what others made since is not for him. */
  asOf(moment: number): Caches
  figures(): {
    readonly caches: readonly CacheMetrics[]
    /** How many subjects entries are made from. */
    readonly subjects: number
    /** Changes that were told, and how often everything fell. */
    readonly changes: number
    readonly everything: number
  }
}

/**
 * Caches in this process whose entries are not used any more once a row that they were made from is committed otherwise, by this process or
 * another. Where changes are not followed they hold nothing.
 * Together they hold `mostBytes` at most: then the largest makes room.
 */
export const createCaches = (mostBytes = Number.POSITIVE_INFINITY): Caches => {
  const subjects = createSubjects()
  const known = new Map<string, Known>()
  const told = { changes: 0, everything: 0 }
  let moment = 0
  let following: Following | null = null

  const keepWithin = () => {
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

  const isAlive = ({ subjects: own, since }: Entry) => {
    for (const subject of own) if (subject.changed > since) return false
    return true
  }

  /** Where changes are told at looks, what somebody made while a caller was under way may be newer than what the caller may see. */
  const isToldAtLooks = () => following?.atOnce === false

  const momentOf = (isKnown: boolean) => (isKnown ? moment : NEVER)

  const hear: ChangeListener = (changed) => {
    moment += 1
    if (changed !== 'everything') {
      told.changes += changed.size
      for (const name of changed) subjects.changed(name, moment)
      return
    }
    told.everything += 1
    for (const { store } of known.values()) store.clear()
    subjects.everything(moment)
  }

  const make = (name: string, room: Room): Known => {
    const store = createStore(room, isAlive, ({ subjects: own }) => subjects.release(own))
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
        if (!following || since === NEVER) return
        const own = subjects.take(names, since)
        if (!own) return
        if (isToldAtLooks()) moment += 1
        const bytes = bytesOf(key, own.length, weight ?? weightOf(value))
        store.add({
          key,
          value,
          version,
          subjects: own,
          since,
          made: moment,
          bytes,
          used: false,
          before: null,
          after: null,
        })
        keepWithin()
      },
    }
    return { name, store, cache, counts }
  }

  const caches: Caches = {
    follow: (database) => {
      following = database.follow(hear)
    },
    holds: () => following?.holds() ?? false,
    look: () => {
      const looked = following?.look() ?? false
      return typeof looked === 'boolean' ? momentOf(looked) : looked.then(momentOf)
    },
    now: () => momentOf(!isToldAtLooks()),
    of: <V>(name: string, entries: number, bytes = USUAL_BYTES) => {
      const found = known.get(name) ?? make(name, { entries, bytes })
      known.set(name, found)
      return found.cache as Cache<V>
    },
    asOf: (looked) => ({ ...caches, now: () => looked, holds: () => looked !== NEVER && caches.holds() }),
    figures: () => ({
      caches: [...known.values()].map(({ name, store, counts }) => ({ name, ...counts, ...store.size() })),
      subjects: subjects.count(),
      ...told,
    }),
  }
  return caches
}
