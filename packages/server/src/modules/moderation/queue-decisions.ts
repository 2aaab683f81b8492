import { may } from '../../auth/authenticate.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { reasonOf } from '../automod/index.ts'
import { commentFor, takeDownComment, updateComment } from '../comments/index.ts'
import { feedFor, lockFeed, takeDownFeed, updateFeed } from '../feeds/index.ts'
import { type DecisionInput, NOTIFY_AUTHOR } from './decision-notifications.ts'
import { banForUpheld } from './decisions.ts'
import { decideReport, openReports } from './queries.ts'

interface Decision {
  readonly decision: 'approve' | 'reject'
  readonly note?: string | null | undefined
}

/** Content in the moderation queue. */
interface HeldContent {
  readonly type: 'feed' | 'comment'
  readonly id: number
  readonly feedId: number
  readonly authorId: number
  readonly reason: string
}

/** Upholds the first report about rejected content and closes the others. Returns the upheld report. */
const upholdReports = async (ctx: WriteRequest, { type, id }: HeldContent): Promise<number | undefined> => {
  const reports = await openReports(ctx.db, [type, id])
  for (const [i, report] of reports.entries()) {
    const status = i === 0 ? 'resolved' : 'reviewed'
    await lockRow(ctx.db, 'reports', report)
    await decideReport(ctx.db, report, { status, action: 'content_removed', moderatorId: ctx.actor.id, note: '' }, ctx.now)
    await ctx.emit(i === 0 ? 'report.resolved' : 'report.updated', { report_id: report })
  }
  return reports[0]
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

/** @throws feed_not_found if the feed is not held or the caller may not decide about it */
export const decideFeed = async (ctx: WriteRequest, feedId: number, decision: Decision) => {
  const { db, actor } = ctx
  const { user_id: authorId, space_id } = await feedFor(ctx, feedId, 'view')
  if (decision.decision === 'reject') await lockRow(db, 'users', authorId)
  await lockFeed(db, feedId)
  const reason = await reasonOf(db, { feedId })
  if (reason === undefined || !may(actor, 'resolve_reports', space_id)) throw new ApiError('feed_not_found')
  const held: HeldContent = { type: 'feed', id: feedId, feedId, authorId, reason }
  if (decision.decision === 'approve') {
    await updateFeed(ctx, feedId, { status: 'published' }, null)
    return recordAndNotify(ctx, held, decision)
  }
  if (!(await takeDownFeed(ctx, feedId))) throw new ApiError('feed_not_found')
  const report = await upholdReports(ctx, held)
  await banForUpheld(ctx, authorId)
  return recordAndNotify(ctx, held, decision, report)
}

/** @throws comment_not_found if the comment is not held or the caller may not decide about it */
export const decideComment = async (ctx: WriteRequest, commentId: number, decision: Decision) => {
  const { db, actor } = ctx
  const { comment, feed, can } = await commentFor(ctx, commentId, 'view')
  const authorId = comment.user_id
  if (decision.decision === 'reject') await lockRow(db, 'users', authorId)
  await lockRow(db, 'feeds', feed.id)
  const reason = await reasonOf(db, { feedId: feed.id, commentId })
  if (reason === undefined || !can.approve || !may(actor, 'resolve_reports', feed.space_id)) throw new ApiError('comment_not_found')
  const held: HeldContent = { type: 'comment', id: commentId, feedId: feed.id, authorId, reason }
  if (decision.decision === 'approve') {
    await updateComment(ctx, feed.id, commentId, { status: 'published' }, null)
    return recordAndNotify(ctx, held, decision)
  }
  if (!(await takeDownComment(ctx, feed.id, commentId))) throw new ApiError('comment_not_found')
  const report = await upholdReports(ctx, held)
  await banForUpheld(ctx, authorId)
  return recordAndNotify(ctx, held, decision, report)
}
