import { currentRecorder, type ReadRecorder } from '../db/changes/recorded-reads.ts'
import { tablesCoveredBy, tableTag } from '../db/changes/table-tags.ts'

/** Describes the value that is being loaded. Without a call, its entry depends on the tables that were read. */
export interface Track {
  /** The value depends on these tags, instead of on the tables that they cover as a whole (see `db/changes/cache-tags.ts`). */
  tag(...tags: readonly string[]): void
  /** These tables were read, but need no tag, because the tags of the value suffice. */
  ignore(...tables: readonly string[]): void
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
  readonly ignored: Set<string>
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
    tables: new Set(),
    own: new Set(),
    ignored: new Set(),
    inherited: new Set(),
    skipped: false,
    expiresAt: Number.POSITIVE_INFINITY,
    ttlMs: 0,
    staleMs: 0,
    track: {
      tag: (...tags) => {
        for (const tag of tags) tracker.own.add(tag)
      },
      ignore: (...tables) => {
        for (const table of tables) tracker.ignored.add(table)
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

/** For values that are not cached. */
export const UNTRACKED: Track = { tag: () => {}, ignore: () => {}, skip: () => {}, ttl: () => {}, expires: () => {} }

/** All recorders are trackers: only caches record. */
export const currentTracker = (): Tracker | null | undefined => currentRecorder() as Tracker | null | undefined

/** The tags of a value: its own, and that of each table that was read and that none of them covers. Null: a table has no tag. */
export const tagsOf = (
  own: Iterable<string>,
  tables: ReadonlySet<string>,
  ...ignored: readonly ReadonlySet<string>[]
): Set<string> | null => {
  const tags = new Set(own)
  const covered = new Set(ignored.flatMap((names) => [...names]))
  for (const tag of tags) for (const table of tablesCoveredBy(tag)) covered.add(table)
  for (const table of tables) {
    if (covered.has(table)) continue
    const tag = tableTag(table)
    if (tag === null) return null
    tags.add(tag)
  }
  return tags
}
