import type { ChangeListener, Following } from '../db/index.ts'
import { bytesOf, createStore, type Entry, type Room, type Store } from './store.ts'
import { createSubjects } from './subjects.ts'
import { weightOf } from './weight.ts'

export interface Cache<V> {
  /**
   * What is kept, unless one of its subjects changed since `since`: what was found before a change must not be joined with what was made
   * after it, for it may have left the caller's sight in between. Where `version` is given (`rowVersion` of the main row), it must be that
   * of `set`.
   */
  get(key: string | number, since: number, version?: string | null): V | undefined
  /**
   * Keeps `value` until one of its subjects changes; not at all when one changed since `since`, for then it may be old already.
   * `version` is that of the main row which it was made from; `bytes` about how many the value takes, where that is known already.
   */
  set(key: string | number, value: V, subjects: readonly string[], since: number, version?: string | null, bytes?: number): void
}

/**
 * What is kept: `rights` decide who may see or do what, so they are kept only where every change is known before the next look; `content` may
 * follow a change by other instances some milliseconds later, as long as the database said of its main row, by version, that it is still right.
 */
export type Kind = 'rights' | 'content'

/** Figures of one cache. */
export interface CacheFigures {
  readonly name: string
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** Bytes of a cache of which nothing else is said. */
const USUAL_BYTES = 24 * 2 ** 20
/** Where changes are told late, nothing is kept for longer: a process that ends between its commit and telling of it tells nobody. */
const LONGEST_MS = 30_000

interface Known {
  readonly name: string
  readonly store: Store
  readonly cache: Cache<unknown>
  readonly counts: { hits: number; misses: number }
}

/** Whoever tells of changes: a database that does so by itself, or what is told between instances. */
export interface ChangeSource {
  follow(listener: ChangeListener): Following | null
}

export interface Caches {
  /** Begins to follow the changes, once the tables exist. */
  follow(source: ChangeSource): void
  /** Whether anything of that kind is kept at present. */
  holds(kind: Kind): boolean
  /** Looks whether another process has written; to be called once at the beginning of a request. */
  look(): void
  /** A number that grows with every change; take it before reading what is to be cached. */
  now(): number
  /** The cache of that name, of at most so many entries and bytes; those that were not used lately leave first. */
  of<V>(name: string, entries: number, kind: Kind, bytes?: number): Cache<V>
  /** The same for whoever sees what was committed by a moment, and may not see what was committed since, as on a replica. */
  asOf(moment: number): Caches
  figures(): {
    readonly caches: readonly CacheFigures[]
    /** How many subjects entries are made from. */
    readonly subjects: number
    /** Changes that were told, and how often everything fell. */
    readonly changes: number
    readonly everything: number
  }
}

/**
 * Caches in this process whose entries fall in the moment that a row they were made from is committed otherwise, by this process or
 * another. Where changes are not followed they hold nothing; where they are followed late, nothing that decides about rights.
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

  const isHeld = (kind: Kind) => following !== null && (kind === 'content' || following.exact) && following.holds()

  const isAlive = ({ subjects: own, since }: Entry) => {
    for (const subject of own) if (subject.changed > since) return false
    return true
  }

  /** Where changes are told late, what somebody else made while a caller was under way may be newer than what the caller may see. */
  const isLate = () => following?.exact === false

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

  const make = (name: string, kind: Kind, room: Room): Known => {
    const store = createStore(room, isAlive, ({ subjects: own }) => subjects.release(own))
    const counts = { hits: 0, misses: 0 }
    const find = (key: string | number, since: number, version: string | null): unknown => {
      const found = store.get(key)
      if (!found || !isHeld(kind)) return undefined
      if (!isAlive(found) || (isLate() && performance.now() - found.at > LONGEST_MS)) {
        store.remove(found)
        return undefined
      }
      if (found.made > since || found.version !== version) return undefined
      found.used = true
      return found.value
    }
    const cache: Cache<unknown> = {
      get: (key, since, version = null) => {
        const value = find(key, since, version)
        if (value === undefined) counts.misses += 1
        else counts.hits += 1
        return value
      },
      set: (key, value, names, since, version = null, weight) => {
        if (!isHeld(kind)) return
        const own = subjects.take(names, since)
        if (!own) return
        if (isLate()) moment += 1
        const bytes = bytesOf(key, own.length, weight ?? weightOf(value))
        store.add({
          key,
          value,
          version,
          subjects: own,
          since,
          made: moment,
          at: performance.now(),
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
    follow: (source) => {
      following = source.follow(hear)
    },
    holds: isHeld,
    look: () => following?.look(),
    now: () => {
      if (isLate()) moment += 1
      return moment
    },
    of: <V>(name: string, entries: number, kind: Kind, bytes = USUAL_BYTES) => {
      const found = known.get(name) ?? make(name, kind, { entries, bytes })
      known.set(name, found)
      return found.cache as Cache<V>
    },
    asOf: (earlier) => ({ ...caches, now: () => earlier }),
    figures: () => ({
      caches: [...known.values()].map(({ name, store, counts }) => ({ name, ...counts, ...store.size() })),
      subjects: subjects.count(),
      ...told,
    }),
  }
  return caches
}
