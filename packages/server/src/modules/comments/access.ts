import type { ErrorCode } from '@lyceum/contract'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statementOne } from '../../db/index.ts'
import { type AccessContext, assertUnlocked, type FeedAccessRow, feedAbilities, loadFeed } from '../feeds/index.ts'
import { type CommentFor, commentColumns, commentTables } from './view.ts'

/**
 * Abilities of the actor on a comment. A pending or spam comment is visible to its author and to those who moderate comments; its author
 * and comment moderators may edit the text.
 */
export const commentAbilities = (
  actor: Actor,
  comment: Pick<CommentFor, 'user_id' | 'status'>,
  feed: AccessContext & Partial<Pick<FeedAccessRow, 'type'>>,
) => {
  const feedCan = feedAbilities(actor, feed)
  const own = comment.user_id === actor.id
  const askedQuestion = feed.type === 'question' && feed.user_id === actor.id
  const moderates = feedCan.approve || feedCan.moderateComments
  const view = feedCan.view && (comment.status === 'published' || own || moderates)
  return {
    view,
    react: view && feedCan.participate && comment.status === 'published',
    edit: view && ((own && feed.my_status !== 'banned') || feedCan.moderateComments),
    remove: view && (own || feedCan.moderateComments),
    approve: view && moderates,
    moderate: view && feedCan.moderateComments,
    pin: view && feedCan.moderateComments,
    /** Mark as helpful: the author of the question, and moderators. */
    markHelpful: view && comment.status === 'published' && (feedCan.moderateComments || (askedQuestion && feedCan.participate)),
  }
}

export type CommentAbilities = ReturnType<typeof commentAbilities>

const byId = statementOne<CommentFor>(`select ${commentColumns('$2')} from ${commentTables} where c.id = $1`)

export const loadComment = (db: Db, id: number, userId: number): Promise<CommentFor | undefined> => byId(db, [id, userId])

interface CommentLookup {
  /** The feed in the request path; a comment of another feed counts as missing. */
  readonly feedId?: number
  /** Error code if the comment does not exist or is hidden from the caller. */
  readonly missing?: ErrorCode
}

/**
 * The comment with its feed, if the caller has the ability.
 * @throws 404 `missing`, 403 rest_forbidden if the comment is visible but the ability is missing
 */
export const commentFor = async (
  ctx: Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>,
  id: number,
  ability: keyof CommentAbilities,
  { feedId, missing = 'comment_not_found' }: CommentLookup = {},
): Promise<{ comment: CommentFor; feed: FeedAccessRow; can: CommentAbilities }> => {
  const { db, actor } = ctx
  const comment = await loadComment(db, id, actor.id)
  if (!comment || (feedId !== undefined && comment.post_id !== feedId)) throw new ApiError(missing)
  const feed = await loadFeed(db, comment.post_id, actor.id)
  if (!feed) throw new ApiError(missing)
  const can = commentAbilities(actor, comment, feed)
  if (!can.view) throw new ApiError(missing)
  await assertUnlocked(ctx, feed, missing)
  if (!can[ability]) throw new ApiError('rest_forbidden')
  return { comment, feed, can }
}
