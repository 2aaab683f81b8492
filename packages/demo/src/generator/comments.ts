import type { Names } from '../people.ts'
import { createRandom, mix, type Random } from '../random.ts'
import { TOPICS } from '../text/data.ts'
import type { Kind } from '../text/types.ts'
import { SPAN } from '../timeline.ts'
import { allocate, orderByBeat, total } from './allocate.ts'
import { pickMember, presentAt, type Society, speaks } from './membership.ts'
import { kindOf, type Posts } from './posts.ts'

/** Everything about the comments but their words, in the order of time. */
export interface Comments {
  count: number
  beat: Uint32Array
  post: Int32Array
  author: Int32Array
  /** A top-level comment of the same post, or -1. */
  parent: Int32Array
  /** How many comments of the post came before. */
  ordinal: Uint16Array
}

const TALK: Record<Kind, number> = {
  thread: 2.6,
  poll: 1.6,
  opinion: 1.5,
  question: 1.4,
  event: 1.3,
  hello: 1.3,
  code: 1.3,
  story: 0.9,
  show: 0.9,
  tips: 0.8,
  announcement: 0.8,
  table: 0.7,
  status: 0.6,
  trade: 0.6,
  link: 0.5,
}
const LONGEST_THREAD = 120
const REPLIES = 0.34
const MOST_TRIES = 60

export function commentCounts(posts: Posts, society: Society, wanted: number, seed: number): Int32Array {
  const random = createRandom(mix(seed, 0xc0c0))
  const weights = new Float64Array(posts.count)
  for (let i = 0; i < posts.count; i++) {
    const audience = presentAt(society, posts.space[i]!, posts.beat[i]!)
    weights[i] = posts.appeal[i]! * Math.exp(random.gaussian() * 0.8) * TALK[kindOf(posts, i)] * audience ** 0.35 * ripe(posts.beat[i]!)
  }
  const longest = Math.max(LONGEST_THREAD, Math.ceil((wanted / Math.max(1, posts.count)) * 20))
  return allocate(weights, wanted, () => longest, random)
}

/** What was posted within the last days has not been answered by everybody yet. */
export const ripe = (beat: number) => Math.min(1, (SPAN - beat) / (3 * 86_400)) ** 0.6

export function createComments(posts: Posts, counts: Int32Array, names: Names, society: Society, seed: number): Comments {
  const random = createRandom(mix(seed, 0xc033e))
  const count = total(counts)
  const draft = empty(count)
  const lags = new Float64Array(counts.reduce((most, each) => Math.max(most, each), 0))
  let at = 0
  for (let post = 0; post < posts.count; post++) {
    thread(draft, at, counts[post]!, post, { posts, names, society, lags, random })
    at += counts[post]!
  }

  const order = orderByBeat(draft.beat)
  const rank = new Int32Array(count)
  for (let i = 0; i < count; i++) rank[order[i]!] = i
  const sorted = empty(count)
  for (let i = 0; i < count; i++) {
    const from = order[i]!
    sorted.beat[i] = draft.beat[from]!
    sorted.post[i] = draft.post[from]!
    sorted.author[i] = draft.author[from]!
    sorted.parent[i] = draft.parent[from]! < 0 ? -1 : rank[draft.parent[from]!]!
    sorted.ordinal[i] = draft.ordinal[from]!
  }
  return sorted
}

const empty = (count: number): Comments => ({
  count,
  beat: new Uint32Array(count),
  post: new Int32Array(count),
  author: new Int32Array(count),
  parent: new Int32Array(count),
  ordinal: new Uint16Array(count),
})

interface Talk {
  posts: Posts
  names: Names
  society: Society
  /** As long as the longest thread. */
  lags: Float64Array
  random: Random
}

function thread(to: Comments, from: number, count: number, post: number, { posts, names, society, lags, random }: Talk): void {
  if (count === 0) return
  const { language } = TOPICS[posts.topic[post]!]!
  // whoever came into a space knows its language, but not every other one that is spoken in the lounge
  const understands = language === 'en' ? () => true : (member: number) => speaks(names, member, language)
  const author = posts.author[post]!
  const start = posts.beat[post]!
  const space = posts.space[post]!
  for (let i = 0; i < count; i++) lags[i] = lag(start, 9000, 1.7, random)
  const times = lags.subarray(0, count).sort()
  let last = start + 20
  for (let i = 0; i < count; i++) {
    const index = from + i
    const beat = Math.min(SPAN - 1, Math.max(start + Math.floor(times[i]!), last + random.int(5, 40)))
    last = beat
    const parent = i > 0 && random.chance(REPLIES) ? parentFor(to, from, i, random) : -1
    const own = parent >= 0 && random.chance(0.3) && to.author[parent] !== author
    to.beat[index] = beat
    to.post[index] = post
    to.parent[index] = parent
    to.ordinal[index] = i
    const answered = parent >= 0 ? to.author[parent]! : -1
    const present = presentAt(society, space, beat)
    const draw = () => pickMember(society, space, present, random.float())
    to.author[index] = own ? author : someone(draw, (member) => member !== author && member !== answered && understands(member), author)
  }
}

/** Seconds of life between a thing and an answer to it: minutes to days, and never beyond the present. */
export function lag(start: number, median: number, spread: number, random: Random): number {
  const drawn = 40 + median * Math.exp(random.gaussian() * spread)
  const left = SPAN - 1 - start
  return drawn < left ? drawn : Math.min(left, 40 + random.float() * (left - 40))
}

/** One of the latest top-level comments of the thread so far, or -1. */
function parentFor(to: Comments, from: number, before: number, random: Random): number {
  for (let back = 1 + random.zipf(before); back <= before; back++) if (to.parent[from + before - back]! < 0) return from + before - back
  return -1
}

/** The first that suits; when nobody is found, the author goes on talking. */
function someone(draw: () => number, suits: (member: number) => boolean, author: number): number {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const member = draw()
    if (suits(member)) return member
  }
  return author
}
