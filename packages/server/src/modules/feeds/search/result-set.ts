import { type FeedColumns, rankIn } from './feed-columns.ts'

/** Larger results are stored as a bit set with one bit per feed id. */
const MAX_SORTED = 4096

/** A set of listed feeds, independent of the viewer. */
export interface FeedSet {
  has(id: number): boolean
  /** Number of feeds with each facet code. */
  readonly countByCode: ReadonlyMap<number, number>
  /**
   * Feeds by rank, oldest first. If not `exact`, the ranks are those of the whole index, and the set contains only those for which `has` is
   * true.
   */
  readonly ranked: { at(rank: number): number; size(): number; rankOf(moment: number, id: number): number; readonly exact: boolean }
}

/** A cached result that is updated as feeds change. */
export interface ResultSet extends FeedSet {
  bytes(): number
  /** Removes a feed that may have changed; `previousCode` is its facet code before the change. */
  remove(id: number, previousCode: number): void
  /** Adds a feed that matches after the change. All changed feeds have been removed before. */
  add(id: number): void
}

const createCounter = () => {
  const countByCode = new Map<number, number>()
  const count = (code: number, by: number) => {
    if (code !== 0) countByCode.set(code, (countByCode.get(code) ?? 0) + by)
  }
  return { countByCode, count }
}

const bitSet = (columns: FeedColumns, ids: readonly number[]): ResultSet => {
  let bits = new Uint32Array((columns.idLimit() >>> 5) + 1)
  const { countByCode, count } = createCounter()
  const has = (id: number) => ((bits[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0
  const set = (id: number) => {
    if (id >>> 5 >= bits.length) {
      const larger = new Uint32Array((columns.idLimit() >>> 5) + 1)
      larger.set(bits)
      bits = larger
    }
    bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31))
    count(columns.codeOf(id), 1)
  }
  for (const id of ids) set(id)
  return {
    has,
    countByCode,
    bytes: () => bits.byteLength,
    ranked: { at: columns.at, size: columns.size, rankOf: columns.rankOf, exact: false },
    remove: (id, previousCode) => {
      if (!has(id)) return
      bits[id >>> 5] = (bits[id >>> 5] ?? 0) & ~(1 << (id & 31))
      count(previousCode, -1)
    },
    add: (id) => {
      if (columns.codeOf(id) !== 0 && !has(id)) set(id)
    },
  }
}

const sortedSet = (columns: FeedColumns, ids: readonly number[]): ResultSet => {
  const { countByCode, count } = createCounter()
  const members = new Set(ids)
  const order = [...ids].sort((a, b) => columns.timestampOf(a) - columns.timestampOf(b) || a - b)
  for (const id of order) count(columns.codeOf(id), 1)
  const rankOf = (moment: number, id: number) => rankIn(order, order.length, columns.timestampOf, moment, id)
  return {
    has: (id) => members.has(id),
    countByCode,
    bytes: () => 64 * members.size + 256,
    ranked: { at: (rank) => order[rank] ?? 0, size: () => order.length, rankOf, exact: true },
    remove: (id, previousCode) => {
      if (!members.delete(id)) return
      order.splice(order.indexOf(id), 1)
      count(previousCode, -1)
    },
    add: (id) => {
      if (columns.codeOf(id) === 0 || members.has(id)) return
      order.splice(rankOf(columns.timestampOf(id), id), 0, id)
      members.add(id)
      count(columns.codeOf(id), 1)
    },
  }
}

/** The listed feeds among these. */
export const resultSetOf = (columns: FeedColumns, ids: readonly number[], maxSorted = MAX_SORTED): ResultSet => {
  const listed = ids.filter((id) => columns.codeOf(id) !== 0)
  return listed.length > maxSorted ? bitSet(columns, listed) : sortedSet(columns, listed)
}

/** All listed feeds. */
export const allFeeds = (columns: FeedColumns): FeedSet => ({
  has: (id) => columns.codeOf(id) !== 0,
  countByCode: columns.countByCode,
  ranked: { at: columns.at, size: columns.size, rankOf: columns.rankOf, exact: true },
})

/** Ids of the set, oldest first. */
export const idsOf = ({ has, ranked }: FeedSet): number[] => {
  const ids: number[] = []
  for (let rank = 0; rank < ranked.size(); rank++) {
    const id = ranked.at(rank)
    if (ranked.exact || has(id)) ids.push(id)
  }
  return ids
}

const sizeOf = ({ countByCode }: FeedSet): number => countByCode.values().reduce((sum, n) => sum + n, 0)

export const intersection = (columns: FeedColumns, sets: readonly FeedSet[]): FeedSet => {
  const [first, ...others] = sets.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  if (!first) return allFeeds(columns)
  if (others.length === 0) return first
  return resultSetOf(
    columns,
    idsOf(first).filter((id) => others.every((other) => other.has(id))),
  )
}
