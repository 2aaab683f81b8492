import { type Db, lockRow, noteFeedChange, statement, statementIn } from '../../db/index.ts'
import { offeredIn } from './queries.ts'
import { maxTopicsPerFeed, type TopicRules } from './rules.ts'

/** A topic assigned to a feed. */
interface FeedTopic {
  readonly feed_id: number
  readonly position: number
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly status: 'active' | 'inactive'
}

const byFeeds = statementIn<FeedTopic>(
  (list) => `select c.feed_id, c.position, t.id, t.title, t.slug, t.status from feed_topics c join topics t on t.id = c.topic_id
    where c.feed_id in (${list(1)})`,
)
const ofFeed = statement<{ topic_id: number }>('select topic_id from feed_topics where feed_id = $1 order by position, topic_id')
const upsert = statement(
  `insert into feed_topics (feed_id, topic_id, position, published_at) values ($1, $2, $3, $4)
   on conflict (feed_id, topic_id) do update set position = excluded.position`,
)
const remove = statement('delete from feed_topics where feed_id = $1 and topic_id = $2')
const addToPostsCount = statement('update topics set posts_count = posts_count + $2 where id = $1')
const datePublished = statement(
  'update feed_topics set published_at = (select f.published_at from feeds f where f.id = feed_topics.feed_id) where feed_id = $1',
)
const listedInSpace = statement<{ topic_id: number; n: number }>(
  `select c.topic_id, count(*) as n from feeds f join feed_topics c on c.feed_id = f.id where f.space_id = $1 and f.listed = 1
   group by c.topic_id order by c.topic_id`,
)
const topicStates = statementIn<{ id: number; status: 'active' | 'inactive'; admin_only: 0 | 1; offered: 0 | 1 }>(
  (list) => `select t.id, t.status, t.admin_only, case when ${offeredIn('$1')} then 1 else 0 end as offered from topics t
    where t.id in (${list(2)})`,
)

const ascending = (a: number, b: number) => a - b

/** The topics of these feeds, in order, including inactive ones. */
export const topicsOfFeeds = async (db: Db, feedIds: readonly number[]): Promise<FeedTopic[]> => {
  if (feedIds.length === 0) return []
  return (await byFeeds(db, feedIds.length, feedIds)).sort((a, b) => a.position - b.position)
}

/** Ids of the feed's topics, in order. */
export const topicsOfFeed = async (db: Db, feedId: number): Promise<number[]> => (await ofFeed(db, [feedId])).map((row) => row.topic_id)

interface TopicSelection {
  readonly wanted: readonly number[]
  /** Topics the feed already has. */
  readonly current: readonly number[]
  readonly spaceId: number | null
  /** Moderators of the space may also choose topics reserved for moderators. */
  readonly moderates: boolean
}

/**
 * Selects the topics that a feed gets: active, offered in its space, up to the maximum per feed. Locks every topic involved until the
 * transaction ends. `shown` has the visible topics in the requested order, `all` also the inactive ones that the feed already had: the
 * author cannot see those, so did not mean to remove them.
 */
export const pickTopics = async (db: Db, rules: TopicRules, { wanted, current, spaceId, moderates }: TopicSelection) => {
  const ids = [...new Set([...wanted, ...current])].sort(ascending)
  if (ids.length === 0) return { shown: [], all: [] as number[] }
  for (const id of ids) await lockRow(db, 'topics', id)
  const states = new Map((await topicStates(db, ids.length, [spaceId ?? 0, ...ids])).map((row) => [row.id, row]))
  const isAllowed = (id: number) => {
    const topic = states.get(id)
    return topic?.status === 'active' && topic.offered === 1 && (moderates || topic.admin_only === 0 || current.includes(id))
  }
  const shown = [...new Set(wanted)].filter(isAllowed).slice(0, maxTopicsPerFeed(rules))
  const inactive = current.filter((id) => states.get(id)?.status === 'inactive')
  return { shown, all: [...shown, ...inactive] }
}

interface TopicAssignment {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** Whether the feed is listed now. */
  readonly listed: boolean
  readonly publishedAt: string
}

/** Replaces the topics of a feed and updates their counts. The caller holds the locks of the feed and the topics. */
export const assignTopics = async (db: Db, feedId: number, { before, after, listed, publishedAt }: TopicAssignment): Promise<void> => {
  if (before.join() === after.join()) return
  for (const id of before) if (!after.includes(id)) await remove(db, [feedId, id])
  for (const [position, id] of after.entries()) await upsert(db, [feedId, id, position, publishedAt])
  if (!listed) return
  await noteFeedChange(db, feedId)
  for (const id of [...new Set([...before, ...after])].sort(ascending)) {
    const delta = Number(after.includes(id)) - Number(before.includes(id))
    if (delta !== 0) await addToPostsCount(db, [id, delta])
  }
}

/** Adds (+1) or subtracts (−1) the feed in the count of each of its topics. The caller holds the feed's lock. */
export const countTopics = async (db: Db, feedId: number, delta: 1 | -1): Promise<void> => {
  const ids = await topicsOfFeed(db, feedId)
  if (ids.length === 0) return
  for (const id of ids.sort(ascending)) await addToPostsCount(db, [id, delta])
  if (delta === 1) await datePublished(db, [feedId])
}

/** Subtracts all feeds of a space from the topic counts; call this before deleting the space. */
export const subtractSpaceFromTopics = async (db: Db, spaceId: number): Promise<void> => {
  for (const { topic_id, n } of await listedInSpace(db, [spaceId])) await addToPostsCount(db, [topic_id, -n])
}
