import { type Db, statementFor } from '../../db/index.ts'
import { type CommentFor, commentColumns, commentTables } from '../comments/view.ts'

const COMMENTS = 2
const REACTIONS = 3
/** What is embedded in a feed is the same for every caller, so nobody's own reactions are in it. */
const NOBODY = 0

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
const unionOf = <Row>(one: (feed: string) => string, from: number) =>
  statementFor<Row>((_list, count) =>
    Array.from({ length: count }, (_, i) => `select * from (${one(`$${from + i}`)}) as p${i}`).join(' union all '),
  )

const comments = unionOf<CommentFor>(
  (feed) => `select ${commentColumns('$1')} from ${commentTables}
    where c.post_id = ${feed} and c.status = 'published' order by c.created_at desc, c.id desc limit ${COMMENTS}`,
  2,
)
const reactions = unionOf<ReactionPreview>(
  (feed) => `select r.id, r.user_id, r.feed_id, r.type, r.created_at, u.display_name as u_display_name, u.avatar as u_avatar
    from reactions r join users u on u.id = r.user_id where r.feed_id = ${feed} and r.comment_id is null order by r.id desc limit ${REACTIONS}`,
  1,
)

/** The newest two published comments of each feed, newest first. */
export const newestComments = (db: Db, feedIds: readonly number[]): Promise<CommentFor[]> =>
  feedIds.length === 0 ? Promise.resolve([]) : comments(db, feedIds.length, [NOBODY, ...feedIds])

/** The newest three reactions of each feed, newest first. */
export const newestReactions = (db: Db, feedIds: readonly number[]): Promise<ReactionPreview[]> =>
  feedIds.length === 0 ? Promise.resolve([]) : reactions(db, feedIds.length, feedIds)
