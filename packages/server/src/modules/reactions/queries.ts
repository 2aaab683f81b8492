import type { ReactionType } from '@lyceum/contract'
import { type Db, type Placeholder, parameters, runText, statement, statementOne } from '../../db/index.ts'
import { REACTION_COLUMNS, REACTION_TABLES, type ReactionColumns, type ReactionFor } from './view.ts'

/** What a reaction belongs to: a feed, or a comment of that feed. */
export interface ReactionTarget {
  readonly feedId: number
  readonly commentId: number | null
}

const COLUMNS = 'id, user_id, feed_id, comment_id, type, ip_address, created_at, updated_at'

const ofFeed = statementOne<ReactionColumns>(`select ${COLUMNS} from reactions where feed_id = $1 and user_id = $2 and comment_id is null`)
const ofComment = statementOne<ReactionColumns>(`select ${COLUMNS} from reactions where comment_id = $1 and user_id = $2`)
const byId = statementOne<ReactionColumns>(`select ${COLUMNS} from reactions where id = $1`)
const insert = statementOne<ReactionColumns>(
  `insert into reactions (user_id, feed_id, comment_id, type, ip_address, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)
   returning ${COLUMNS}`,
)
const retype = statementOne<ReactionColumns>(
  `update reactions set type = $2, ip_address = $3, updated_at = $4 where id = $1 returning ${COLUMNS}`,
)
const remove = statement('delete from reactions where id = $1')

const requireRow = <Row>(row: Row | undefined): Row => {
  if (!row) throw new Error('a locked reaction is gone')
  return row
}

export const reactionOf = (db: Db, { feedId, commentId }: ReactionTarget, userId: number): Promise<ReactionColumns | undefined> =>
  commentId === null ? ofFeed(db, [feedId, userId]) : ofComment(db, [commentId, userId])

export const loadReaction = (db: Db, id: number): Promise<ReactionColumns | undefined> => byId(db, [id])

export const insertReaction = async (
  db: Db,
  { feedId, commentId }: ReactionTarget,
  { userId, type, ip, now }: { userId: number; type: ReactionType; ip: string; now: string },
): Promise<ReactionColumns> => requireRow(await insert(db, [userId, feedId, commentId, type, ip, now]))

export const retypeReaction = async (db: Db, id: number, type: ReactionType, ip: string, now: string): Promise<ReactionColumns> =>
  requireRow(await retype(db, [id, type, ip, now]))

export const deleteReaction = (db: Db, id: number) => remove(db, [id])

const whereOf = ({ feedId, commentId }: ReactionTarget, type: ReactionType | undefined, p: Placeholder): string => {
  const targetCondition = commentId === null ? `r.feed_id = ${p(feedId)} and r.comment_id is null` : `r.comment_id = ${p(commentId)}`
  return type === undefined ? targetCondition : `${targetCondition} and r.type = ${p(type)}`
}

/** One page of reactions, newest first. */
export const listReactions = (
  db: Db,
  target: ReactionTarget,
  type: ReactionType | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReactionFor[]> => {
  const { values, p } = parameters()
  const text = `select ${REACTION_COLUMNS} from ${REACTION_TABLES} where ${whereOf(target, type, p)} order by r.id desc
    limit ${p(limit)} offset ${p(offset)}`
  return runText<ReactionFor>(db, text, values)
}

/** The number of reactions of one type. For all types together, use the counter of the feed or comment. */
export const countOfType = async (db: Db, target: ReactionTarget, type: ReactionType): Promise<number> => {
  const { values, p } = parameters()
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from reactions r where ${whereOf(target, type, p)}`, values)
  return row?.n ?? 0
}
