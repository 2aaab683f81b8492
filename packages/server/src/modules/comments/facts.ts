import type { Selectable } from 'kysely'
import type { CommentRow } from '../../db/index.ts'
import { factsLoader } from '../../jobs/index.ts'

type Stored = 'id' | 'user_id' | 'parent_id' | 'message_rendered' | 'status' | 'created_at' | 'helpful_at' | 'helpful_by'

/** What the projectors of an event need to know about a comment. */
export interface CommentFacts extends Pick<Selectable<CommentRow>, Stored> {
  readonly feed_id: number
  /** 0 if the author's account was deleted. */
  readonly has_account: 0 | 1
  readonly feed_author: number
  readonly parent_author: number | null
  readonly space_id: number | null
}

/**
 * Locks the authors of comments and loads the comments that exist. The lock serializes the projectors of a comment; members may comment during a
 * batch, since each change is followed by an event.
 */
export const loadCommentFacts = factsLoader<{ readonly comment_id: number; readonly feed_id: number }, CommentFacts>({
  columns: { comment_id: 'bigint', feed_id: 'bigint' },
  locks: { users: (rows) => `select c.user_id from ${rows} d join comments c on c.id = d.comment_id` },
  sharedLocks: { feeds: (rows) => `select d.feed_id from ${rows} d`, comments: (rows) => `select d.comment_id from ${rows} d` },
  select: (rows) => `select c.id, c.post_id as feed_id, c.user_id, c.parent_id, c.message_rendered, c.status, c.created_at, c.helpful_at,
    c.helpful_by, case when u.status = 'deleted' then 0 else 1 end as has_account, f.user_id as feed_author, p.user_id as parent_author,
    f.space_id from ${rows} d join comments c on c.id = d.comment_id join users u on u.id = c.user_id join feeds f on f.id = c.post_id
    left join comments p on p.id = c.parent_id order by c.id`,
})
