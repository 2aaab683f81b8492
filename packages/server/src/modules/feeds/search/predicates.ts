import { setImmediate } from 'node:timers/promises'
import { isFound, type SearchQuery } from '@lyceum/content'
import { type Db, feedsMatching, statement } from '../../../db/index.ts'

/** The properties of a changed feed that predicates test. */
export interface IndexedFeed {
  readonly words: readonly string[]
  readonly topics: readonly number[]
}

/** A condition on feeds that does not depend on the viewer. */
export interface Predicate {
  readonly key: string
  /** Ids of the feeds that match, whatever their status. */
  readonly ids: (db: Db) => Promise<number[]>
  readonly holds: (feed: IndexedFeed) => boolean
}

/** Rows read before yielding to other work. */
const BATCH_SIZE = 20_000

const feedsOfTopic = statement<{ feed_id: number; published_at: string }>(
  `select c.feed_id, c.published_at from feed_topics c where c.topic_id = $1 and c.published_at >= $2
   and (c.published_at, c.feed_id) > ($2, $3) order by c.published_at, c.feed_id limit ${BATCH_SIZE}`,
)

const idsOfTopic = async (db: Db, topic: number): Promise<number[]> => {
  const ids: number[] = []
  let position: readonly [string, number] = ['', 0]
  for (;;) {
    const rows = await feedsOfTopic(db, [topic, ...position])
    for (const { feed_id } of rows) ids.push(feed_id)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_SIZE) return ids
    position = [last.published_at, last.feed_id]
    await setImmediate()
  }
}

/** Matches feeds whose text contains all words of the search. */
export const matching = (query: SearchQuery): Predicate => ({
  key: JSON.stringify(query),
  ids: (db) => feedsMatching(db, query),
  holds: ({ words }) => isFound(query, words),
})

/** Matches feeds with at least one of these topics. */
export const inTopics = (topics: readonly number[]): Predicate => ({
  key: `topics ${topics.join()}`,
  ids: async (db) => {
    const ids = new Set<number>()
    for (const topic of topics) for (const id of await idsOfTopic(db, topic)) ids.add(id)
    return [...ids]
  },
  holds: (feed) => feed.topics.some((topic) => topics.includes(topic)),
})
