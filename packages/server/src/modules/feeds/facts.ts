import type { Selectable } from 'kysely'
import type { FeedRow } from '../../db/index.ts'
import { factsLoader } from '../../jobs/index.ts'

type Stored = 'id' | 'user_id' | 'space_id' | 'lesson_id' | 'message' | 'message_rendered' | 'content_type' | 'status' | 'published_at'

/** What the projectors of an event need to know about a feed. */
export interface FeedFacts extends Pick<Selectable<FeedRow>, Stored> {
  /** 0 if the author's account was deleted. */
  readonly has_account: 0 | 1
}

/**
 * Locks the authors of feeds, then the feeds that exist, and loads these. Its lock waits for the shared locks of the projectors of comments and
 * reactions, which must not record the previous space of a feed after it was moved.
 */
export const loadFeedFacts = factsLoader<{ readonly feed_id: number }, FeedFacts>({
  columns: { feed_id: 'bigint' },
  locks: { users: (rows) => `select f.user_id from ${rows} d join feeds f on f.id = d.feed_id` },
  select: (
    rows,
  ) => `select f.id, f.user_id, f.space_id, f.lesson_id, f.message, f.message_rendered, f.content_type, f.status, f.published_at,
    case when u.status = 'deleted' then 0 else 1 end as has_account
    from ${rows} d join feeds f on f.id = d.feed_id join users u on u.id = f.user_id order by f.id`,
  lock: 'for update of f',
})
