import type { Comment, Infer } from '@lyceum/contract'
import { PERSON_COLUMNS, type PersonColumns, viewXprofile } from '../members/view.ts'
import type { ReactionCount } from '../reactions/view.ts'

/** A comment with its author and the caller's reaction. */
export interface CommentFor extends PersonColumns {
  readonly id: number
  readonly user_id: number
  readonly post_id: number
  readonly parent_id: number | null
  readonly message: string
  readonly message_rendered: string
  readonly type: string
  readonly content_type: string
  readonly status: 'published' | 'pending' | 'spam'
  readonly reactions_count: number
  readonly is_sticky: 0 | 1
  readonly helpful_at: string | null
  readonly meta: string
  readonly created_at: string
  readonly updated_at: string
  /** Time of the last content change. */
  readonly edited_at: string | null
  readonly edited_by_moderator: 0 | 1
  readonly my_reaction: string | null
}

/** Columns of a comment as seen by the member with id `me` (a placeholder); the tables are `c` and `u`. */
export const commentColumns = (
  me: string,
) => `c.id, c.user_id, c.post_id, c.parent_id, c.message, c.message_rendered, c.type, c.content_type,
  c.status, c.reactions_count, c.is_sticky, c.helpful_at, c.meta, c.created_at, c.updated_at, c.edited_at, c.edited_by_moderator, ${PERSON_COLUMNS},
  (select r.type from reactions r where r.comment_id = c.id and r.user_id = ${me}) as my_reaction`

export const commentTables = 'comments c join users u on u.id = c.user_id'

type CommentView = Infer<typeof Comment>

/** Converts a comment row to the comment of the API, with its reaction counts. */
export const viewComment = (row: CommentFor, counts: readonly ReactionCount[]): CommentView => ({
  id: row.id,
  user_id: row.user_id,
  post_id: row.post_id,
  parent_id: row.parent_id,
  message: row.message,
  message_rendered: row.message_rendered,
  type: row.type,
  content_type: row.content_type as CommentView['content_type'],
  status: row.status,
  reactions_count: row.reactions_count,
  reaction_types: [...counts],
  is_sticky: row.is_sticky === 1,
  is_helpful: row.helpful_at !== null,
  meta: row.meta === '{}' ? {} : (JSON.parse(row.meta) as Record<string, unknown>),
  has_user_react: row.my_reaction,
  created_at: row.created_at,
  updated_at: row.updated_at,
  edited_at: row.edited_at,
  edited_by_moderator: row.edited_by_moderator === 1,
  xprofile: viewXprofile(row),
})
