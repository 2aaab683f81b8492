import { excerpt } from '@lyceum/content'
import type { WriteContext } from '../../core/context.ts'
import { lockRow, lockUsers, statementOne } from '../../db/index.ts'
import { job, on } from '../../jobs/index.ts'
import { idsOf } from '../../util/distinct.ts'
import { type HiddenByHand, NOTIFY_HIDDEN } from '../automod/index.ts'
import { type Notice, notify } from '../notifications/index.ts'
import { type EditedByModerator, NOTIFY_EDITED } from '../revisions/index.ts'
import { type ReportRow, reportBy, reportsOf } from './queries.ts'

export const NOTIFY_AUTHOR = 'moderation.tell_author'

/** A decision about held or reported content. */
export interface DecisionInput {
  readonly type: 'feed' | 'comment'
  readonly id: number
  readonly feed_id: number
  /** The author. */
  readonly user_id: number
  readonly moderator_id: number
  readonly decision: 'approve' | 'reject'
  readonly note: string
  /** The upheld report, if it was reported. */
  readonly report_id?: number | undefined
}

const OBJECT_LABELS = { feed: 'post', comment: 'comment', user: 'person' } as const

const REASON_LABELS: Readonly<Record<string, string>> = {
  spam: 'spam',
  harassment: 'harassment',
  hate_speech: 'hate speech',
  inappropriate: 'inappropriate content',
  misinformation: 'misinformation',
  violence: 'violence',
}
/** The reason as part of a sentence; empty for `other`, whose free text only moderators may read. */
const forReason = ({ reason }: ReportRow): string => {
  const about = REASON_LABELS[reason]
  return about ? ` for ${about}` : ''
}

const statusOf = {
  feed: statementOne<{ status: string }>('select status from feeds where id = $1'),
  comment: statementOne<{ status: string }>('select status from comments where id = $1'),
}

/** The content of a decision, and its status once its feed is locked; undefined if it was deleted. */
const lockContent = async ({ db }: WriteContext, feedId: number, commentId: number | undefined) => {
  await lockRow(db, 'feeds', feedId)
  const [type, id] = commentId === undefined ? (['feed', feedId] as const) : (['comment', commentId] as const)
  return { type, id, status: (await statusOf[type](db, [id]))?.status }
}

type ModerationNotice = Omit<Notice, 'type' | 'objectType' | 'objectId'>

const noticeOf = (objectType: Notice['objectType'], objectId: number, notice: ModerationNotice): Notice => ({
  ...notice,
  type: 'moderation',
  objectType,
  objectId,
})

const APPROVED = 'A moderator has looked at it, and everybody can see it now.'
const REJECTED = 'A moderator has looked at it and removed it.'
const TITLE_LENGTH = 80

/**
 * Reported content was visible to others, so the text says which content was removed and why; content that was only held was not approved.
 */
const rejectionText = ({ type }: DecisionInput, report: ReportRow | undefined): { title: string; message: string } => {
  if (!report) return { title: `Your ${OBJECT_LABELS[type]} was not approved`, message: REJECTED }
  const words = excerpt(report.title || report.excerpt, TITLE_LENGTH)
  const title = `Your ${OBJECT_LABELS[type]}${words && ` “${words}”`} was removed`
  return { title, message: `A moderator removed it because of a report${forReason(report)}.` }
}

export const notifyAuthor = job<DecisionInput>(NOTIFY_AUTHOR, async (ctx, input) => {
  const { type, id, feed_id, user_id: userId, moderator_id: actorId, decision, note, report_id } = input
  const approved = decision === 'approve'
  if (approved && (await lockContent(ctx, feed_id, type === 'comment' ? id : undefined)).status !== 'published') return
  const report = approved || report_id === undefined ? undefined : await reportBy(ctx.db, [report_id])
  const text = approved ? { title: `Your ${OBJECT_LABELS[type]} was approved`, message: APPROVED } : rejectionText(input, report)
  const notice = noticeOf(type, id, {
    userId,
    actorId,
    subject: `moderation:${type}:${id}:${decision}:${ctx.now}`,
    ...(approved && { feedId: feed_id, ...(type === 'comment' && { commentId: id }) }),
    meta: { ...text, ...(note && { message: note }) },
  })
  await notify(ctx, [notice])
})

