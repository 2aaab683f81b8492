import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@lyceum/sdk'
import { lyceum, type Place } from './server.ts'

export interface Person {
  readonly id: number
  readonly username: string
  readonly password: string
}

/** Who takes part in the measurements. The first of the members is the busy one. */
export interface People {
  readonly admin: Person
  readonly members: readonly Person[]
}

const MEMBERS = 8
const MOST_SPACES = 60

const clientOf = (base: string, { username, password }: Person): Client => createClient({ baseUrl: base, username, password })

const create = async (place: Place, username: string, role: 'admin' | 'member'): Promise<Person> => {
  const who = ['--username', username, '--email', `${username}@bench.example`, '--password', 'a benchmark at noon', '--role', role]
  const { id } = JSON.parse(await lyceum(place, 'user', 'create', ...who, '--json')) as { id: number }
  const password = (await lyceum(place, 'user', 'app-password', username, '--name', 'benchmark')).trim()
  return { id, username, password }
}

const demo = (posts: number) => {
  const sizes = { members: 1000, spaces: 40, posts, comments: posts * 3, reactions: posts * 5, seed: 1 }
  return Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)])
}

const RECORD = 'bench.json'

/** Fills an empty place through the command line; a data directory that a former run has filled is taken as it is. */
export const fill = async (place: Place, posts: number): Promise<People> => {
  const file = join(place.dataDir, RECORD)
  if (existsSync(file)) {
    const known = JSON.parse(await readFile(file, 'utf8')) as People & { posts: number }
    if (known.posts !== posts)
      throw new Error(`${place.dataDir} holds ${known.posts} posts, not ${posts}: remove it, or say --posts ${known.posts}`)
    return known
  }
  await lyceum(place, 'demo', ...demo(posts))
  const admin = await create(place, 'bench-admin', 'admin')
  const members: Person[] = []
  for (let i = 1; i <= MEMBERS; i++) members.push(await create(place, `bench-${i}`, 'member'))
  await writeFile(file, JSON.stringify({ posts, admin, members }), { mode: 0o600 })
  return { admin, members }
}

/** Makes everybody a member of 60 spaces, or of all there are. */
const enrol = async (admin: Client, members: readonly Person[]) => {
  const { spaces } = await admin.spaces.list({ per_page: MOST_SPACES })
  for (const { slug } of spaces) await admin.spaceMembers.bulkAdd({ space_slug: slug, user_ids: members.map(({ id }) => id) })
}

const NEWEST = 20
const COMMENTS = 50

/** A feed with at least fifty comments: one of the most popular, else the newest one is commented on. */
const commentedFeed = async (busy: Client, newest: number): Promise<number> => {
  for (let page = 1; page <= 5; page++) {
    const { feeds } = await busy.feeds.list({ order_by_type: 'popular', per_page: 100, page })
    const found = feeds.data.find((feed) => feed.comments_count >= COMMENTS)
    if (found) return found.id
  }
  for (let i = 0; i < COMMENTS; i++) await busy.comments.create({ feed_id: newest, comment: `Comment ${i} of a long conversation.` })
  return newest
}

const FEWEST_HITS = 5
const MOST_HITS = 0.02
const SEARCHES = 6

/** Words of these texts that are in some feeds: at least five, at most two in a hundred. */
const searchWords = async (busy: Client, texts: readonly string[], total: number): Promise<string[]> => {
  const words = new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z]{5,}/g) ?? []))
  const found: string[] = []
  for (const word of [...words].sort()) {
    const { feeds } = await busy.feeds.list({ search: word, per_page: 1 })
    if (feeds.total >= FEWEST_HITS && feeds.total <= Math.max(FEWEST_HITS * 4, total * MOST_HITS)) found.push(word)
    if (found.length === SEARCHES) return found
  }
  throw new Error(`only ${found.length} words were found that occur in some of the feeds`)
}

/** What the scenarios ask for. */
export interface Subjects {
  readonly total: number
  readonly feed: number
  readonly commented: number
  /** The newest feeds in spaces, and those spaces. */
  readonly feeds: readonly number[]
  readonly spaces: readonly number[]
  readonly words: readonly string[]
}

/** Lets the members in, and looks through the API for what is to be asked for. */
export const arrange = async (base: string, { admin, members }: People): Promise<Subjects> => {
  const [first] = members
  if (!first) throw new Error('nobody is there')
  await enrol(clientOf(base, admin), members)
  const busy = clientOf(base, first)
  const { feeds } = await busy.feeds.list({ per_page: 100 })
  const newest = feeds.data.filter((feed) => feed.space_id !== null).slice(0, NEWEST)
  const ids = newest.map((feed) => feed.id)
  const [one] = ids
  if (one === undefined) throw new Error('there are no feeds')
  return {
    total: feeds.total,
    // An ordinary one: a survey is told to each caller in another way, and few feeds have one.
    feed: newest.find((feed) => feed.content_type !== 'survey' && feed.comments_count > 1 && feed.reactions_count > 2)?.id ?? one,
    commented: await commentedFeed(busy, one),
    feeds: ids,
    spaces: [...new Set(newest.map((feed) => feed.space_id ?? 0))],
    words: await searchWords(
      busy,
      feeds.data.map((feed) => feed.message),
      feeds.total,
    ),
  }
}
