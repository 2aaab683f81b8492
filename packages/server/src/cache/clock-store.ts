import { weightOf } from './size-of.ts'
import type { Subject } from './tags.ts'

export interface Entry {
  readonly key: string | number
  readonly value: unknown
  readonly version: string | null
  readonly subjects: readonly Subject[]
  /** The moment before its rows were read. */
  readonly since: number
  /** The moment in which it was kept. */
  readonly made: number
  readonly bytes: number
  /** It was asked for since the hand last came by. */
  used: boolean
  /** Its neighbours in the round of the hand. */
  before: Entry | null
  after: Entry | null
}

/** What a store may hold. */
export interface Room {
  readonly entries: number
  readonly bytes: number
}

/** What an entry takes beside its value, and each of its subjects. */
const ENTRY_BYTES = 240
const SUBJECT_BYTES = 56
/** Entries that are passed over, because they were used, before one leaves all the same. */
const MOST_PASSED = 32

export const bytesOf = (key: string | number, subjects: number, value: number): number =>
  ENTRY_BYTES + weightOf(key) + value + subjects * SUBJECT_BYTES

/**
 * Entries by key, so many and of so many bytes. When there is no room, a hand goes round: who was used since it came by last may stay, who
 * was not, or is not alive, leaves. `left` is called for each that does.
 *
 * The round is a list of our own: an iterator of a Map that rests keeps all that ever left the Map since, for it keeps the Map's former tables.
 */
export const createStore = (room: Room, isAlive: (entry: Entry) => boolean, left: (entry: Entry) => void) => {
  let entries = new Map<string | number, Entry>()
  let hand: Entry | null = null
  let bytes = 0

  /** Puts it where the hand comes by last. */
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
    /** One entry leaves, if there is one. */
    makeRoom,
    size: () => ({ entries: entries.size, bytes }),
    bytes: () => bytes,
  }
}

export type Store = ReturnType<typeof createStore>
