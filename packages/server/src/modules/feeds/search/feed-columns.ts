import { OTHER_KINDS } from '../feed-row.ts'

/** The properties of a feed that lists filter by: space (0: outside of spaces), privacy, kind, and whether it has comments. */
export interface FeedFacet {
  readonly space_id: number
  readonly privacy: 'public' | 'private'
  /** Null: a plain feed. */
  readonly kind: string | null
  readonly answered: boolean
}

export interface ListedFeed {
  readonly id: number
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
  readonly published_at: string
  readonly type: string
  readonly comments_count: number
}

const INITIAL_SIZE = 1024

const grownTo = <A extends Int32Array | Float64Array>(array: A, size: number, make: (size: number) => A): A => {
  if (size <= array.length) return array
  const larger = make(Math.max(size, array.length * 2))
  larger.set(array)
  return larger
}

const KINDS = [null, ...OTHER_KINDS]

const ints = (size: number) => new Int32Array(size)
const doubles = (size: number) => new Float64Array(size)

/** Converts a stored datetime to a number with the same order. */
export const timestampOf = (datetime: string): number => Date.parse(`${datetime.replace(' ', 'T')}Z`)

/** The number of feeds in `order` before that time, or at that time with a lower id. */
export const rankIn = (
  order: Readonly<ArrayLike<number>>,
  size: number,
  timestampOfFeed: (id: number) => number,
  timestamp: number,
  id: number,
): number => {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = order[middle] ?? 0
    const time = timestampOfFeed(other)
    if (time < timestamp || (time === timestamp && other < id)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * All listed feeds in memory, oldest first, with the facet of each: 16 bytes per feed. Facets are numbered from 1; code 0 means that the
 * feed is not listed.
 */
export const createFeedColumns = () => {
  let codes = ints(INITIAL_SIZE)
  let timestamps = doubles(INITIAL_SIZE)
  let order = ints(INITIAL_SIZE)
  let size = 0
  const facets: FeedFacet[] = []
  const codeOfFacet = new Map<number, number>()
  const countByCode = new Map<number, number>()

  const codeFor = (facet: FeedFacet): number => {
    const location = facet.space_id * 2 + (facet.privacy === 'private' ? 1 : 0)
    const key = (location * KINDS.length + KINDS.indexOf(facet.kind)) * 2 + (facet.answered ? 1 : 0)
    const known = codeOfFacet.get(key)
    if (known !== undefined) return known
    const code = facets.push(facet)
    codeOfFacet.set(key, code)
    return code
  }

  const setCode = (id: number, code: number) => {
    const was = codes[id] ?? 0
    if (was !== 0) countByCode.set(was, (countByCode.get(was) ?? 0) - 1)
    if (code !== 0) countByCode.set(code, (countByCode.get(code) ?? 0) + 1)
    codes[id] = code
  }

  const timeOf = (id: number): number => timestamps[id] ?? 0
  const rankOf = (timestamp: number, id: number): number => rankIn(order, size, timeOf, timestamp, id)

  const codeOf = (id: number): number => codes[id] ?? 0

  const remove = (id: number) => {
    if (codeOf(id) === 0) return
    const rank = rankOf(timeOf(id), id)
    order.copyWithin(rank, rank + 1, size)
    size -= 1
    setCode(id, 0)
  }

  return {
    codeOf,
    take: remove,
    rankOf,
    insert: ({ id, space_id, privacy, published_at, type, comments_count }: ListedFeed) => {
      remove(id)
      const timestamp = timestampOf(published_at)
      codes = grownTo(codes, id + 1, ints)
      timestamps = grownTo(timestamps, id + 1, doubles)
      order = grownTo(order, size + 1, ints)
      const rank = rankOf(timestamp, id)
      order.copyWithin(rank + 1, rank, size)
      order[rank] = id
      size += 1
      timestamps[id] = timestamp
      const kind = OTHER_KINDS.includes(type) ? type : null
      setCode(id, codeFor({ space_id: space_id ?? 0, privacy, kind, answered: comments_count > 0 }))
    },
    /** Changes part of the facet of a listed feed. */
    update: (id: number, more: Partial<Pick<FeedFacet, 'kind' | 'answered'>>) => {
      const facet = facets[codeOf(id) - 1]
      if (facet) setCode(id, codeFor({ ...facet, ...more }))
    },
    /** Number of feeds with each facet code. */
    countByCode: countByCode as ReadonlyMap<number, number>,
    timestampOf: timeOf,
    at: (rank: number): number => order[rank] ?? 0,
    size: () => size,
    /** Higher than every listed id. */
    idLimit: () => codes.length,
    facets: (): readonly FeedFacet[] => facets,
  }
}

export type FeedColumns = ReturnType<typeof createFeedColumns>
