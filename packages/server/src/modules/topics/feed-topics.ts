import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow, noteFeedChange, statement, statementIn, statementValues } from '../../db/index.ts'
import { pick } from '../../util/pick.ts'
import { offeredIn, RULE_TAGS, type TopicRecord, topicRules } from './queries.ts'
import { hasTopics } from './space-topics.ts'

interface FeedTopic extends Pick<TopicRecord, 'id' | 'title' | 'slug' | 'status'> {
  readonly feed_id: number
  readonly position: number
}

const byFeeds = statementIn<FeedTopic>(
  (list) => `select c.feed_id, c.position, t.id, t.title, t.slug, t.status from feed_topics c join topics t on t.id = c.topic_id
    where c.feed_id in (${list})`,
)
const topicsOfFeed = statementValues<number>('select topic_id from feed_topics where feed_id = $1 order by position, topic_id')
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
    where t.id in (${list})`,
)

const ascending = (a: number, b: number) => a - b

/** The visible topics of each feed that has topics: active ones, in order; none while topics are disabled. `tags` are their cache tags. */
export const termsOfFeeds = async (db: Db, feedIds: readonly number[]) => {
  const rows = await byFeeds(db, feedIds)
  const on = rows.length > 0 && (await topicRules(db)).on
  const byFeed = Map.groupBy(
    rows.sort((a, b) => a.position - b.position),
    (row) => row.feed_id,
  )
  return new Map(
    byFeed.entries().map(([feedId, topics]) => {
      const terms = topics.filter(({ status }) => on && status === 'active').map((topic) => pick(topic, 'id', 'title', 'slug'))
      return [feedId, { terms, tags: [...RULE_TAGS, ...topics.map(({ id }) => `topic:${id}`)] }]
    }),
  )
}

interface TopicChange {
  /** The requested topics; undefined: not sent. */
  readonly requested: readonly number[] | undefined
  readonly isNew: boolean
  /** The feed is new, moves, or stops being a draft, so its topics must be checked even if they were not sent. */
  readonly placeChanges: boolean
  readonly spaceId: number | null
  readonly isRequiredBySpace: boolean
  /** Moderators of the space may also choose topics reserved for moderators. */
  readonly moderates: boolean
  readonly isDraft: boolean
  /** Whether the feed was listed before this change. */
  readonly listed: boolean
  readonly publishedAt: string
}

/**
 * Sets the topics of a feed whose row the caller has locked: active ones, offered in its space, up to the maximum per feed. Inactive topics
 * stay: the author cannot see them, so did not mean to remove them. Drafts, and feeds that do not change otherwise, may lack a required topic.
 * @throws topic_required
 */
export const setFeedTopics = async (db: Db, feedId: number, change: TopicChange): Promise<void> => {
  const { requested, spaceId, moderates } = change
  if (requested === undefined && !change.placeChanges) return
  const rules = await topicRules(db)
  if (!rules.on) return
  const before = change.isNew ? [] : await topicsOfFeed(db, [feedId])
  const ids = [...new Set([...(requested ?? []), ...before])].sort(ascending)
  for (const id of ids) await lockRow(db, 'topics', id)
  const states = new Map((await topicStates(db, ids, [spaceId ?? 0])).map((row) => [row.id, row]))
  const isAllowed = (id: number) => {
    const topic = states.get(id)
    return topic?.status === 'active' && topic.offered === 1 && (moderates || topic.admin_only === 0 || before.includes(id))
  }
  const shown = [...new Set(requested ?? before)].filter(isAllowed).slice(0, rules.allow_multiple ? rules.max_topics_per_post : 1)
  const required = rules.required_for_posts || change.isRequiredBySpace
  if (shown.length === 0 && required && !change.isDraft && (await hasTopics(db, spaceId, moderates))) {
    throw new ApiError('topic_required', { data: { field: 'topics' } })
  }
  const after = [...shown, ...before.filter((id) => states.get(id)?.status === 'inactive')]
  if (before.join() === after.join()) return
  for (const id of before) if (!after.includes(id)) await remove(db, [feedId, id])
  for (const [position, id] of after.entries()) await upsert(db, [feedId, id, position, change.publishedAt])
  if (!change.listed) return
  await noteFeedChange(db, feedId)
  for (const id of ids) {
    const delta = Number(after.includes(id)) - Number(before.includes(id))
    if (delta !== 0) await addToPostsCount(db, [id, delta])
  }
}

/** Adds (+1) or subtracts (−1) the feed in the count of each of its topics. The caller holds the feed's lock. */
export const countTopics = async (db: Db, feedId: number, delta: 1 | -1): Promise<void> => {
  const ids = await topicsOfFeed(db, [feedId])
  if (ids.length === 0) return
  for (const id of ids.sort(ascending)) await addToPostsCount(db, [id, delta])
  if (delta === 1) await datePublished(db, [feedId])
}

/** Subtracts all feeds of a space from the topic counts; call this before deleting the space. */
export const subtractSpaceFromTopics = async (db: Db, spaceId: number): Promise<void> => {
  for (const { topic_id, n } of await listedInSpace(db, [spaceId])) await addToPostsCount(db, [topic_id, -n])
}
