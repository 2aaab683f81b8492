import { CULTURES } from '../names.ts'
import type { Names } from '../people.ts'
import { createRandom, createWeights, mix, type Random, searchSums } from '../random.ts'
import type { SpaceProfile } from '../spaces.ts'
import { TOPICS } from '../text/data.ts'
import type { Language } from '../text/types.ts'
import { SPAN } from '../timeline.ts'

/** Who is where since when, in beats. Members and spaces are numbered in the order in which they came. */
export interface Society {
  memberSince: Uint32Array
  /** How much they do; a few do most. */
  activity: Float64Array
  activitySums: Float64Array
  spaceSince: Uint32Array
  popularity: Float64Array
  creators: Int32Array
  /** The members of space s stand at start[s]…start[s + 1] - 1, in the order in which they joined it. */
  start: Int32Array
  member: Int32Array
  since: Uint32Array
  role: Uint8Array
  sums: Float64Array
}

export const ROLES = ['member', 'moderator', 'admin'] as const
const MOST_SPACES = 60
const LEAST_MEMBERS = 6

export function createSociety(names: Names, spaces: SpaceProfile[], seed: number): Society {
  const random = createRandom(mix(seed, 0x50c1e))
  const count = names.usernames.length
  const memberSince = joinBeats(count, random)
  const activity = Float64Array.from({ length: count }, () => Math.min(random.pareto(1.5), 14))
  const activitySums = runningSums(activity)
  const spaceSince = Uint32Array.from(spaces, (_, index) => Math.floor(SPAN * 0.85 * (index / spaces.length) ** 1.7) + 600)
  const popularity = popularities(spaces, random)
  const joined = joinSpaces(names, spaces, { memberSince, activity, spaceSince, popularity }, random)

  const start = new Int32Array(spaces.length + 1)
  const total = joined.reduce((sum, list) => sum + list.length, 0)
  const member = new Int32Array(total)
  const since = new Uint32Array(total)
  const role = new Uint8Array(total)
  const sums = new Float64Array(total)
  const creators = new Int32Array(spaces.length)
  let at = 0
  let sum = 0
  for (let space = 0; space < spaces.length; space++) {
    start[space] = at
    // the creator has been there from the first beat and sorts first
    const list = joined[space]!.sort((a, b) => a.since - b.since || a.member - b.member)
    creators[space] = list[0]!.member
    for (const [rank, each] of list.entries()) {
      member[at] = each.member
      since[at] = each.since
      role[at] = rank === 0 ? 2 : rank <= Math.min(4, list.length / 60) ? 1 : 0
      sum += activity[each.member]! * (rank === 0 ? 1.5 : 1)
      sums[at] = sum
      at++
    }
  }
  start[spaces.length] = at
  return { memberSince, activity, activitySums, spaceSince, popularity, creators, start, member, since, role, sums }
}

/** A few founders, then growth: twice as many a month in the end as in the beginning. */
function joinBeats(count: number, random: Random): Uint32Array {
  const founders = Math.max(1, Math.min(8, Math.round(count * 0.03)))
  return Uint32Array.from({ length: count }, (_, index) => {
    if (index < founders) return index * 30
    const share = (index - founders + random.float()) / (count - founders)
    return Math.max(founders * 30, Math.floor(SPAN * 0.998 * (Math.sqrt(1 + 3 * share) - 1)))
  })
}

function popularities(spaces: SpaceProfile[], random: Random): Float64Array {
  return Float64Array.from(spaces, ({ privacy, topic }, index) => {
    const rank = (1 + index * 0.6) * Math.exp(random.gaussian() * 0.3)
    const door = privacy === 'public' ? 1 : privacy === 'private' ? 0.35 : 0.12
    return (door * (TOPICS[topic]!.language === 'en' ? 1 : 0.5)) / rank ** 0.85
  })
}

interface Joining {
  member: number
  since: number
}

