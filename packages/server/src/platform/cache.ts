import type { Database, Following } from '../db/index.ts'

interface Entry {
  readonly value: unknown
  readonly version: string | null
  readonly subjects: readonly string[]
  readonly drop: () => void
}

export interface Cache<V> {
  /**
   * What is kept, unless anything changed since `since`: what was found before a change must not be joined with what was made after it,
   * for it may have left the caller's sight in between. Where `version` is given (`rowVersion` of the main row), it must be that of `set`.
   */
  get(key: string | number, since: number, version?: string | null): V | undefined
  /**
   * Keeps `value` until one of its subjects changes; not at all when anything changed since `since`, for then it may be old already.
   * `version` is that of the main row which it was made from.
   */
  set(key: string | number, value: V, subjects: readonly string[], since: number, version?: string | null): void
}

/**
 * What is kept: `rights` decide who may see or do what, so they are kept only where every change is known before the next look; `content` may
 * follow a change by other instances some milliseconds later, as long as the database said of its main row, by version, that it is still right.
 */
export type Kind = 'rights' | 'content'

/**
 * Caches in this process whose entries fall in the moment that a row they were made from is committed otherwise, by this process or
 * another. Where changes are not followed they hold nothing; where they are followed late, nothing that decides about rights.
 */
export const createCaches = () => {
  const bySubject = new Map<string, Set<Entry>>()
  const stores: Map<string | number, Entry>[] = []
  const named = new Map<string, Cache<unknown>>()
  let changes = 0
  let following: Following | null = null

  const isHeld = (kind: Kind) => Boolean(following?.holds()) && (kind === 'content' || following?.exact === true)

  const forget = (entry: Entry) => {
    entry.drop()
    for (const subject of entry.subjects) {
      const entries = bySubject.get(subject)
      entries?.delete(entry)
      if (entries?.size === 0) bySubject.delete(subject)
    }
  }

  return {
    /** Begins to follow the database, once its tables exist. */
    follow: (database: Database) => {
      following = database.follow((subjects) => {
        changes += 1
        if (subjects === 'everything') {
          for (const store of stores) store.clear()
          bySubject.clear()
          return
        }
        for (const subject of subjects) for (const entry of [...(bySubject.get(subject) ?? [])]) forget(entry)
      })
    },

    /** Whether anything of that kind is kept at present. */
    holds: isHeld,

    /** Looks whether another process has written; to be called once at the beginning of a request. */
    look: () => following?.look(),

    /** A number that grows with every change; take it before reading what is to be cached. */
    now: (): number => changes,

    /** The cache of that name, of at most `size` entries; the oldest leave first. */
    of: <V>(name: string, size: number, kind: Kind): Cache<V> => {
      const known = named.get(name)
      if (known) return known as Cache<V>
      const store = new Map<string | number, Entry>()
      stores.push(store)
      const made: Cache<V> = {
        get: (key, since, version = null) => {
          if (since !== changes) return undefined
          const found = store.get(key)
          return found?.version === version ? (found.value as V) : undefined
        },
        set: (key, value, subjects, since, version = null) => {
          if (since !== changes || !isHeld(kind)) return
          const former = store.get(key)
          if (former?.version === version) return
          if (former) forget(former)
          const oldest = store.size >= size ? store.values().next().value : undefined
          if (oldest) forget(oldest)
          const entry: Entry = { value, version, subjects, drop: () => store.delete(key) }
          store.set(key, entry)
          for (const subject of subjects) {
            const entries = bySubject.get(subject)
            if (entries) entries.add(entry)
            else bySubject.set(subject, new Set([entry]))
          }
        },
      }
      named.set(name, made as Cache<unknown>)
      return made
    },
  }
}

export type Caches = ReturnType<typeof createCaches>
