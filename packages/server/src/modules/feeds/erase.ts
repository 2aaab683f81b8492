import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'
import { takeDownFeed } from './commands.ts'
import { withdrawVote } from './surveys.ts'

const voted = statement<{ feed_id: number }>('select distinct feed_id from survey_votes where user_id = $1 order by feed_id limit $2')

/** Takes back some votes of an account that goes away, in at most `limit` surveys; in how many. */
export const eraseVotes = async ({ db }: WriteContext, userId: number, limit: number): Promise<number> => {
  const surveys = await voted(db, [userId, limit])
  for (const { feed_id } of surveys) {
    await lockRow(db, 'feeds', feed_id)
    await withdrawVote(db, feed_id, userId)
  }
  return surveys.length
}

const OWN = 'select id from feeds where user_id = $1 and lesson_id is null'
const all = statement<{ id: number }>(`${OWN} order by id limit $2`)
/** What nobody but the author, his followers and moderators could see. */
const unseen = statement<{ id: number }>(
  `${OWN} and (status <> 'published' or (privacy = 'private' and space_id is null)) order by id limit $2`,
)

/**
 * Deletes some feeds of an account that goes away as if it had done so, at most `limit`: all of them, or those that were not published for
 * others. How many. Feeds of lessons stay with their courses.
 */
export const eraseFeeds = async (ctx: WriteContext, userId: number, which: 'all' | 'unseen', limit: number): Promise<number> => {
  const found = await (which === 'all' ? all : unseen)(ctx.db, [userId, limit])
  for (const { id } of found) await takeDownFeed(ctx, id)
  return found.length
}
