import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'
import { takeDownComment } from './commands.ts'

interface Found {
  readonly id: number
  readonly post_id: number
}

const OWN = 'select id, post_id from comments where user_id = $1'
const all = statement<Found>(`${OWN} order by created_at, id limit $2`)
const unseen = statement<Found>(`${OWN} and status <> 'published' order by created_at, id limit $2`)

/**
 * Deletes some comments of an account that goes away as if it had done so, with the replies to them, at most `limit`: all of them, or those
 * that are not published. How many.
 */
export const eraseComments = async (ctx: WriteContext, userId: number, which: 'all' | 'unseen', limit: number): Promise<number> => {
  const found = await (which === 'all' ? all : unseen)(ctx.db, [userId, limit])
  // Feeds are held in the order of their ids.
  const inOrder = [...found].sort((a, b) => a.post_id - b.post_id || a.id - b.id)
  for (const { id, post_id } of inOrder) await takeDownComment(ctx, post_id, id)
  return found.length
}
