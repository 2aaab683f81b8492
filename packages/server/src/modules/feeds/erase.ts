import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'
import { takeDownFeed } from './commands.ts'
import { withdrawVote } from './surveys.ts'

const surveysOfVoter = statement<{ feed_id: number }>(
  'select distinct feed_id from survey_votes where user_id = $1 order by feed_id limit $2',
)

/** Withdraws votes of an account that is being erased, in at most `limit` surveys. Returns the number of surveys. */
export const eraseVotes = async ({ db }: WriteContext, userId: number, limit: number): Promise<number> => {
  const surveys = await surveysOfVoter(db, [userId, limit])
  for (const { feed_id } of surveys) {
    await lockRow(db, 'feeds', feed_id)
    await withdrawVote(db, feed_id, userId)
  }
  return surveys.length
}

const OWN_FEEDS = 'select id from feeds where user_id = $1 and lesson_id is null'
const allFeeds = statement<{ id: number }>(`${OWN_FEEDS} order by id limit $2`)
/** Feeds that only the author, their followers and moderators could see. */
const neverPublicFeeds = statement<{ id: number }>(
  `${OWN_FEEDS} and (status <> 'published' or (privacy = 'private' and space_id is null)) order by id limit $2`,
)

/**
 * Deletes at most `limit` feeds of an account that is being erased: all of them, or only those that were never public. Returns how many
 * were found. Lesson feeds stay with their courses.
 */
export const eraseFeeds = async (ctx: WriteContext, userId: number, which: 'all' | 'unseen', limit: number): Promise<number> => {
  const found = await (which === 'all' ? allFeeds : neverPublicFeeds)(ctx.db, [userId, limit])
  for (const { id } of found) await takeDownFeed(ctx, id)
  return found.length
}
