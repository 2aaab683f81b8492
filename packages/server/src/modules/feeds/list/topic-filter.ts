import { invalidParameter } from '../../../core/errors.ts'
import { type Db, type Placeholder, statementIn, statementOne } from '../../../db/index.ts'
import { topicRules } from '../../topics/index.ts'
import type { Order } from './sort-orders.ts'

/** Feeds that carry at least one of these topics. */
export interface TopicGroup {
  readonly ids: readonly number[]
  /** How many feeds in lists do, at most. */
  readonly size: number
}

/** A list of feeds with certain topics, of one place. */
export interface TopicFilter {
  /** A feed of the list is in each of them; the smallest stands first. */
  readonly groups: readonly TopicGroup[]
  /** Feeds that lists hold in that place. */
  readonly placeSize: number
}

interface Sized {
  readonly id: number
  readonly posts_count: number
}

const bySlug = statementOne<Sized>(`select id, posts_count from topics where slug = $1 and status = 'active'`)
const byIds = statementIn<Sized>((list) => `select id, posts_count from topics where id in (${list(1)}) and status = 'active' order by id`)
const sizeOfAll = statementOne<{ n: number }>('select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c')
const sizeOfSpace = statementOne<{ n: number }>('select posts_count as n from spaces where id = $1')

const MOST_IDS = 50

/** @throws invalid_parameter */
const readIds = (text: string): number[] => {
  const ids = text.split(',').map((part) => (/^ ?[1-9]\d{0,14} ?$/.test(part) ? Number(part) : 0))
  if (ids.includes(0) || ids.length > MOST_IDS) throw invalidParameter('topics', `must be at most ${MOST_IDS} comma-separated ids`)
  return [...new Set(ids)]
}

const groupOf = (topics: readonly Sized[]): TopicGroup => ({
  ids: topics.map((topic) => topic.id),
  size: topics.reduce((sum, topic) => sum + topic.posts_count, 0),
})

export interface TopicQuery {
  readonly slug?: string | undefined
  /** Divided by commas. */
  readonly ids?: string | undefined
}

/** What is asked for, by topics that are in use; undefined where nothing is. @throws invalid_parameter */
export const topicFilter = async (db: Db, { slug, ids }: TopicQuery, spaceId: number | undefined): Promise<TopicFilter | undefined> => {
  if (slug === undefined && ids === undefined) return undefined
  const wanted = ids === undefined ? [] : readIds(ids)
  const { on } = await topicRules(db)
  const groups: TopicGroup[] = []
  if (slug !== undefined) {
    const topic = on ? await bySlug(db, [slug]) : undefined
    groups.push(groupOf(topic ? [topic] : []))
  }
  if (ids !== undefined) groups.push(groupOf(on ? await byIds(db, wanted.length, wanted) : []))
  const size = await (spaceId === undefined ? sizeOfAll(db, []) : sizeOfSpace(db, [spaceId]))
  return { groups: groups.sort((a, b) => a.size - b.size), placeSize: size?.n ?? 0 }
}

const carries = ({ ids }: TopicGroup, p: Placeholder) =>
  `exists (select 1 from feed_topics ft where ft.feed_id = f.id and ft.topic_id in (${ids.map(p).join(', ')}))`

/** SQL of where the rows of a list come from: tables that have the feed as `f`, their condition, and the order in their terms. */
export interface Source {
  readonly from: string
  readonly where: readonly string[]
  readonly order: Order
}

const IN_TOPIC = new Map([
  ['f.published_at', 'c.published_at'],
  ['f.id', 'c.feed_id'],
])

/** The newest feeds of one topic come out of an index in their order. */
const isInOrder = ({ ids }: TopicGroup, order: Order) => ids.length === 1 && order.keys[0] === 'f.published_at'

/** From the feeds of a topic to the rows of the feeds, whatever a planner would prefer: hence the cross join. */
const fromTopic = (group: TopicGroup, others: readonly TopicGroup[], order: Order, p: Placeholder): Source => {
  const [only, ...more] = group.ids
  const rest = others.map((other) => carries(other, p))
  if (only !== undefined && more.length === 0) {
    const keys = isInOrder(group, order) ? order.keys.map((key) => IN_TOPIC.get(key) ?? key) : order.keys
    return {
      from: 'feed_topics c cross join feeds f',
      where: [`c.topic_id = ${p(only)}`, 'f.id = c.feed_id', ...rest],
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

/** A page of a topic is sorted while it has fewer feeds than this times the root of what there is; else its place is walked in order. */
const SORTED = 4

/**
 * Where a page of such a list comes from: from the topic where it is the rarer way, else from the place in the order of the list, passing
 * over what does not carry it. Null: nothing can match. `narrow`: something else makes the list short.
 */
export const pageSource = ({ groups, placeSize }: TopicFilter, order: Order, narrow: boolean, p: Placeholder): Source | null => {
  const [first, ...others] = groups
  if (!first || groups.some(({ ids }) => ids.length === 0)) return null
  const fits = isInOrder(first, order) ? first.size <= placeSize : first.size <= SORTED * Math.sqrt(placeSize)
  if (!narrow && fits) return fromTopic(first, others, order, p)
  return { from: 'feeds f', where: groups.map((group) => carries(group, p)), order }
}

/** Where its rows come from when they are counted. */
export const countSource = ({ groups, placeSize }: TopicFilter, order: Order, narrow: boolean, p: Placeholder): Source | null => {
  const [first, ...others] = groups
  if (!first || groups.some(({ ids }) => ids.length === 0)) return null
  if (!narrow && first.size <= placeSize) return fromTopic(first, others, order, p)
  return { from: 'feeds f', where: groups.map((group) => carries(group, p)), order }
}
