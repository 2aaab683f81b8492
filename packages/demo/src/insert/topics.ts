import { type Db, insertRows, type Value } from '../../../server/src/db/index.ts'
import type { Topic } from '../plan/rows.ts'
import type { WriteLimit } from './pace.ts'
import { placeOf, raise, type Scene, tally } from './placed.ts'

const findOrMake = async (db: Db, { title, slug, description, color, icon, admin_only, spaces }: Topic, now: string) => {
  const { last } = await db
    .selectFrom('topics')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  const made = await db
    .insertInto('topics')
    .values({
      ...{ title, slug, description, color, icon, created_at: now, updated_at: now },
      admin_only: admin_only ? 1 : 0,
      is_global: spaces === null ? 1 : 0,
      position: (last ?? 0) + 1,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(['id', 'is_global'])
    .executeTakeFirst()
  return made ?? (await db.selectFrom('topics').select(['id', 'is_global']).where('slug', '=', slug).executeTakeFirstOrThrow())
}

/** Existing topics with the same slug are reused. */
export const insertTopics = (pace: WriteLimit, topics: readonly Topic[], { placed }: Scene, now: string) =>
  pace(topics, {
    kind: 'topics',
    write: async (db, piece) => {
      const ids: number[] = []
      for (const topic of piece) {
        const { id, is_global } = await findOrMake(db, topic, now)
        const spaces = is_global ? [] : (topic.spaces ?? [])
        await insertRows(
          db,
          'topic_spaces',
          ['topic_id', 'space_id'],
          spaces.map((space): Value[] => [id, placeOf(placed.spaces, space)]),
        )
        ids.push(id)
      }
      return ids
    },
    written: (ids) => placed.topics.push(...ids),
  })

export const CARRIED = ['feed_id', 'topic_id', 'position', 'published_at']

interface Filed {
  readonly id: number
  readonly at: string
  /** Ids. */
  readonly topics: readonly number[]
}

/** Assigns new feeds to their topics and updates the counters. */
export const fileFeeds = async (db: Db, feeds: readonly Filed[]) => {
  const rows = feeds.flatMap(({ id, at, topics }) => topics.map((topic, place) => ({ id, topic, place, at })))
  await insertRows(
    db,
    'feed_topics',
    CARRIED,
    rows.map(({ id, topic, place, at }): Value[] => [id, topic, place, at]),
  )
  await raise(
    db,
    ['topics', 'posts_count'],
    tally(rows, ({ topic }) => topic),
  )
}
