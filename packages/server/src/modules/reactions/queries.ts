import type { ReactionType } from '@lyceum/contract'
import { countRows, type Db, type PageWindow, type Placeholder, selectRows, statement, statementOne } from '../../db/index.ts'
import { REACTION_COLUMNS, REACTION_TABLES, type ReactionColumns, type ReactionFor } from './view.ts'

/** What a reaction belongs to: a feed, or a comment of that feed. */
export interface ReactionTarget {
  readonly feedId: number
  readonly commentId: number | null
}

const COLUMNS = 'id, user_id, feed_id, comment_id, type, ip_address, created_at, updated_at'

const ofFeed = statementOne<ReactionColumns>(`select ${COLUMNS} from reactions where feed_id = $1 and user_id = $2 and comment_id is null`)
const ofComment = statementOne<ReactionColumns>(`select ${COLUMNS} from reactions where comment_id = $1 and user_id = $2`)

export const reactionOf = (db: Db, { feedId, commentId }: ReactionTarget, userId: number): Promise<ReactionColumns | undefined> =>
  commentId === null ? ofFeed(db, [feedId, userId]) : ofComment(db, [commentId, userId])

export const loadReaction = statementOne<ReactionColumns>(`select ${COLUMNS} from reactions where id = $1`)
export const insertReaction = statementOne<ReactionColumns>(
  `insert into reactions (user_id, feed_id, comment_id, type, ip_address, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)
   returning ${COLUMNS}`,
)
export const retypeReaction = statementOne<ReactionColumns>(
  `update reactions set type = $2, ip_address = $3, updated_at = $4 where id = $1 returning ${COLUMNS}`,
)
export const deleteReaction = statement('delete from reactions where id = $1')

const whereOf = ({ feedId, commentId }: ReactionTarget, type: ReactionType | undefined, p: Placeholder): string => {
  const targetCondition = commentId === null ? `r.feed_id = ${p(feedId)} and r.comment_id is null` : `r.comment_id = ${p(commentId)}`
  return type === undefined ? targetCondition : `${targetCondition} and r.type = ${p(type)}`
}

export const listReactions = (db: Db, target: ReactionTarget, type: ReactionType | undefined, { limit, offset }: PageWindow) =>
  selectRows<ReactionFor>(
    db,
    (p) => `select ${REACTION_COLUMNS} from ${REACTION_TABLES} where ${whereOf(target, type, p)} order by r.id desc
      limit ${p(limit)} offset ${p(offset)}`,
  )

/** The number of reactions of one type. For all types together, use the counter of the feed or comment. */
export const countOfType = (db: Db, target: ReactionTarget, type: ReactionType) =>
  countRows(db, (p) => `reactions r where ${whereOf(target, type, p)}`)
