import { OTHER_KINDS } from '../feed-types.ts'

/** What lists tell apart about a feed: whether it stands outside of spaces (0) or in a space, public or private, its kind, and if it is answered. */
export interface FeedFacet {
  readonly space_id: number
  readonly privacy: 'public' | 'private'
  /** Null: plain. */
  readonly kind: string | null
  readonly answered: boolean
}

export interface Listed {
  readonly id: number
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
  readonly published_at: string
  readonly type: string
  readonly comments_count: number
}

const FIRST_SIZE = 1024

const grownTo = <A extends Int32Array | Float64Array>(array: A, size: number, make: (size: number) => A): A => {
  if (size <= array.length) return array
  const larger = make(Math.max(size, array.length * 2))
  larger.set(array)
  return larger
}

const KINDS = [null, ...OTHER_KINDS]

const ints = (size: number) => new Int32Array(size)
const doubles = (size: number) => new Float64Array(size)

/** The moment of a stored datetime as a number that sorts alike. */
export const momentOf = (datetime: string): number => Date.parse(`${datetime.replace(' ', 'T')}Z`)

/**
 * All feeds that lists hold, in memory, oldest first, with the spot of each: sixteen bytes a feed. Spots have codes from 1; 0 is the code of
 * what no list holds.
 */
export const createFeedColumns = () => {
  let codes = ints(FIRST_SIZE)
  let moments = doubles(FIRST_SIZE)
  let order = ints(FIRST_SIZE)
  let size = 0
  const spots: FeedFacet[] = []
  const codeOfSpot = new Map<number, number>()
  const tally = new Map<number, number>()

  const codeFor = (spot: FeedFacet): number => {
    const place = spot.space_id * 2 + (spot.privacy === 'private' ? 1 : 0)
    const key = (place * KINDS.length + KINDS.indexOf(spot.kind)) * 2 + (spot.answered ? 1 : 0)
    const known = codeOfSpot.get(key)
    if (known !== undefined) return known
    const code = spots.push(spot)
    codeOfSpot.set(key, code)
    return code
  }

  const setCode = (id: number, code: number) => {
    const was = codes[id] ?? 0
    if (was !== 0) tally.set(was, (tally.get(was) ?? 0) - 1)
    if (code !== 0) tally.set(code, (tally.get(code) ?? 0) + 1)
    codes[id] = code
  }

  /** How many feeds stand before that moment, or at it with a lower id. */
  const rankOf = (moment: number, id: number): number => {
    let low = 0
    let high = size
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = order[middle] ?? 0
      const time = moments[other] ?? 0
      if (time < moment || (time === moment && other < id)) low = middle + 1
      else high = middle
    }
    return low
  }

  const codeOf = (id: number): number => codes[id] ?? 0

  const take = (id: number) => {
    if (codeOf(id) === 0) return
    const rank = rankOf(moments[id] ?? 0, id)
    order.copyWithin(rank, rank + 1, size)
    size -= 1
    setCode(id, 0)
  }

  return {
    codeOf,
    take,
    rankOf,
    put: ({ id, space_id, privacy, published_at, type, comments_count }: Listed) => {
      take(id)
      const moment = momentOf(published_at)
      codes = grownTo(codes, id + 1, ints)
      moments = grownTo(moments, id + 1, doubles)
      order = grownTo(order, size + 1, ints)
      const rank = rankOf(moment, id)
      order.copyWithin(rank + 1, rank, size)
      order[rank] = id
      size += 1
      moments[id] = moment
      const kind = OTHER_KINDS.includes(type) ? type : null
      setCode(id, codeFor({ space_id: space_id ?? 0, privacy, kind, answered: comments_count > 0 }))
    },
    /** Knows more about a feed that stands here. */
    learn: (id: number, more: Partial<Pick<FeedFacet, 'kind' | 'answered'>>) => {
      const spot = spots[codeOf(id) - 1]
      if (spot) setCode(id, codeFor({ ...spot, ...more }))
    },
    /** How many of each spot's code. */
    tally: tally as ReadonlyMap<number, number>,
    momentOf: (id: number): number => moments[id] ?? 0,
    /** The feed of that rank. */
    at: (rank: number): number => order[rank] ?? 0,
    size: () => size,
    /** Higher than every id that stands here. */
    span: () => codes.length,
    spots: (): readonly FeedFacet[] => spots,
  }
}

export type FeedColumns = ReturnType<typeof createFeedColumns>
