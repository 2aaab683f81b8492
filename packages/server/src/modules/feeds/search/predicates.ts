import { setImmediate } from 'node:timers/promises'
import { isFound, type SearchQuery } from '../../../content/tokenizer.ts'
import { type Db, feedsMatching, statement } from '../../../db/index.ts'

/** What a changed feed is found by. */
export interface Known {
  readonly words: readonly string[]
  readonly topics: readonly number[]
}

/** Something that is asked about all feeds, whoever asks. */
export interface Predicate {
  /** Tells it from all others. */
  readonly key: string
  /** Feeds, of whatever status, that it holds for. */
  readonly ids: (db: Db) => Promise<number[]>
  readonly holds: (feed: Known) => boolean
}

/** Rows that are read before others get their turn. */
const PORTION = 20_000

const carrying = statement<{ feed_id: number; published_at: string }>(
  `select c.feed_id, c.published_at from feed_topics c where c.topic_id = $1 and c.published_at >= $2
   and (c.published_at, c.feed_id) > ($2, $3) order by c.published_at, c.feed_id limit ${PORTION}`,
)

const idsOfTopic = async (db: Db, topic: number): Promise<number[]> => {
  const ids: number[] = []
  let from: readonly [string, number] = ['', 0]
  for (;;) {
    const rows = await carrying(db, [topic, ...from])
    for (const { feed_id } of rows) ids.push(feed_id)
    const last = rows.at(-1)
    if (!last || rows.length < PORTION) return ids
    from = [last.published_at, last.feed_id]
    await setImmediate()
  }
}

/** Feeds whose text has all words of the search. */
export const matching = (query: SearchQuery): Predicate => ({
  key: JSON.stringify(query),
  ids: (db) => feedsMatching(db, query),
  holds: ({ words }) => isFound(query, words),
})

/** Feeds that carry one of these topics at least. */
export const inTopics = (topics: readonly number[]): Predicate => ({
  key: `topics ${topics.join()}`,
  ids: async (db) => {
    const ids = new Set<number>()
    for (const topic of topics) for (const id of await idsOfTopic(db, topic)) ids.add(id)
    return [...ids]
  },
  holds: (feed) => feed.topics.some((topic) => topics.includes(topic)),
})
