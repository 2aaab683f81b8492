import type { ErrorCode } from '@lyceum/contract'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statementOne } from '../../db/index.ts'
import { type AccessContext, assertUnlocked, type FeedStanding, feedAbilities, loadFeed } from '../feeds/index.ts'
import { type CommentFor, commentColumns, commentTables } from './view.ts'

/**
 * What the caller may do with a comment of a feed. A pending or spam one is seen by its author and by those who decide about it;
 * text is changed by its author and by moderators of comments.
 */
export const commentAbilities = (
  actor: Actor,
  comment: Pick<CommentFor, 'user_id' | 'status'>,
  feed: AccessContext & Partial<Pick<FeedStanding, 'type'>>,
) => {
  const around = feedAbilities(actor, feed)
  const own = comment.user_id === actor.id
  const asked = feed.type === 'question' && feed.user_id === actor.id
  const decides = around.approve || around.moderateComments
  const view = around.view && (comment.status === 'published' || own || decides)
  return {
    view,
    react: view && around.participate && comment.status === 'published',
    edit: view && ((own && feed.my_status !== 'banned') || around.moderateComments),
    remove: view && (own || around.moderateComments),
    approve: view && decides,
    moderate: view && around.moderateComments,
    pin: view && around.moderateComments,
    /** Says that it helps: who asked the question, and moderators. */
    markHelpful: view && comment.status === 'published' && (around.moderateComments || (asked && around.participate)),
  }
}

export type CommentAbilities = ReturnType<typeof commentAbilities>

const byId = statementOne<CommentFor>(`select ${commentColumns('$2')} from ${commentTables} where c.id = $1`)

export const loadComment = (db: Db, id: number, userId: number): Promise<CommentFor | undefined> => byId(db, [id, userId])

interface Where {
  /** The feed that the path names; a comment of another one is missing there. */
  readonly feedId?: number
  /** The code where it does not exist or must not be seen. */
  readonly missing?: ErrorCode
}

/**
 * The comment with its feed, if the caller has that ability.
 * @throws 404 `missing`, 403 rest_forbidden where it may be seen but not that
 */
export const commentFor = async (
  ctx: Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>,
  id: number,
  ability: keyof CommentAbilities,
  { feedId, missing = 'comment_not_found' }: Where = {},
): Promise<{ comment: CommentFor; feed: FeedStanding; can: CommentAbilities }> => {
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
