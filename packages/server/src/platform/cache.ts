import type { Database } from '../db/index.ts'

interface Entry {
  readonly value: unknown
  readonly subjects: readonly string[]
  readonly drop: () => void
}

export interface Cache<V> {
  /**
   * What is kept, unless anything changed since `since`: what was found before a change must not be joined with what was made after it,
   * for it may have left the caller's sight in between.
   */
  get(key: string | number, since: number): V | undefined
  /** Keeps `value` until one of its subjects changes; not at all when anything changed since `since`, for then it may be old already. */
  set(key: string | number, value: V, subjects: readonly string[], since: number): void
}

/**
 * Caches in this process whose entries fall in the moment that a row they were made from is committed otherwise, by this process or
 * another. Where changes cannot be followed (PostgreSQL, several instances) they hold nothing.
 */
export const createCaches = () => {
  const bySubject = new Map<string, Set<Entry>>()
  const stores: Map<string | number, Entry>[] = []
  const named = new Map<string, Cache<unknown>>()
  let changes = 0
  let external: (() => void) | null = null

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
      external = database.follow((subjects) => {
        changes += 1
        if (subjects === 'everything') {
          for (const store of stores) store.clear()
          bySubject.clear()
          return
        }
        for (const subject of subjects) for (const entry of [...(bySubject.get(subject) ?? [])]) forget(entry)
      })
    },

    /** Whether anything is ever kept. */
    holds: (): boolean => external !== null,

    /** Looks whether another process has written; to be called once at the beginning of a request. */
    look: () => external?.(),

    /** A number that grows with every change; take it before reading what is to be cached. */
    now: (): number => changes,

    /** The cache of that name, of at most `size` entries; the oldest leave first. */
    of: <V>(name: string, size: number): Cache<V> => {
      const known = named.get(name)
      if (known) return known as Cache<V>
      const store = new Map<string | number, Entry>()
      stores.push(store)
      const made: Cache<V> = {
        get: (key, since) => (since === changes ? (store.get(key)?.value as V | undefined) : undefined),
        set: (key, value, subjects, since) => {
          if (!external || since !== changes || store.has(key)) return
          const oldest = store.size >= size ? store.values().next().value : undefined
          if (oldest) forget(oldest)
          const entry: Entry = { value, subjects, drop: () => store.delete(key) }
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
