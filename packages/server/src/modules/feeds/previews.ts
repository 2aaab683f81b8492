import { type Db, runText } from '../../db/index.ts'
import { type CommentFor, commentColumns, commentTables } from '../comments/view.ts'

const COMMENTS = 2
const REACTIONS = 3

export interface ReactionPreview {
  readonly id: number
  readonly user_id: number
  readonly feed_id: number
  readonly type: string
  readonly created_at: string
  readonly u_display_name: string
  readonly u_avatar: string
}

/** One small select a feed, joined into one statement: each takes its newest rows from an index and stops. */
const unionOf = (one: (feed: string) => string, count: number, from: number) =>
  Array.from({ length: count }, (_, i) => `select * from (${one(`$${from + i}`)}) as p${i}`).join(' union all ')

/** The newest two published comments of each feed, newest first. */
export const newestComments = (db: Db, feedIds: readonly number[], userId: number): Promise<CommentFor[]> =>
  feedIds.length === 0
    ? Promise.resolve([])
    : runText<CommentFor>(
        db,
        unionOf(
          feed => `select ${commentColumns('$1')} from ${commentTables}
            where c.post_id = ${feed} and c.status = 'published' order by c.created_at desc, c.id desc limit ${COMMENTS}`,
          feedIds.length,
          2,
        ),
        [userId, ...feedIds],
      )

/** The newest three reactions of each feed, newest first. */
export const newestReactions = (db: Db, feedIds: readonly number[]): Promise<ReactionPreview[]> =>
  feedIds.length === 0
    ? Promise.resolve([])
    : runText<ReactionPreview>(
        db,
        unionOf(
          feed => `select r.id, r.user_id, r.feed_id, r.type, r.created_at, u.display_name as u_display_name, u.avatar as u_avatar
            from reactions r join users u on u.id = r.user_id where r.feed_id = ${feed} and r.comment_id is null order by r.id desc limit ${REACTIONS}`,
          feedIds.length,
          1,
        ),
        feedIds,
      )
