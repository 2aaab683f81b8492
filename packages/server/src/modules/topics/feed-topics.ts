import { type Db, lockRow, noteFeedChange, statement, statementIn } from '../../db/index.ts'
import { offeredIn } from './queries.ts'
import { mostTopics, type TopicRules } from './rules.ts'

/** A topic that a feed carries. */
export interface CarriedTopic {
  readonly feed_id: number
  readonly position: number
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly status: 'active' | 'inactive'
}

const byFeeds = statementIn<CarriedTopic>(
  (list) => `select c.feed_id, c.position, t.id, t.title, t.slug, t.status from feed_topics c join topics t on t.id = c.topic_id
    where c.feed_id in (${list(1)})`,
)
const ofFeed = statement<{ topic_id: number }>('select topic_id from feed_topics where feed_id = $1 order by position, topic_id')
const put = statement(
  `insert into feed_topics (feed_id, topic_id, position, published_at) values ($1, $2, $3, $4)
   on conflict (feed_id, topic_id) do update set position = excluded.position`,
)
const drop = statement('delete from feed_topics where feed_id = $1 and topic_id = $2')
const raise = statement('update topics set posts_count = posts_count + $2 where id = $1')
const datePublished = statement(
  'update feed_topics set published_at = (select f.published_at from feeds f where f.id = feed_topics.feed_id) where feed_id = $1',
)
const listedInSpace = statement<{ topic_id: number; n: number }>(
  `select c.topic_id, count(*) as n from feeds f join feed_topics c on c.feed_id = f.id where f.space_id = $1 and f.listed = 1
   group by c.topic_id order by c.topic_id`,
)
const standing = statementIn<{ id: number; status: 'active' | 'inactive'; admin_only: 0 | 1; offered: 0 | 1 }>(
  (list) => `select t.id, t.status, t.admin_only, case when ${offeredIn('$1')} then 1 else 0 end as offered from topics t
    where t.id in (${list(2)})`,
)

const ascending = (a: number, b: number) => a - b

/** What each of these feeds carries, in its order; topics that are not active are among them. */
export const topicsOfFeeds = async (db: Db, feedIds: readonly number[]): Promise<CarriedTopic[]> => {
  if (feedIds.length === 0) return []
  return (await byFeeds(db, feedIds.length, feedIds)).sort((a, b) => a.position - b.position)
}

/** Ids of the topics that a feed carries, in its order. */
export const topicsOfFeed = async (db: Db, feedId: number): Promise<number[]> => (await ofFeed(db, [feedId])).map((row) => row.topic_id)

export interface Picking {
  readonly wanted: readonly number[]
  /** What the feed has already. */
  readonly carried: readonly number[]
  readonly spaceId: number | null
  /** Who moderates in that place picks also what is for moderators only. */
  readonly moderates: boolean
}

export interface Picked {
  /** What is shown, in the order that was wanted. */
  readonly shown: readonly number[]
  /** All that the feed carries: also what it had and is not shown at present, since nobody could mean to take that off. */
  readonly all: readonly number[]
}

/**
 * Which of the wanted topics a feed gets in its place: those that are active and offered there, as many as a feed may have. Every topic
 * concerned is held until the end of the transaction.
 */
export const pickTopics = async (db: Db, rules: TopicRules, { wanted, carried, spaceId, moderates }: Picking): Promise<Picked> => {
  const ids = [...new Set([...wanted, ...carried])].sort(ascending)
  if (ids.length === 0) return { shown: [], all: [] }
  for (const id of ids) await lockRow(db, 'topics', id)
  const known = new Map((await standing(db, ids.length, [spaceId ?? 0, ...ids])).map((row) => [row.id, row]))
  const isOpen = (id: number) => {
    const topic = known.get(id)
    return topic?.status === 'active' && topic.offered === 1 && (moderates || topic.admin_only === 0 || carried.includes(id))
  }
  const shown = [...new Set(wanted)].filter(isOpen).slice(0, mostTopics(rules))
  const unseen = carried.filter((id) => known.get(id)?.status === 'inactive')
  return { shown, all: [...shown, ...unseen] }
}

export interface CarryChange {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** Whether lists hold the feed at this moment. */
  readonly listed: boolean
  readonly publishedAt: string
}

/** Makes a feed, which is held like the topics, carry other ones, and keeps their counts. */
export const carryTopics = async (db: Db, feedId: number, { before, after, listed, publishedAt }: CarryChange): Promise<void> => {
  if (before.join() === after.join()) return
  for (const id of before) if (!after.includes(id)) await drop(db, [feedId, id])
  for (const [position, id] of after.entries()) await put(db, [feedId, id, position, publishedAt])
  if (!listed) return
  await noteFeedChange(db, feedId)
  for (const id of [...new Set([...before, ...after])].sort(ascending)) {
    const by = Number(after.includes(id)) - Number(before.includes(id))
    if (by !== 0) await raise(db, [id, by])
  }
}

/** Counts a feed, which is held, in (+1) or out (−1) with each topic that it carries. */
export const countTopics = async (db: Db, feedId: number, by: 1 | -1): Promise<void> => {
  const ids = await topicsOfFeed(db, feedId)
  if (ids.length === 0) return
  for (const id of ids.sort(ascending)) await raise(db, [id, by])
  if (by === 1) await datePublished(db, [feedId])
}

/** Counts all feeds of a space out, before they go with it. */
export const uncountSpace = async (db: Db, spaceId: number): Promise<void> => {
  for (const { topic_id, n } of await listedInSpace(db, [spaceId])) await raise(db, [topic_id, -n])
}
