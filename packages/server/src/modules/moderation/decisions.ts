import type { api, BodyOf, ReportAction } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { readConfig, reasonOf } from '../automod/index.ts'
import { commentFor, takeDownComment, updateComment } from '../comments/index.ts'
import { feedFor, lockFeed, takeDownFeed, updateFeed } from '../feeds/index.ts'
import { assertMayActOn, banByRule, changeAccount } from '../members/index.ts'
import { type DecisionInput, NOTIFY_AUTHOR } from './decision-notifications.ts'
import { countUpheld, decideReport, mayHandleReport, openReports, type ReportRow, reportBy } from './queries.ts'
import { feedOfComment } from './reports.ts'

type Body = BodyOf<typeof api.moderation.update>

/** @throws not_found if it does not exist or the caller may not handle it */
const reportFor = async ({ db, actor }: WriteRequest, id: number): Promise<ReportRow> => {
  const report = await reportBy(db, [id])
  if (!report || !mayHandleReport(actor, 'resolve_reports', report)) throw new ApiError('not_found')
  return report
}

/** Closes the open reports about removed content. The first one gets the status `first`. Returns their ids. */
const closeReports = async (ctx: WriteRequest, type: ReportRow['object_type'], id: number, first: 'reviewed' | 'resolved') => {
  const reports = await openReports(ctx.db, [type, id])
  for (const [i, report] of reports.entries()) {
    const status = i === 0 ? first : 'reviewed'
    await lockRow(ctx.db, 'reports', report)
    await decideReport(ctx.db, [report, status, 'content_removed', ctx.actor.id, '', ctx.now])
    await ctx.emit(status === 'resolved' ? 'report.resolved' : 'report.updated', { report_id: report })
  }
  return reports
}

/** Deletes the reported content and notifies the author, unless it is deleted already. */
const removeContent = async (ctx: WriteRequest, { id: report_id, object_type: type, object_id: id, reported_user_id }: ReportRow) => {
  if (type === 'user') return
  const feed_id = type === 'feed' ? id : await feedOfComment(ctx.db, id)
  if (feed_id === undefined) return
  if (!(type === 'feed' ? await takeDownFeed(ctx, id) : await takeDownComment(ctx, feed_id, id))) return
  const by = { moderator_id: ctx.actor.id, decision: 'reject', note: '', report_id } as const
  await ctx.enqueue(NOTIFY_AUTHOR, { type, id, feed_id, user_id: reported_user_id, ...by } satisfies DecisionInput)
}

/** Applies the action of a decision. @throws rest_forbidden, last_admin */
const applyAction = async (ctx: WriteRequest, report: ReportRow, action: ReportAction): Promise<void> => {
  const { reported_user_id: userId, id } = report
  if (action === 'user_suspended') return changeAccount(ctx, userId, { status: 'suspended' })
  if (action === 'user_banned') return changeAccount(ctx, userId, { status: 'banned' })
  if (action === 'warning' || action === 'content_removed') await assertMayActOn(ctx, userId)
  if (action === 'warning') await ctx.emit('user.warned', { user_id: userId, report_id: id })
  if (action === 'content_removed') await removeContent(ctx, report)
}

/** Bans a member if enough reports about them were upheld. */
const banForUpheld = async (ctx: WriteContext, userId: number): Promise<void> => {
  const { auto_ban_threshold: threshold } = (await readConfig(ctx.db)).report_thresholds
  if (threshold === 0) return
  const upheld = await countUpheld(ctx.db, [userId])
  if (upheld >= threshold) await banByRule(ctx, userId, { upheld_reports: upheld })
}

const checkDecision = ({ status }: Body, action: ReportAction, { object_type, lesson_id }: ReportRow, actionGiven: boolean): void => {
  if (!actionGiven || action === 'none') return
  if (status === 'dismissed') throw invalidField('action_taken', 'cannot be combined with the status dismissed')
  if (object_type === 'user' && (action === 'content_removed' || action === 'content_edited'))
    throw invalidField('action_taken', 'is only for reports about content')
  if (action === 'content_removed' && object_type === 'feed' && lesson_id !== null)
    throw invalidField('action_taken', 'is not for lessons; delete them in their course')
}

/**
 * Decides a report and applies the action, all or nothing. An action that was applied before is not repeated.
 * @throws not_found, invalid_data, rest_forbidden, last_admin
 */
export const updateReport = async (ctx: WriteRequest, reportId: number, body: Body): Promise<ReportRow> => {
  const { db, now, actor } = ctx
  const { status } = body
  const before = await reportFor(ctx, reportId)
  const action = body.action_taken ?? (before.action_taken as ReportAction)
  checkDecision(body, action, before, body.action_taken != null)
  const actionChanges = action !== before.action_taken
  // The account is locked first, here or by the change of the account.
  if (!(actionChanges && (action === 'user_suspended' || action === 'user_banned'))) await lockRow(db, 'users', before.reported_user_id)
  if (actionChanges) await applyAction(ctx, before, action)
  await lockRow(db, 'reports', reportId)
  const note = body.moderator_note ?? before.moderator_note
  const after = await decideReport(db, [reportId, status, action, actor.id, note, now])
  if (!after) throw new ApiError('not_found')
  if (actionChanges && action === 'content_removed') await closeReports(ctx, after.object_type, after.object_id, 'reviewed')
  await ctx.emit(status === 'resolved' ? 'report.resolved' : 'report.updated', { report_id: reportId })
  const details = { status, action_taken: action, reported_user_id: after.reported_user_id }
  await audit(ctx, 'report.decided', { object_type: 'report', object_id: reportId, details })
  if (status === 'resolved') await banForUpheld(ctx, after.reported_user_id)
  return after
}

type Decision = BodyOf<typeof api.moderation.decideFeed>

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