const HIDDEN_TEXTS: Readonly<Record<string, string>> = {
  pending: 'A moderator took it out of sight. Nobody but you and the moderators sees it until they have decided.',
  spam: 'A moderator took it for spam. Nobody but you and the moderators sees it.',
}

/** Notifies the author of what a moderator did to their content. `about` distinguishes the interventions of the same kind. */
const notifyOfIntervention = async (
  ctx: WriteContext,
  { feed_id: feedId, comment_id: commentId, user_id: userId, moderator_id: actorId }: HiddenByHand,
  { type, id }: Pick<DecisionInput, 'type' | 'id'>,
  { about, done, message }: { readonly about: string; readonly done: string; readonly message: string },
) =>
  notify(ctx, [
    noticeOf(type, id, {
      userId,
      actorId,
      subject: `moderation:${type}:${id}:${about}`,
      feedId,
      ...(commentId !== undefined && { commentId }),
      meta: { title: `Your ${OBJECT_LABELS[type]} was ${done}`, message },
    }),
  ])

/** Notifies the author that a moderator hid their content, if it is still hidden. */
export const notifyHidden = job<HiddenByHand>(NOTIFY_HIDDEN, async (ctx, input) => {
  const content = await lockContent(ctx, input.feed_id, input.comment_id)
  const message = HIDDEN_TEXTS[content.status ?? '']
  if (message) await notifyOfIntervention(ctx, input, content, { about: `hidden:${ctx.now}`, done: 'hidden', message })
})

/** Notifies the author that a moderator edited their content, and why. */
export const notifyEdited = job<EditedByModerator>(NOTIFY_EDITED, async (ctx, input) => {
  const content = await lockContent(ctx, input.feed_id, input.comment_id)
  if (!content.status) return
  const text = { done: 'edited by a moderator', message: `Reason: ${input.reason}` }
  await notifyOfIntervention(ctx, input, content, { about: `edited:${input.revision_id}`, ...text })
})

/** Notifies members of the reason for a warning. The reporter and the moderators' notes stay confidential. */
export const notifyWarned = on('user.warned', 'moderation.tell_warned', async (ctx, events) => {
  await lockUsers(ctx.db, idsOf(events, 'user_id'))
  const reports = await reportsOf(
    ctx.db,
    events.flatMap(({ report_id }) => (report_id === undefined ? [] : { report_id })),
  )
  const notices = reports.flatMap((report) => {
    const { id, action_taken, moderator_id: actorId, reported_user_id: userId, object_type } = report
    if (action_taken !== 'warning' || actorId === null) return []
    const what = { feed: 'A post of yours', comment: 'A comment of yours', user: 'Your profile or behaviour' }[object_type]
    const meta = {
      title: 'You were warned by the moderators',
      message: `${what} was reported${forReason(report)}. Please follow the rules.`,
    }
    return [noticeOf('report', id, { userId, actorId, subject: `moderation:report:${id}`, meta })]
  })
  await notify(ctx, notices)
})

/** The outcome for the reporter. Beyond the fact that the report was right, it reveals nothing about measures against another person. */
const outcomeText = ({ status, action_taken }: ReportRow): string => {
  if (status === 'dismissed') return 'A moderator looked at it and found nothing that is against the rules.'
  if (action_taken === 'content_removed') return 'A moderator looked at it and removed it.'
  if (status === 'resolved') return 'A moderator agrees with you and has done what was needed.'
  return 'A moderator has looked at it.'
}

/** Notifies reporters of decisions, once per decision; by email only in the digest. */
const notifyReporters = async (ctx: WriteContext, events: readonly { readonly report_id: number }[]): Promise<void> => {
  const notices = (await reportsOf(ctx.db, events)).flatMap((report) => {
    const { id, status, object_type, reporter_id: userId, moderator_id: actorId } = report
    if (status === 'pending' || userId === null || actorId === null) return []
    const meta = {
      title: 'The moderators have dealt with your report',
      message: `You reported a ${OBJECT_LABELS[object_type]}${forReason(report)}. ${outcomeText(report)} Thank you for your report.`,
      unmailed: true,
    } as const
    return [noticeOf('report', id, { userId, actorId, subject: `moderation:answer:${id}:${status}`, meta })]
  })
  await notify(ctx, notices)
}

export const reporterListeners = (['report.updated', 'report.resolved'] as const).map((event) =>
  on(event, 'moderation.tell_reporter', notifyReporters),
)
