import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'
import { deleteAndCount } from './commands.ts'
import { loadReaction } from './queries.ts'

const oldestReactions = statement<{ id: number; feed_id: number }>(
  'select id, feed_id from reactions where user_id = $1 order by feed_id, comment_id nulls first, type, id limit $2',
)

/** Deletes at most `limit` reactions of an account that is being erased. Returns how many were found. */
export const eraseReactions = async (ctx: WriteContext, userId: number, limit: number): Promise<number> => {
  const found = await oldestReactions(ctx.db, [userId, limit])
  for (const { id, feed_id } of found) {
    await lockRow(ctx.db, 'feeds', feed_id)
    const reaction = await loadReaction(ctx.db, [id])
    if (reaction) await deleteAndCount(ctx, reaction)
  }
  return found.length
}
