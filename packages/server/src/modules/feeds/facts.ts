import type { Selectable } from 'kysely'
import type { WriteContext } from '../../core/context.ts'
import { batchLock, batchStatement, type FeedRow } from '../../db/index.ts'

type Stored = 'id' | 'user_id' | 'space_id' | 'lesson_id' | 'message' | 'message_rendered' | 'content_type' | 'status' | 'published_at'

/** What the projectors of an event need to know about a feed. */
export interface FeedFacts extends Pick<Selectable<FeedRow>, Stored> {
  /** 0 if the author's account was deleted. */
  readonly has_author: 0 | 1
}

const IDS = { id: 'bigint' } as const
const lockAuthors = batchLock(
  IDS,
  'u',
  (rows) => `select u.id from users u where u.id in (select f.user_id from ${rows} d join feeds f on f.id = d.id) order by u.id`,
)
const feedsOf = batchStatement<FeedFacts>(
  IDS,
  (rows) => `select f.id, f.user_id, f.space_id, f.lesson_id, f.message, f.message_rendered, f.content_type, f.status, f.published_at,
    case when u.status = 'deleted' then 0 else 1 end as has_author
    from ${rows} d join feeds f on f.id = d.id join users u on u.id = f.user_id order by f.id`,
  'for no key update of f',
)

/** Locks the authors of feeds, then the feeds that exist, and loads these. */
export const loadFeedFacts = async (
  { db }: Pick<WriteContext, 'db'>,
  named: readonly { readonly feed_id: number }[],
): Promise<FeedFacts[]> => {
  const ids = [...new Set(named.map(({ feed_id }) => feed_id))]
  // Sent together; PostgreSQL runs them in this order.
  return (await Promise.all([lockAuthors(db, ids), feedsOf(db, ids)]))[1]
}