function joinSpaces(
  names: Names,
  spaces: SpaceProfile[],
  { memberSince, activity, spaceSince, popularity }: Pick<Society, 'memberSince' | 'activity' | 'spaceSince' | 'popularity'>,
  random: Random,
): Joining[][] {
  const count = memberSince.length
  const joined: Joining[][] = spaces.map(() => [])
  const inside = spaces.map(() => new Uint8Array(count))
  const languages = spaces.map(({ topic }) => TOPICS[topic]!.language)
  const tastes = new Map(
    [...new Set(CULTURES.map(({ language }) => language))].map((language) => [
      language,
      createWeights(popularity.map((weight, space) => weight * tasteFor(language, languages[space]!))),
    ]),
  )

  const join = (member: number, space: number, at?: number) => {
    if (inside[space]![member]) return false
    inside[space]![member] = 1
    const earliest = Math.max(memberSince[member]!, spaceSince[space]!)
    const later = earliest + Math.floor(random.exponential(random.chance(0.6) ? 7200 : 30 * 86_400))
    joined[space]!.push({ member, since: at ?? (later < SPAN ? later : earliest + Math.floor(random.float() * (SPAN - earliest))) })
    return true
  }

  for (let space = 0; space < spaces.length; space++) {
    const present = Math.max(1, memberSince.findLastIndex((since) => since <= spaceSince[space]!) + 1)
    const own = Array.from({ length: 40 }, () => random.zipf(present)).find((each) => speaks(names, each, languages[space]!))
    join(own ?? random.zipf(present), space, spaceSince[space]!)
  }
  for (let member = 0; member < count; member++) {
    const wanted = Math.min(MOST_SPACES, spaces.length, Math.round(0.5 + 1.3 * activity[member]! ** 0.7 * random.pareto(1.6)))
    const taste = tastes.get(CULTURES[names.cultures[member]!]!.language)!
    for (let tries = 0, got = 0; got < wanted && tries < wanted * 12; tries++) if (join(member, taste.pick(random), undefined)) got++
  }
  // a space with nobody in it would be a monologue
  for (let space = 0; space < spaces.length; space++) {
    for (let tries = 0; joined[space]!.length < Math.min(LEAST_MEMBERS, count) && tries < count * 20; tries++) {
      const member = random.int(0, count - 1)
      if (tries >= count * 10 || speaks(names, member, languages[space]!)) join(member, space)
    }
  }
  return joined
}

export const speaks = (names: Names, member: number, language: Language) => CULTURES[names.cultures[member]!]!.language === language

const tasteFor = (own: string, space: string) => (own === space ? (own === 'en' ? 1 : 9) : space === 'en' ? 1 : 0.03)

function runningSums(weights: Float64Array): Float64Array {
  let sum = 0
  return weights.map((weight) => (sum += weight))
}

/** How many of the space's members (-1: of the community) had joined at this beat. */
export function presentAt(society: Society, space: number, beat: number): number {
  const list = space < 0 ? society.memberSince : society.since
  const from = space < 0 ? 0 : society.start[space]!
  let low = from
  let high = space < 0 ? list.length : society.start[space + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! <= beat) low = middle + 1
    else high = middle
  }
  return low - from
}

export const sizeOf = (society: Society, space: number) =>
  space < 0 ? society.memberSince.length : society.start[space + 1]! - society.start[space]!

/** A member of the space (-1: of the community) among the first `present`, by rank there; the busy ones more often. */
export function pickRank(society: Society, space: number, present: number, u: number): number {
  if (space < 0) return searchSums(society.activitySums, 0, present, u)
  const from = society.start[space]!
  return searchSums(society.sums, from, from + present, u) - from
}

export const memberOf = (society: Society, space: number, rank: number) =>
  space < 0 ? rank : society.member[society.start[space]! + rank]!

/** The beat at which the member of this rank joined. */
export const sinceOf = (society: Society, space: number, rank: number) =>
  space < 0 ? society.memberSince[rank]! : society.since[society.start[space]! + rank]!

export const pickMember = (society: Society, space: number, present: number, u: number) =>
  memberOf(society, space, pickRank(society, space, present, u))
