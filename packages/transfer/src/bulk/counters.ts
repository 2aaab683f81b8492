import { type Db, runText, updateRows, type Value } from '../../../server/src/db/index.ts'

type Column =
  | `spaces.${'members_count' | 'posts_count'}`
  | 'topics.posts_count'
  | `${'feeds' | 'comments'}.reactions_count`
  | `users.${'followers_count' | 'followings_count'}`
  | 'courses.students_count'
  | 'feeds.comments_count'

/** Accumulates counts until `flush` adds the sums to the stored counters. */
export interface Counters {
  readonly add: (column: Column, id: number, by?: number) => void
  readonly addListed: (space: number | null, privacy: string, by?: number) => void
  readonly addVoter: (feed: number) => void
  readonly addVote: (feed: number, option: string) => void
  readonly flush: (db: Db) => Promise<void>
}

const increment = <Key>(sums: Map<Key, number>, key: Key, by = 1) => sums.set(key, (sums.get(key) ?? 0) + by)

/** Rows with a two-part key, whose first part is a number. */
const pairs = (sums: ReadonlyMap<string, number>): Value[][] =>
  [...sums].map(([key, n]) => [Number(key.slice(0, key.indexOf(' '))), key.slice(key.indexOf(' ') + 1), n])

export const createCounters = (): Counters => {
  const columns = new Map<Column, Map<number, number>>()
  const listed = new Map<string, number>()
  const voters = new Map<number, number>()
  const votes = new Map<string, number>()
  return {
    add: (column, id, by) => {
      const sums = columns.get(column) ?? new Map<number, number>()
      columns.set(column, sums)
      increment(sums, id, by)
    },
    addListed: (space, privacy, by) => increment(listed, `${space ?? 0} ${privacy}`, by),
    addVoter: (feed) => increment(voters, feed),
    addVote: (feed, option) => increment(votes, `${feed} ${option}`),
    flush: async (db) => {
      for (const [name, sums] of columns) {
        const [table = '', column = ''] = name.split('.')
        await updateRows(db, table, { id: 'bigint', n: 'bigint' }, `${column} = ${column} + d.n`, `${table}.id = d.id`, [...sums])
      }
      for (const row of pairs(listed)) {
        await runText(
          db,
          `insert into listed_feed_counts (space_id, privacy, feeds_count) values ($1, $2, $3)
           on conflict (space_id, privacy) do update set feeds_count = listed_feed_counts.feeds_count + excluded.feeds_count`,
          row,
        )
      }
      await updateRows(db, 'surveys', { id: 'bigint', n: 'bigint' }, 'voters = voters + d.n', 'surveys.feed_id = d.id', [...voters])
      const where = 'survey_options.feed_id = d.id and survey_options.slug = d.option'
      await updateRows(db, 'survey_options', { id: 'bigint', option: 'text', n: 'bigint' }, 'votes = votes + d.n', where, pairs(votes))
    },
  }
}
