import type { Selectable } from 'kysely'
import type { WriteContext } from '../../core/context.ts'
import { batchLock, batchStatement, type CommentRow, lockRows } from '../../db/index.ts'

type Stored = 'id' | 'user_id' | 'parent_id' | 'message_rendered' | 'status' | 'created_at' | 'helpful_at' | 'helpful_by'

/** What the projectors of an event need to know about a comment. */
export interface CommentFacts extends Pick<Selectable<CommentRow>, Stored> {
  readonly feed_id: number
  /** 0 if the author's account was deleted. */
  readonly has_author: 0 | 1
  readonly feed_author: number
  readonly parent_author: number | null
  readonly space_id: number | null
}

const IDS = { id: 'bigint' } as const
const lockAuthors = batchLock(
  IDS,
  'u',
  (rows) => `select u.id from users u where u.id in (select c.user_id from ${rows} d join comments c on c.id = d.id) order by u.id`,
)
const commentsOf = batchStatement<CommentFacts>(
  IDS,
  (
    rows,
  ) => `select c.id, c.post_id as feed_id, c.user_id, c.parent_id, c.message_rendered, c.status, c.created_at, c.helpful_at, c.helpful_by,
    case when u.status = 'deleted' then 0 else 1 end as has_author, f.user_id as feed_author, p.user_id as parent_author, f.space_id
    from ${rows} d join comments c on c.id = d.id join users u on u.id = c.user_id join feeds f on f.id = c.post_id
    left join comments p on p.id = c.parent_id order by c.id`,
)

/** Locks the authors and feeds of comments and loads the comments that exist. No comment is changed without the lock of its feed. */
export const loadCommentFacts = async (
  { db }: Pick<WriteContext, 'db'>,
  named: readonly { readonly comment_id: number; readonly feed_id: number }[],
): Promise<CommentFacts[]> => {
  const ids = [...new Set(named.map(({ comment_id }) => comment_id))]
  const feedIds = [...new Set(named.map(({ feed_id }) => feed_id))]
  // Sent together; PostgreSQL runs them in this order.
  return (await Promise.all([lockAuthors(db, ids), lockRows(db, 'feeds', feedIds), commentsOf(db, ids)]))[2]
}
