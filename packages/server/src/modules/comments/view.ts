import type { Comment, Infer } from '@lyceum/contract'
import type { CommentRow } from '../../db/index.ts'
import { pick } from '../../util/pick.ts'
import { PERSON_COLUMNS, type PersonColumns, viewXprofile } from '../members/view.ts'
import type { ReactionCount } from '../reactions/view.ts'

/** A comment with its author and the caller's reaction. */
export interface CommentFor extends CommentRow, PersonColumns {
  readonly my_reaction: string | null
}

/** Columns of a comment as seen by the member with id `me` (a placeholder); the tables are `c` and `u`. */
export const commentColumns = (me: string) =>
  `c.*, ${PERSON_COLUMNS}, (select r.type from reactions r where r.comment_id = c.id and r.user_id = ${me}) as my_reaction`

export const commentTables = 'comments c join users u on u.id = c.user_id'

type CommentView = Infer<typeof Comment>

/** Converts a comment row to the comment of the API, with its reaction counts. */
export const viewComment = (row: CommentFor, counts: readonly ReactionCount[]): CommentView => ({
  ...pick(row, 'id', 'user_id', 'post_id', 'parent_id', 'message', 'message_rendered', 'type', 'status', 'reactions_count'),
  ...pick(row, 'created_at', 'updated_at', 'edited_at'),
  content_type: row.content_type as CommentView['content_type'],
  reaction_types: [...counts],
  is_sticky: row.is_sticky === 1,
  is_helpful: row.helpful_at !== null,
  meta: row.meta === '{}' ? {} : (JSON.parse(row.meta) as Record<string, unknown>),
  has_user_react: row.my_reaction,
  edited_by_moderator: row.edited_by_moderator === 1,
  xprofile: viewXprofile(row),
})
