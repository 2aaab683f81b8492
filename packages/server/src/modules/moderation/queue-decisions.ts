import type { api, BodyOf } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { reasonOf } from '../automod/index.ts'
import { commentFor, takeDownComment, updateComment } from '../comments/index.ts'
import { feedFor, lockFeed, takeDownFeed, updateFeed } from '../feeds/index.ts'
import { type DecisionInput, NOTIFY_AUTHOR } from './decision-notifications.ts'
import { banForUpheld, closeReports } from './decisions.ts'

type Decision = BodyOf<typeof api.moderation.decideFeed>

/** Content in the moderation queue. */
interface HeldContent extends Pick<DecisionInput, 'type' | 'id'> {
  readonly feedId: number
  readonly authorId: number
  readonly reason: string
}

const recordAndNotify = async (ctx: WriteRequest, held: HeldContent, { decision, note }: Decision, report_id?: number) => {
  const { type, id, feedId, authorId, reason } = held
  if (decision === 'reject') {
    const details = { reason, ...(type === 'comment' && { feed_id: feedId }), author_id: authorId }
    await audit(ctx, `${type}.rejected`, { object_type: type, object_id: id, details })
  }
  const by = { moderator_id: ctx.actor.id, decision, note: note?.trim() ?? '', report_id }
  const verdict: DecisionInput = { type, id, feed_id: feedId, user_id: authorId, ...by }
  await ctx.enqueue(NOTIFY_AUTHOR, verdict)
  return decision === 'approve'
    ? { message: 'The content was published.', data: { id, status: 'published' as const } }
    : { message: 'The content was deleted.', data: { id, status: 'removed' as const } }
}

/** @throws feed_not_found or comment_not_found if it is not held or the caller may not decide about it */
const decide = async (ctx: WriteRequest, held: Omit<HeldContent, 'reason'>, decision: Decision, mayDecide: boolean) => {
  const { type, id, feedId, authorId } = held
  const isFeed = type === 'feed'
  if (decision.decision === 'reject') await lockRow(ctx.db, 'users', authorId)
  await (isFeed ? lockFeed(ctx.db, id) : lockRow(ctx.db, 'feeds', feedId))
  const reason = await reasonOf(ctx.db, isFeed ? { feedId } : { feedId, commentId: id })
  if (reason === undefined || !mayDecide) throw new ApiError(`${type}_not_found`)
  if (decision.decision === 'approve') {
    const change = { status: 'published' } as const
    await (isFeed ? updateFeed(ctx, id, change, null) : updateComment(ctx, feedId, id, change, null))
    return recordAndNotify(ctx, { ...held, reason }, decision)
  }
  if (!(await (isFeed ? takeDownFeed(ctx, id) : takeDownComment(ctx, feedId, id)))) throw new ApiError(`${type}_not_found`)
  const [upheld] = await closeReports(ctx, type, id, 'resolved')
  await banForUpheld(ctx, authorId)
  return recordAndNotify(ctx, { ...held, reason }, decision, upheld)
}

export const decideFeed = async (ctx: WriteRequest, id: number, decision: Decision) => {
  const { user_id: authorId, space_id } = await feedFor(ctx, id, 'view')
  return decide(ctx, { type: 'feed', id, feedId: id, authorId }, decision, may(ctx.actor, 'resolve_reports', space_id))
}

export const decideComment = async (ctx: WriteRequest, id: number, decision: Decision) => {
  const { comment, feed, can } = await commentFor(ctx, id, 'view')
  const mayDecide = can.approve && may(ctx.actor, 'resolve_reports', feed.space_id)
  return decide(ctx, { type: 'comment', id, feedId: feed.id, authorId: comment.user_id }, decision, mayDecide)
}
