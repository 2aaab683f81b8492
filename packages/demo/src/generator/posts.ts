import { CULTURES } from '../names.ts'
import type { Names } from '../people.ts'
import { createRandom, createWeights, mix, type Random } from '../random.ts'
import type { SpaceProfile } from '../spaces.ts'
import { TOPICS } from '../text/data.ts'
import { KINDS, type Kind, type Language } from '../text/types.ts'
import { kindWeights } from '../text.ts'
import { SPAN } from '../timeline.ts'
import { memberOf, pickMember, presentAt, type Society } from './membership.ts'

/** Everything about the posts but their words, in the order of time. */
export interface Posts {
  count: number
  beat: Uint32Array
  author: Int32Array
  /** -1: in no space. */
  space: Int32Array
  topic: Uint8Array
  /** Index into KINDS. */
  kind: Uint8Array
  /** How much attention it draws, about 1. */
  appeal: Float32Array
}

/** The community is open for this long before the first post. */
const FIRST = 3600
/** Nobody has posted for this long: there must be time for an answer. */
const LAST = SPAN - 900
const WITHOUT_SPACE = 0.04

export function createPosts(count: number, names: Names, spaces: SpaceProfile[], society: Society, seed: number): Posts {
  const random = createRandom(mix(seed, 0x90575))
  const posts: Posts = {
    count,
    beat: new Uint32Array(count),
    author: new Int32Array(count),
    space: new Int32Array(count),
    topic: new Uint8Array(count),
    kind: new Uint8Array(count),
    appeal: new Float32Array(count),
  }
  const popular = createWeights(society.popularity)
  const kinds = TOPICS.map((topic) => {
    const { kinds: list, weights } = kindWeights(topic)
    return { list: list.map((kind) => KINDS.indexOf(kind)), weights: createWeights(weights) }
  })
  const introduced = new Uint8Array(society.memberSince.length)
  let open = 0
  for (let i = 0; i < count; i++) {
    const beat = FIRST + Math.floor((LAST - FIRST) * growth((i + random.float()) / count))
    while (open < spaces.length && society.spaceSince[open]! <= beat) open++
    const space = open === 0 || random.chance(WITHOUT_SPACE) ? -1 : popular.pick(random, open)
    const present = presentAt(society, space, beat)
    let author = pickMember(society, space, present, random.float())
    const topic = topicFor(space < 0 ? null : spaces[space]!, languageOf(names, author), random)
    const { list, weights } = kinds[topic]!
    let kind = list[weights.pick(random)]!
    if (KINDS[kind] === 'announcement') {
      if (space < 0) kind = STATUS
      else author = memberOf(society, space, random.int(0, Math.min(staffOf(society, space), present) - 1))
    }
    if (KINDS[kind] === 'hello') {
      const newcomer = memberOf(society, space, Math.max(0, present - random.int(1, 3)))
      if (introduced[newcomer] || languageOf(names, newcomer) !== TOPICS[topic]!.language) kind = STATUS
      else author = newcomer
      introduced[newcomer] = 1
    }
    posts.beat[i] = beat
    posts.author[i] = author
    posts.space[i] = space
    posts.topic[i] = topic
    posts.kind[i] = kind
    posts.appeal[i] = Math.exp(random.gaussian())
  }
  return posts
}

const STATUS = KINDS.indexOf('status')

export const kindOf = (posts: Posts, index: number): Kind => KINDS[posts.kind[index]!]!

/** Moderators and the creator stand first in a space. */
function staffOf(society: Society, space: number): number {
  let count = 0
  for (let at = society.start[space]!; at < society.start[space + 1]! && society.role[at]! > 0; at++) count++
  return count
}

/** At 3/10 of the final rate from the start, growing linearly. */
const growth = (share: number) => (-0.3 + Math.sqrt(0.09 + 2.8 * share)) / 1.4

const languageOf = (names: Names, member: number) => CULTURES[names.cultures[member]!]!.language

const byLanguage = new Map<Language, number[]>()
for (const [index, { language }] of TOPICS.entries()) byLanguage.set(language, [...(byLanguage.get(language) ?? []), index])
const LOUNGE = TOPICS.findIndex(({ key }) => key === 'lounge')

/** In a space its own topic; outside, and now and then in a lounge, people speak their own language. */
function topicFor(space: SpaceProfile | null, language: Language, random: Random): number {
  const own = language === 'en' ? LOUNGE : random.pick(byLanguage.get(language)!)
  if (!space) return own
  return space.topic === LOUNGE && random.chance(0.2) ? own : space.topic
}
