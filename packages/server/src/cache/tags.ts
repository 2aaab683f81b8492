import { currentRecorder, type ReadRecorder, recordReads, tablesNotCovered, tableTag } from '../db/changes/table-tags.ts'

/** What entries are made from: a row `kind:id`, all rows of a kind, or a table `table:name`. */
export interface Tag {
  readonly name: string
  /** Revision of its last change. */
  changed: number
  /** Number of entries with this tag. */
  entries: number
}

/** Number of changes remembered for tags without entries. Data whose read began before the older half of them is not cached. */
const REMEMBERED = 4096

/**
 * The revision at which each tag last changed. A change costs the same however many entries have the tag, because entries check their tags
 * on use. Recent changes of all tags are remembered, so that values being computed do not miss a change.
 */
export const createTags = () => {
  let known = new Map<string, Tag>()
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  /** Every change after this revision is remembered. */
  let floor = 0
  let turned = 0

  const lastChange = (name: string) => known.get(name)?.changed ?? young.get(name) ?? old.get(name) ?? 0

  const use = (name: string): Tag => {
    const found = known.get(name)
    if (found) {
      found.entries += 1
      return found
    }
    const made: Tag = { name, changed: lastChange(name), entries: 1 }
    known.set(name, made)
    return made
  }

  return {
    changed: (name: string, revision: number) => {
      const tag = known.get(name)
      if (tag) tag.changed = revision
      young.set(name, revision)
      if (young.size < REMEMBERED) return
      old = young
      young = new Map()
      floor = turned
      turned = revision
    },
    /** Forgets all tags: the entries are removed as well, and data whose read began before `revision` is not cached. */
    everything: (revision: number) => {
      known = new Map()
      young = new Map()
      old = new Map()
      floor = revision
      turned = revision
    },
    /** The tags of an entry made from rows read since then; null if one of them changed since, or if that is unknown. */
    take: (names: Iterable<string>, since: number): Tag[] | null => {
      if (since < floor) return null
      const all = [...names]
      for (const name of all) if (lastChange(name) > since) return null
      return all.map(use)
    },
    release: (tags: readonly Tag[]) => {
      for (const tag of tags) {
        tag.entries -= 1
        // After everything was forgotten, a new tag may have the same name.
        if (tag.entries === 0 && known.get(tag.name) === tag) known.delete(tag.name)
      }
    },
    count: () => known.size,
  }
}

export type Tags = ReturnType<typeof createTags>

/** Describes the value that is being loaded. Without a call, its entry depends on the tables that were read. */
export interface Track {
  /** The value depends on these tags, instead of on the tables of which they cover every column that is read (see `db/changes/cache-tags.ts`). */
  tag(...tags: readonly string[]): void
  /** The tag `visibility` or `account` covers its columns: all else that is read of the tables is in rows with tags, or in the caller's rows. */
  cover(kind: 'visibility' | 'account'): void
  /** Do not cache the value. */
  skip(): void
  /** How long the value is used, and how long in total while a new one is loaded, if that differs from the definition with a TTL. */
  ttl(ms: number, staleMs?: number): void
  /** The value is used until then at most, even if nothing changes. */
  expires(at: Date): void
}

/** What the value depends on that is being loaded. */
export interface Tracker extends ReadRecorder {
  readonly track: Track
  readonly own: Set<string>
  readonly covering: Set<string>
  /** Tags of cached values that the value was made from. They cover no table. */
  readonly inherited: Set<string>
  skipped: boolean
  /** The earliest expiry of the value and of those that it was made from. */
  expiresAt: number
  ttlMs: number
  staleMs: number
}

export const createTracker = (): Tracker => {
  const tracker: Tracker = {
    reads: new Set(),
    own: new Set(),
    covering: new Set(),
    inherited: new Set(),
    skipped: false,
    expiresAt: Number.POSITIVE_INFINITY,
    ttlMs: 0,
    staleMs: 0,
    track: {
      tag: (...tags) => {
        for (const tag of tags) tracker.own.add(tag)
      },
      cover: (kind) => {
        tracker.covering.add(kind)
      },
      skip: () => {
        tracker.skipped = true
      },
      expires: (at) => {
        tracker.expiresAt = Math.min(tracker.expiresAt, at.getTime())
      },
      ttl: (ms, staleMs = ms) => {
        tracker.ttlMs = ms
        tracker.staleMs = staleMs
      },
    },
  }
  return tracker
}

export const UNTRACKED: Track = { tag: () => {}, cover: () => {}, skip: () => {}, ttl: () => {}, expires: () => {} }

/** All recorders are trackers: only caches record. */
export const currentTracker = (): Tracker | null | undefined => currentRecorder() as Tracker | null | undefined

/** Runs work of which tags report every change. */
export const unrecorded = <T>(work: () => T | Promise<T>): Promise<T> => recordReads(null, work)

/** Tags of who may see something, or of the caller. They cover nothing, unless the load says so. */
const NOT_COVERING: ReadonlySet<string> = new Set(['account', 'visibility'])

/** The kinds of tags that cover tables, in a fixed order. */
const kindsOf = (tags: Iterable<string>, covering: ReadonlySet<string>): ReadonlySet<string> => {
  const kinds = new Set<string>()
  for (const tag of tags) {
    const end = tag.indexOf(':')
    const kind = end < 0 ? tag : tag.slice(0, end)
    if (!NOT_COVERING.has(kind) || covering.has(kind)) kinds.add(kind)
  }
  return new Set([...kinds].toSorted())
}

/** The tags of a value: its own, and that of each table of which more was read than they cover. Null: a table has no tag. */
export const tagsOf = (own: Iterable<string>, { reads, covering }: Tracker, ignored: ReadonlySet<string>): Set<string> | null => {
  const tags = new Set(own)
  const kinds = kindsOf(tags, covering)
  for (const table of tablesNotCovered(kinds, reads, ignored)) {
    const tag = tableTag(table)
    if (tag === null) return null
    tags.add(tag)
  }
  return tags
}
