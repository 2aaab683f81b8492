import { createRandom, createWeights, mix } from '../random.ts'
import type { Kind } from '../text/types.ts'
import { surveyFor } from '../text.ts'
import { allocate, total } from './allocate.ts'
import { type Comments, ripe } from './comments.ts'
import { createInteractions, type Interactions, type InteractionTargets, room } from './interactions.ts'
import { presentAt, type Society } from './membership.ts'
import { kindOf, type Posts } from './posts.ts'

export const REACTIONS = ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] as const
export type ReactionType = (typeof REACTIONS)[number]

export interface Reactions extends Interactions {
  postCounts: Int32Array
  commentCounts: Int32Array
}

const ON_COMMENTS = 0.17
const MEDIAN_LAG = 12_000
const SHARE_OF_BOOKMARKS = 0.12
const VOTES_PER_REACTION = 0.06

/** Objects of the reactions: posts first, then comments. */
export function createReactions(posts: Posts, comments: Comments, society: Society, wanted: number, seed: number): Reactions {
  const random = createRandom(mix(seed, 0x4eac7))
  const postRoom = (post: number) => room(society, posts.space[post]!, posts.author[post]!)
  const commentRoom = (comment: number) => room(society, posts.space[comments.post[comment]!]!, comments.author[comment]!)
  const onPosts = Float64Array.from(posts.beat, (beat, post) => {
    const audience = presentAt(society, posts.space[post]!, beat)
    return posts.appeal[post]! * Math.exp(random.gaussian() * 0.7) * audience ** 0.5 * ripe(beat)
  })
  const onComments = Float64Array.from(
    comments.beat,
    (beat, comment) => posts.appeal[comments.post[comment]!]! * Math.exp(random.gaussian()) * ripe(beat),
  )

  const forComments = comments.count > 0 ? Math.round(wanted * ON_COMMENTS) : 0
  let commentCounts = allocate(onComments, forComments, commentRoom, random)
  const postCounts = allocate(onPosts, wanted - total(commentCounts), postRoom, random)
  const missing = wanted - total(postCounts) - total(commentCounts)
  // where the posts are full, comments take what is left
  if (missing > 0) commentCounts = allocate(onComments, total(commentCounts) + missing, commentRoom, random)

  const groups: InteractionTargets[] = [
    { counts: postCounts, space: (post) => posts.space[post]!, beat: (post) => posts.beat[post]!, author: (post) => posts.author[post]! },
    {
      counts: commentCounts,
      space: (comment) => posts.space[comments.post[comment]!]!,
      beat: (comment) => comments.beat[comment]!,
      author: (comment) => comments.author[comment]!,
    },
  ]
  return { ...createInteractions(society, groups, MEDIAN_LAG, random), postCounts, commentCounts }
}

export function createBookmarks(posts: Posts, society: Society, seed: number): Interactions {
  const random = createRandom(mix(seed, 0xb00c))
  const weights = Float64Array.from(posts.appeal, (appeal, post) => appeal ** 1.3 * (KEEPERS.has(kindOf(posts, post)) ? 3 : 1))
  const anybody = (post: number) => room(society, posts.space[post]!, -1)
  const counts = allocate(weights, Math.round(posts.count * SHARE_OF_BOOKMARKS), anybody, random)
  return createInteractions(society, [{ ...targetsOf(posts), counts }], MEDIAN_LAG * 2, random)
}

const KEEPERS = new Set<Kind>(['tips', 'link', 'table', 'code', 'event'])

/** The objects are posts. */
export function createVotes(posts: Posts, society: Society, reactions: number, seed: number): Interactions {
  const random = createRandom(mix(seed, 0x707e5))
  const weights = Float64Array.from(posts.appeal, (appeal, post) => (kindOf(posts, post) === 'poll' ? 0.3 + Math.sqrt(appeal) : 0))
  const anybody = (post: number) => (weights[post]! > 0 ? room(society, posts.space[post]!, -1) : 0)
  const counts = allocate(weights, Math.round(reactions * VOTES_PER_REACTION), anybody, random)
  return createInteractions(society, [{ ...targetsOf(posts), counts }], MEDIAN_LAG, random)
}

const targetsOf = (posts: Posts) => ({
  space: (post: number) => posts.space[post]!,
  beat: (post: number) => posts.beat[post]!,
  author: () => -1,
})

const PLAIN = createWeights([58, 18, 9, 9, 4, 1])
const FUNNY = createWeights([45, 12, 30, 8, 3, 1])
const PROUD = createWeights([46, 32, 3, 18, 0.5, 0.2])
const HEATED = createWeights([60, 12, 8, 9, 4, 6])
const MOODS: Partial<Record<Kind, ReturnType<typeof createWeights>>> = {
  status: FUNNY,
  story: FUNNY,
  show: PROUD,
  hello: PROUD,
  opinion: HEATED,
}

/** What a reaction to a post of this kind is like; comments get what their post would. */
export function reactionType(kind: Kind, u: number): ReactionType {
  return REACTIONS[(MOODS[kind] ?? PLAIN).at(u)]!
}

/** The options that a vote names: one, or up to three where several are allowed. */
export function votedOptions(topic: number, frame: number, seed: number): { slots: number[]; options: string[] } {
  const { options, allow_multiple } = surveyFor(topic, frame)
  const random = createRandom(seed)
  const favourite = mix(frame, 0xfa) % options.length
  const chosen = new Set<number>()
  const wanted = allow_multiple ? random.int(1, Math.min(3, options.length)) : 1
  while (chosen.size < wanted) chosen.add(random.chance(0.35) ? favourite : random.int(0, options.length - 1))
  const slots = [...chosen].sort((a, b) => a - b)
  return { slots, options: slots.map((slot) => options[slot]!.slug) }
}
