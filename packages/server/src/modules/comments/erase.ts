import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'
import { takeDownComment } from './commands.ts'
import type { CommentFor } from './view.ts'

type CommentRef = Pick<CommentFor, 'id' | 'post_id'>

const OWN_COMMENTS = 'select id, post_id from comments where user_id = $1'
const allComments = statement<CommentRef>(`${OWN_COMMENTS} order by created_at, id limit $2`)
const unpublishedComments = statement<CommentRef>(`${OWN_COMMENTS} and status <> 'published' order by created_at, id limit $2`)

/** Deletes at most `limit` comments of an account that is being erased, with their replies. Returns how many were found. */
export const eraseComments = async (ctx: WriteContext, userId: number, which: 'all' | 'unseen', limit: number): Promise<number> => {
  const found = await (which === 'all' ? allComments : unpublishedComments)(ctx.db, [userId, limit])
  // Feeds are locked in id order to prevent deadlocks.
  const inOrder = [...found].sort((a, b) => a.post_id - b.post_id || a.id - b.id)
  for (const { id, post_id } of inOrder) await takeDownComment(ctx, post_id, id)
  return found.length
}
