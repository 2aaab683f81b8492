import type { FeedColumns } from './feed-columns.ts'

/** A result of more feeds is kept as bits, one for each feed that there ever was. */
const MOST_LISTED = 4096

/** Some of the listed feeds, whoever asks. */
export interface Some {
  has(id: number): boolean
  /** How many of each spot's code. */
  readonly tally: ReadonlyMap<number, number>
  /** They, oldest first, by index from 0; many are those of the whole shelf that `has` holds for. */
  readonly walk: { at(rank: number): number; size(): number; rankOf(moment: number, id: number): number; readonly sparse: boolean }
}

/** What is found among all listed feeds: kept up to date while feeds come, change and go. */
export interface Hits extends Some {
  /** Bytes it takes, about. */
  bytes(): number
  /** Leaves out a feed that may have changed; `was` is its code before. */
  drop(id: number, was: number): void
  /** Takes in what is found; all that changed has been left out before. */
  add(id: number): void
}

const createTally = () => {
  const tally = new Map<number, number>()
  const add = (code: number, by: number) => {
    if (code !== 0) tally.set(code, (tally.get(code) ?? 0) + by)
  }
  return { tally, add }
}

const asBits = (shelf: FeedColumns, ids: readonly number[]): Hits => {
  let bits = new Uint32Array((shelf.span() >>> 5) + 1)
  const { tally, add } = createTally()
  const has = (id: number) => ((bits[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0
  const set = (id: number) => {
    if (id >>> 5 >= bits.length) {
      const larger = new Uint32Array((shelf.span() >>> 5) + 1)
      larger.set(bits)
      bits = larger
    }
    bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31))
    add(shelf.codeOf(id), 1)
  }
  for (const id of ids) set(id)
  return {
    has,
    tally,
    bytes: () => bits.byteLength,
    walk: { at: shelf.at, size: shelf.size, rankOf: shelf.rankOf, sparse: false },
    drop: (id, was) => {
      if (!has(id)) return
      bits[id >>> 5] = (bits[id >>> 5] ?? 0) & ~(1 << (id & 31))
      add(was, -1)
    },
    add: (id) => {
      if (shelf.codeOf(id) !== 0 && !has(id)) set(id)
    },
  }
}

const asList = (shelf: FeedColumns, ids: readonly number[]): Hits => {
  const { tally, add } = createTally()
  const held = new Set(ids)
  const order = [...ids].sort((a, b) => shelf.momentOf(a) - shelf.momentOf(b) || a - b)
  for (const id of order) add(shelf.codeOf(id), 1)
  const rankOf = (moment: number, id: number): number => {
    let low = 0
    let high = order.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = order[middle] ?? 0
      const time = shelf.momentOf(other)
      if (time < moment || (time === moment && other < id)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    has: (id) => held.has(id),
    tally,
    bytes: () => 64 * held.size + 256,
    walk: { at: (rank) => order[rank] ?? 0, size: () => order.length, rankOf, sparse: true },
    drop: (id, was) => {
      if (!held.delete(id)) return
      order.splice(order.indexOf(id), 1)
      add(was, -1)
    },
    add: (id) => {
      if (shelf.codeOf(id) === 0 || held.has(id)) return
      order.splice(rankOf(shelf.momentOf(id), id), 0, id)
      held.add(id)
      add(shelf.codeOf(id), 1)
    },
  }
}

/** What stands on the shelf of these feeds. */
export const hitsOf = (shelf: FeedColumns, ids: readonly number[], mostListed = MOST_LISTED): Hits => {
  const listed = ids.filter((id) => shelf.codeOf(id) !== 0)
  return listed.length > mostListed ? asBits(shelf, listed) : asList(shelf, listed)
}

/** Everything that stands on the shelf. */
export const everythingOn = (shelf: FeedColumns): Some => ({
  has: (id) => shelf.codeOf(id) !== 0,
  tally: shelf.tally,
  walk: { at: shelf.at, size: shelf.size, rankOf: shelf.rankOf, sparse: true },
})

/** Their ids, oldest first. */
export const idsOf = ({ has, walk }: Some): number[] => {
  const ids: number[] = []
  for (let rank = 0; rank < walk.size(); rank++) {
    const id = walk.at(rank)
    if (walk.sparse || has(id)) ids.push(id)
  }
  return ids
}

const sizeOf = ({ tally }: Some): number => tally.values().reduce((sum, n) => sum + n, 0)

/** What is in each of them. */
export const inAll = (shelf: FeedColumns, sets: readonly Some[]): Some => {
  const [first, ...others] = sets.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  if (!first) return everythingOn(shelf)
  if (others.length === 0) return first
  return hitsOf(
    shelf,
    idsOf(first).filter((id) => others.every((other) => other.has(id))),
  )
}
