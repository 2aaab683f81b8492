export interface Entry {
  readonly key: string | number
  readonly value: unknown
  readonly version: string | null
  readonly tags: readonly Tag[]
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
export interface Capacity {
  readonly entries: number
  readonly bytes: number
}

/** Approximate overhead of an entry and of each of its tags, in bytes. */
const ENTRY_BYTES = 240
const SUBJECT_BYTES = 56
/** Maximum number of referenced entries that the hand skips before it evicts one. */
const MOST_PASSED = 32

export const entryBytes = (key: string | number, subjects: number, value: number): number =>
  ENTRY_BYTES + estimateBytes(key) + value + subjects * SUBJECT_BYTES

/**
 * A store of entries by key with a limited number of entries and bytes, and clock eviction: the hand skips entries that were used since it
 * last passed and evicts the rest, and invalid ones. `left` is called for each evicted entry.
 * The ring is a linked list of its own. A resting iterator of a Map would retain every entry removed since, because it keeps the former
 * tables of the Map.
 */
export const createStore = (room: Capacity, isAlive: (entry: Entry) => boolean, left: (entry: Entry) => void) => {
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

/** What entries are made from: a row `kind:id`, or all rows of a kind. */
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
    changed: (name: string, moment: number) => {
      const subject = known.get(name)
      if (subject) subject.changed = moment
      young.set(name, moment)
      if (young.size < REMEMBERED) return
      old = young
      young = new Map()
      floor = turned
      turned = moment
    },
    /** Forgets all tags: the entries are removed as well, and data whose read began before `moment` is not cached. */
    everything: (moment: number) => {
      known = new Map()
      young = new Map()
      old = new Map()
      floor = moment
      turned = moment
    },
    /** The tags of an entry made from rows read since then; null if one of them changed since, or if that is unknown. */
    take: (names: readonly string[], since: number): Tag[] | null => {
      if (since < floor) return null
      for (const name of names) if (lastChange(name) > since) return null
      return names.map(use)
    },
    release: (subjects: readonly Tag[]) => {
      for (const subject of subjects) {
        subject.entries -= 1
        // After everything was forgotten, a new tag may have the same name.
        if (subject.entries === 0 && known.get(subject.name) === subject) known.delete(subject.name)
      }
    },
    count: () => known.size,
  }
}

export type Tags = ReturnType<typeof createTags>

const OBJECT = 48
const MEMBER = 16

/** Views of one buffer, such as a text with and without its end, count once. */
const weightOfMembers = (members: readonly unknown[], depth: number): number => {
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
  if (value instanceof Map) return OBJECT + weightOfMembers([...value.keys(), ...value.values()], depth)
  if (value instanceof Set) return OBJECT + weightOfMembers([...value], depth)
  if (!Array.isArray(value)) return OBJECT + weightOfMembers(Object.values(value), depth)
  // Lists of ids are long.
  if (typeof value[0] === 'number') return OBJECT + MEMBER * value.length
  return OBJECT + weightOfMembers(value, depth)
}
