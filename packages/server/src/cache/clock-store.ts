import { weightOf } from './size-of.ts'
import type { Subject } from './tags.ts'

export interface Entry {
  readonly key: string | number
  readonly value: unknown
  readonly version: string | null
  readonly subjects: readonly Subject[]
  /** Revision before its rows were read. */
  readonly since: number
  /** Revision at which it was stored. */
  readonly made: number
  readonly bytes: number
  /** Referenced since the hand last passed. */
  used: boolean
  /** Neighbors in the ring of the clock. */
  before: Entry | null
  after: Entry | null
}

/** Capacity of a store. */
export interface Room {
  readonly entries: number
  readonly bytes: number
}

/** Approximate overhead of an entry and of each of its tags, in bytes. */
const ENTRY_BYTES = 240
const SUBJECT_BYTES = 56
/** Maximum number of referenced entries that the hand skips before it evicts one. */
const MOST_PASSED = 32

export const bytesOf = (key: string | number, subjects: number, value: number): number =>
  ENTRY_BYTES + weightOf(key) + value + subjects * SUBJECT_BYTES

/**
 * A store of entries by key with a limited number of entries and bytes, and clock eviction: the hand skips entries that were used since it
 * last passed and evicts the rest, and invalid ones. `left` is called for each evicted entry.
 * The ring is a linked list of its own. A resting iterator of a Map would retain every entry removed since, because it keeps the former
 * tables of the Map.
 */
export const createStore = (room: Room, isAlive: (entry: Entry) => boolean, left: (entry: Entry) => void) => {
  let entries = new Map<string | number, Entry>()
  let hand: Entry | null = null
  let bytes = 0

  /** Inserts an entry where the hand passes last. */
  const enter = (entry: Entry) => {
    const after = hand ?? entry
    const before = hand?.before ?? entry
    entry.after = after
    entry.before = before
    after.before = entry
    before.after = entry
    hand ??= entry
  }

  const leave = (entry: Entry) => {
    const { before, after } = entry
    if (hand === entry) hand = after === entry ? null : after
    if (before) before.after = after
    if (after) after.before = before
    entry.before = null
    entry.after = null
  }

  const remove = (entry: Entry) => {
    if (!entries.delete(entry.key)) return
    leave(entry)
    bytes -= entry.bytes
    left(entry)
  }

  const next = (): Entry | null => {
    const found = hand
    hand = found?.after ?? null
    return found
  }

  const makeRoom = () => {
    for (let passed = 0; ; passed++) {
      const entry = next()
      if (!entry) return
      if (!entry.used || passed >= MOST_PASSED || !isAlive(entry)) return remove(entry)
      entry.used = false
    }
  }

  return {
    get: (key: string | number) => entries.get(key),
    remove,
    add: (entry: Entry) => {
      const former = entries.get(entry.key)
      if (former) remove(former)
      if (entry.bytes > room.bytes) return left(entry)
      while (entries.size > 0 && (entries.size >= room.entries || bytes + entry.bytes > room.bytes)) makeRoom()
      entries.set(entry.key, entry)
      enter(entry)
      bytes += entry.bytes
    },
    clear: () => {
      entries = new Map()
      hand = null
      bytes = 0
    },
    /** Evicts one entry, if there is any. */
    makeRoom,
    size: () => ({ entries: entries.size, bytes }),
    bytes: () => bytes,
  }
}

export type Store = ReturnType<typeof createStore>
