import { type Db, parameters, rowsOfEach, runText } from '../../db/index.ts'
import { type CommentFor, commentColumns, commentTables } from '../comments/view.ts'

const COMMENT_LIMIT = 2
const REACTION_LIMIT = 3
/** Embedded comments are the same for every caller, so they do not include the viewer's own reactions. */
const NO_VIEWER = '0'

export interface ReactionPreview {
  readonly id: number
  readonly user_id: number
  readonly feed_id: number
  readonly type: string
  readonly created_at: string
  readonly u_display_name: string
  readonly u_avatar: string
}

/** One subselect per feed, so that each reads only its newest rows from an index. */
const newestOfEach = async <Row>(db: Db, feedIds: readonly number[], one: (feed: string) => string): Promise<Row[]> => {
  if (feedIds.length === 0) return []
  const { values, p } = parameters()
  const table = rowsOfEach(db, feedIds, p, one, 'newest')
  return runText<Row>(db, `select newest.* from ${table}`, values)
}

/** The newest two published comments of each feed, newest first. */
export const newestComments = (db: Db, feedIds: readonly number[]): Promise<CommentFor[]> =>
  newestOfEach(
    db,
    feedIds,
    (feed) => `select ${commentColumns(NO_VIEWER)} from ${commentTables}
      where c.post_id = ${feed} and c.status = 'published' order by c.created_at desc, c.id desc limit ${COMMENT_LIMIT}`,
  )

/** The newest three reactions of each feed, newest first. */
export const newestReactions = (db: Db, feedIds: readonly number[]): Promise<ReactionPreview[]> =>
  newestOfEach(
    db,
    feedIds,
    (feed) => `select r.id, r.user_id, r.feed_id, r.type, r.created_at, u.display_name as u_display_name, u.avatar as u_avatar
      from reactions r join users u on u.id = r.user_id where r.feed_id = ${feed} and r.comment_id is null order by r.id desc limit ${REACTION_LIMIT}`,
  )
