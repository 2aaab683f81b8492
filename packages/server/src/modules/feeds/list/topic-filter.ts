import { invalidParameter } from '../../../core/errors.ts'
import { type Db, type Placeholder, statementIn, statementOne } from '../../../db/index.ts'
import { topicRules } from '../../topics/index.ts'
import type { Order } from './sort-orders.ts'

/** Topics of which a feed must have at least one. */
export interface TopicGroup {
  readonly ids: readonly number[]
  /** Upper bound for the number of listed feeds that match. */
  readonly size: number
}

/** Restricts a list to feeds with certain topics. */
export interface TopicFilter {
  /** A feed must match every group; sorted by size, smallest first. */
  readonly groups: readonly TopicGroup[]
  /** Number of listed feeds in the space, or in the community. */
  readonly listSize: number
}

interface TopicSize {
  readonly id: number
  readonly posts_count: number
}

const bySlug = statementOne<TopicSize>(`select id, posts_count from topics where slug = $1 and status = 'active'`)
const byIds = statementIn<TopicSize>(
  (list) => `select id, posts_count from topics where id in (${list(1)}) and status = 'active' order by id`,
)
const sizeOfAll = statementOne<{ n: number }>('select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c')
const sizeOfSpace = statementOne<{ n: number }>('select posts_count as n from spaces where id = $1')

const MAX_IDS = 50

/** @throws invalid_parameter */
const readIds = (text: string): number[] => {
  const ids = text.split(',').map((part) => (/^ ?[1-9]\d{0,14} ?$/.test(part) ? Number(part) : 0))
  if (ids.includes(0) || ids.length > MAX_IDS) throw invalidParameter('topics', `must be at most ${MAX_IDS} comma-separated ids`)
  return [...new Set(ids)]
}

const groupOf = (topics: readonly TopicSize[]): TopicGroup => ({
  ids: topics.map((topic) => topic.id),
  size: topics.reduce((sum, topic) => sum + topic.posts_count, 0),
})

export interface TopicQuery {
  readonly slug?: string | undefined
  /** Comma-separated. */
  readonly ids?: string | undefined
}

/** The filter for the requested active topics; undefined if the query has none. @throws invalid_parameter */
export const topicFilter = async (db: Db, { slug, ids }: TopicQuery, spaceId: number | undefined): Promise<TopicFilter | undefined> => {
  if (slug === undefined && ids === undefined) return undefined
  const wanted = ids === undefined ? [] : readIds(ids)
  const { on: enabled } = await topicRules(db)
  const groups: TopicGroup[] = []
  if (slug !== undefined) {
    const topic = enabled ? await bySlug(db, [slug]) : undefined
    groups.push(groupOf(topic ? [topic] : []))
  }
  if (ids !== undefined) groups.push(groupOf(enabled ? await byIds(db, wanted.length, wanted) : []))
  const size = await (spaceId === undefined ? sizeOfAll(db, []) : sizeOfSpace(db, [spaceId]))
  return { groups: groups.sort((a, b) => a.size - b.size), listSize: size?.n ?? 0 }
}

const hasTopic = ({ ids }: TopicGroup, p: Placeholder) =>
  `exists (select 1 from feed_topics ft where ft.feed_id = f.id and ft.topic_id in (${ids.map(p).join(', ')}))`

/** SQL source of a list: tables with the feed as `f`, conditions, and sort keys in terms of these tables. */
export interface Source {
  readonly from: string
  readonly where: readonly string[]
  readonly order: Order
}

const TOPIC_INDEX_KEYS = new Map([
  ['f.published_at', 'c.published_at'],
  ['f.id', 'c.feed_id'],
])

/** Whether the index of a single topic returns its feeds in this order. */
const isInOrder = ({ ids }: TopicGroup, order: Order) => ids.length === 1 && order.keys[0] === 'f.published_at'

/** Reads the feeds of the topic first. The cross join fixes the join order, which planners would choose differently. */
const fromTopic = (group: TopicGroup, others: readonly TopicGroup[], order: Order, p: Placeholder): Source => {
  const [topicId, ...more] = group.ids
  const rest = others.map((other) => hasTopic(other, p))
  if (topicId !== undefined && more.length === 0) {
    const keys = isInOrder(group, order) ? order.keys.map((key) => TOPIC_INDEX_KEYS.get(key) ?? key) : order.keys
    return {
      from: 'feed_topics c cross join feeds f',
      where: [`c.topic_id = ${p(topicId)}`, 'f.id = c.feed_id', ...rest],
      order: { ...order, keys },
    }
  }
  const list = group.ids.map(p).join(', ')
  return {
    from: `(select distinct feed_id from feed_topics where topic_id in (${list})) c cross join feeds f`,
    where: ['f.id = c.feed_id', ...rest],
    order,
  }
}

/**
 * A topic's feeds are sorted if they are fewer than this factor times the square root of the list size; otherwise the list is scanned in
 * order.
 */
const SORT_FACTOR = 4

/**
 * The source of a page: the topic if it has few feeds, otherwise the list in its order, skipping feeds without the topics. Null if nothing
 * can match. `isNarrow`: another filter already makes the list short.
 */
export const pageSource = ({ groups, listSize }: TopicFilter, order: Order, isNarrow: boolean, p: Placeholder): Source | null => {
  const [first, ...others] = groups
  if (!first || groups.some(({ ids }) => ids.length === 0)) return null
  const fits = isInOrder(first, order) ? first.size <= listSize : first.size <= SORT_FACTOR * Math.sqrt(listSize)
  if (!isNarrow && fits) return fromTopic(first, others, order, p)
  return { from: 'feeds f', where: groups.map((group) => hasTopic(group, p)), order }
}

/** The source for counting the list. */
export const countSource = ({ groups, listSize }: TopicFilter, order: Order, isNarrow: boolean, p: Placeholder): Source | null => {
  const [first, ...others] = groups
  if (!first || groups.some(({ ids }) => ids.length === 0)) return null
  if (!isNarrow && first.size <= listSize) return fromTopic(first, others, order, p)
  return { from: 'feeds f', where: groups.map((group) => hasTopic(group, p)), order }
}
