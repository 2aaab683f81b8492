import type { Random } from '../random.ts'
import { orderByBeat, total } from './allocate.ts'
import { lag } from './comments.ts'
import { memberOf, pickRank, presentAt, type Society, sinceOf, sizeOf } from './membership.ts'

/** Interactions of members with objects, at most one per member and object: reactions, bookmarks, votes. In the order of time. */
export interface Interactions {
  count: number
  beat: Uint32Array
  user: Int32Array
  /** Index of the object. */
  object: Int32Array
}

export interface InteractionTargets {
  counts: Int32Array
  /** -1: seen by everybody. */
  space: (index: number) => number
  beat: (index: number) => number
  /** Never interacts with it; -1 where anybody may. */
  author: (index: number) => number
}

/** How many members may interact with the object. */
export const room = (society: Society, space: number, author: number) => Math.max(0, sizeOf(society, space) - (author < 0 ? 0 : 1))

export function createInteractions(society: Society, groups: InteractionTargets[], medianLag: number, random: Random): Interactions {
  const count = groups.reduce((sum, { counts }) => sum + total(counts), 0)
  const draft = { beat: new Uint32Array(count), user: new Int32Array(count), object: new Int32Array(count) }
  // the last object that each member has interacted with, plus one
  const stamps = new Int32Array(society.memberSince.length)
  let at = 0
  let offset = 0
  for (const { counts, space, beat, author } of groups) {
    for (let index = 0; index < counts.length; index++) {
      const wanted = counts[index]!
      if (wanted === 0) continue
      const where = space(index)
      const start = beat(index)
      const stamp = offset + index + 1
      const own = author(index)
      if (own >= 0) stamps[own] = stamp
      const size = sizeOf(society, where)
      const present = presentAt(society, where, start)
      for (let got = 0, tries = 0; got < wanted; tries++) {
        const among = random.chance(0.85) ? present : size
        const rank =
          tries < wanted * 5 + 10 ? pickRank(society, where, among, random.float()) : freeRank(society, where, size, stamps, stamp, random)
        const user = memberOf(society, where, rank)
        if (stamps[user] === stamp) continue
        stamps[user] = stamp
        const earliest = Math.max(start, sinceOf(society, where, rank))
        draft.user[at] = user
        draft.object[at] = offset + index
        draft.beat[at] = earliest + Math.floor(lag(earliest, medianLag, 1.8, random))
        got++
        at++
      }
    }
    offset += counts.length
  }
  return inOrder(draft)
}

/** From a random place on, the first who has not interacted yet. */
function freeRank(society: Society, space: number, size: number, stamps: Int32Array, stamp: number, random: Random): number {
  const from = random.int(0, size - 1)
  for (let step = 0; step < size; step++) {
    const rank = (from + step) % size
    if (stamps[memberOf(society, space, rank)] !== stamp) return rank
  }
  throw new Error('more interactions than members')
}

/** Puts interactions into the order of time. */
export function inOrder({ beat, user, object }: Omit<Interactions, 'count'>): Interactions {
  const count = beat.length
  const order = orderByBeat(beat)
  const interactions: Interactions = { count, beat: new Uint32Array(count), user: new Int32Array(count), object: new Int32Array(count) }
  for (let i = 0; i < count; i++) {
    const from = order[i]!
    interactions.beat[i] = beat[from]!
    interactions.user[i] = user[from]!
    interactions.object[i] = object[from]!
  }
  return interactions
}
