import { type Client, createClient } from '@lyceum/sdk'
import { invite, knownPeople, type People, type Person, remember } from './people.ts'
import { lyceum, type Place } from './server.ts'

export type { People, Person } from './people.ts'

const MOST_SPACES = 60
/** Other members who are added to the spaces of the busy member, so that they can post there. */
const WRITERS = 190

export const clientOf = (base: string, { username, password }: Person): Client => createClient({ baseUrl: base, username, password })

const demo = (posts: number) => {
  const sizes = {
    members: Math.min(100_000, Math.max(10_000, posts / 10)),
    spaces: posts < 100_000 ? 100 : 500,
    posts,
    comments: posts * 3,
    reactions: posts * 5,
    courses: posts < 100_000 ? 6 : 200,
    seed: 1,
  }
  return Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)])
}

/** Fills an empty data directory with the command line; one that is already filled is reused. */
export const fill = async (place: Place, posts: number): Promise<People> => {
  const known = await knownPeople(place, posts)
  if (known) return known
  const started = Date.now()
  await lyceum(place, 'demo', ...demo(posts))
  process.stderr.write(`  filled in ${Math.round((Date.now() - started) / 1000)} s\n`)
  const people = await invite(place)
  await remember(place, people, posts)
  return people
}

/** Adds all members to 60 spaces, or to all if there are fewer. Returns their ids. */
const enrol = async (admin: Client, { members, crowd }: People) => {
  const { spaces } = await admin.spaces.list({ per_page: MOST_SPACES })
  const user_ids = [...members, ...crowd.slice(0, WRITERS)].map(({ id }) => id)
  for (const { slug } of spaces) await admin.spaceMembers.bulkAdd({ space_slug: slug, user_ids })
  return new Set<number | null>(spaces.map(({ id }) => id))
}

const NEWEST = 100
const COMMENTS = 50

/** A feed with at least fifty comments: a popular one, or the newest one after adding comments. */
const commentedFeed = async (busy: Client, newest: number): Promise<number> => {
  for (let page = 1; page <= 5; page++) {
    const { feeds } = await busy.feeds.list({ order_by_type: 'popular', per_page: 100, page })
    const found = feeds.data.find((feed) => feed.comments_count >= COMMENTS)
    if (found) return found.id
  }
  for (let i = 0; i < COMMENTS; i++) await busy.comments.create({ feed_id: newest, comment: `Comment ${i} of a long conversation.` })
  return newest
}

/** Creates notifications, bookmarks and feeds: more than one page of ten. */
const liveliness = async (base: string, { members, crowd }: People, busy: Client, feeds: readonly number[], space_id: number) => {
  const [, ...others] = members
  for (const [i, feed_id] of feeds.slice(0, 30).entries()) {
    await busy.reactions.toFeed({ feed_id, react_type: 'bookmark' })
    const { data } = await busy.feeds.create({ title: `Question ${i}`, message: 'What do you think about it?', space_id })
    for (const who of [others[i % others.length], crowd[i]])
      if (who) await clientOf(base, who).comments.create({ feed_id: data.id, comment: 'Let us try it.' })
  }
}

const WANTED_HITS = [10, 1000, 100_000] as const
const SAMPLES = 400

/** For each size, the word whose number of hits is closest. */
const searchWords = async (busy: Client, texts: readonly string[]): Promise<SearchWord[]> => {
  const words = [...new Set(texts.flatMap((text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []))].sort().slice(0, SAMPLES)
  const found: SearchWord[] = []
  for (const word of words) {
    const { feeds } = await busy.feeds.list({ search: word, per_page: 1 })
    if (feeds.total > 0) found.push({ word, hits: feeds.total })
  }
  const distance = (hits: number, wanted: number) => Math.abs(Math.log(hits / wanted))
  return WANTED_HITS.map((wanted) => {
    const [best] = found.toSorted((a, b) => distance(a.hits, wanted) - distance(b.hits, wanted))
    if (!best) throw new Error('no word found')
    return best
  })
}

const DEEP_PAGE = 10_000

/** The cursor of this page of ten; undefined if there are fewer pages. */
const cursorOf = async (busy: Client, page: number): Promise<string | undefined> => {
  let cursor: string | undefined
  for (let passed = 0; passed < (page - 1) * 10; passed += 100) {
    const { feeds } = await busy.feeds.list({ per_page: 100, ...(cursor && { cursor }) })
    if (!feeds.next_cursor) return undefined
    cursor = feeds.next_cursor
  }
  return cursor
}

export interface SearchWord {
  readonly word: string
  readonly hits: number
}

/** Objects that the scenarios request. */
export interface Subjects {
  readonly total: number
  readonly feed: number
  readonly commented: number
  /** The newest feeds in spaces, and those spaces. */
  readonly feeds: readonly number[]
  readonly spaces: readonly number[]
  /** Words with about 10, 1,000 and 100,000 hits, or the closest ones. */
  readonly words: readonly SearchWord[]
  readonly deepCursor: string | undefined
  /** Other members who can post in these spaces. */
  readonly writers: readonly Person[]
}

/** Adds the members to the spaces and selects the objects to request with the API. */
export const arrange = async (base: string, people: People): Promise<Subjects> => {
  const { admin, members, crowd } = people
  const [first] = members
  if (!first) throw new Error('nobody is there')
  const places = await enrol(clientOf(base, admin), people)
  const busy = clientOf(base, first)
  const { feeds } = await busy.feeds.list({ per_page: NEWEST })
  const newest = feeds.data.filter((feed) => places.has(feed.space_id))
  const ids = newest.map((feed) => feed.id)
  const [one] = ids
  const spaces = [...new Set(newest.map((feed) => feed.space_id ?? 0))]
  if (one === undefined || spaces[0] === undefined) throw new Error('there are no feeds')
  await liveliness(base, people, busy, ids, spaces[0])
  return {
    total: feeds.total,
    // Without a survey, since surveys depend on the caller and few feeds have one.
    feed: newest.find((feed) => feed.content_type !== 'survey' && feed.comments_count > 1 && feed.reactions_count > 2)?.id ?? one,
    commented: await commentedFeed(busy, one),
    feeds: ids,
    spaces,
    words: await searchWords(
      busy,
      feeds.data.map((feed) => feed.message),
    ),
    deepCursor: await cursorOf(busy, DEEP_PAGE),
    writers: crowd.slice(0, WRITERS),
  }
}
