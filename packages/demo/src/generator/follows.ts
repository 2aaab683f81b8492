import { createRandom, mix } from '../random.ts'
import { SPAN } from '../timeline.ts'
import { allocate, total } from './allocate.ts'
import { type Interactions, inOrder } from './interactions.ts'
import { pickRank, type Society } from './membership.ts'

/** Follows for each member on average, before those that are returned. */
const A_HEAD = 5
const RETURNED = 0.25
/** Nobody is followed by a greater part of the community. */
const MOST_OF_ALL = 0.4

/**
 * Who follows whom: the objects are the followed. A few whom everybody knows have most of the followers, and the busy follow most;
 * some follow back.
 */
export function createFollows(society: Society, seed: number): Interactions {
  const random = createRandom(mix(seed, 0xf0110))
  const size = society.memberSince.length
  const fame = Float64Array.from(society.activity, (activity) => activity * Math.min(random.pareto(1.2), 200))
  const counts = allocate(fame, size > 1 ? size * A_HEAD : 0, () => Math.floor((size - 1) * MOST_OF_ALL), random)

  const pairs = new Set<number>()
  const most = total(counts) * 2
  const draft = { beat: new Uint32Array(most), user: new Int32Array(most), object: new Int32Array(most) }
  const follow = (user: number, object: number, earliest: number): number => {
    const pair = user * size + object
    if (user === object || pairs.has(pair)) return -1
    const at = pairs.size
    pairs.add(pair)
    draft.user[at] = user
    draft.object[at] = object
    draft.beat[at] = earliest + Math.floor((SPAN - 1 - earliest) * random.float() ** 1.4)
    return draft.beat[at]
  }
  for (let object = 0; object < size; object++) {
    for (let got = 0, tries = 0; got < counts[object]! && tries < counts[object]! * 10 + 10; tries++) {
      const user = pickRank(society, -1, size, random.float())
      const beat = follow(user, object, Math.max(society.memberSince[user]!, society.memberSince[object]!))
      if (beat < 0) continue
      got++
      if (random.chance(RETURNED)) follow(object, user, beat)
    }
  }
  const count = pairs.size
  return inOrder({ beat: draft.beat.slice(0, count), user: draft.user.slice(0, count), object: draft.object.slice(0, count) })
}
