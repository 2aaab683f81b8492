import { excerpt } from '../../content/plain-text.ts'
import type { WriteContext } from '../../core/context.ts'
import { lockRow, statementOne } from '../../db/index.ts'
import { job, on } from '../../jobs/index.ts'
import { HIDDEN_BY_HAND, type HiddenByHand } from '../automod/index.ts'
import { notify } from '../notifications/index.ts'
import { EDITED_BY_MODERATOR, type EditedByModerator } from '../revisions/index.ts'
import { type ReportRow, reportBy } from './queries.ts'

export const TELL_AUTHOR = 'moderation.tell_author'

/** What was decided about something that was held, or reported. */
export interface Verdict {
  readonly type: 'feed' | 'comment'
  readonly id: number
  readonly feed_id: number
  /** Who wrote it. */
  readonly user_id: number
  readonly moderator_id: number
  readonly decision: 'approve' | 'reject'
  readonly note: string
  /** The report that was right, where it was reported. */
  readonly report_id?: number | undefined
}

const NAMES = { feed: 'post', comment: 'comment', user: 'person' } as const

const REASONS: Readonly<Record<string, string>> = {
  spam: 'spam',
  harassment: 'harassment',
  hate_speech: 'hate speech',
  inappropriate: 'inappropriate content',
  misinformation: 'misinformation',
  violence: 'violence',
}
/** The end of “it was reported”; nothing for a reason that only the reporter has words for, which stay with the moderators. */
const forReason = ({ reason }: ReportRow): string => {
  const about = REASONS[reason]
  return about ? ` for ${about}` : ''
}

const publishedFeed = statementOne<{ id: number }>(`select id from feeds where id = $1 and status = 'published'`)
const publishedComment = statementOne<{ id: number }>(`select id from comments where id = $1 and status = 'published'`)
const heldFeed = statementOne<{ status: string }>('select status from feeds where id = $1')
const heldComment = statementOne<{ status: string }>('select status from comments where id = $1')

const isPublished = async ({ db }: WriteContext, { type, id, feed_id }: Verdict): Promise<boolean> => {
  await lockRow(db, 'feeds', feed_id)
  return (type === 'feed' ? await publishedFeed(db, [id]) : await publishedComment(db, [id])) !== undefined
}

const APPROVED = 'A moderator has looked at it, and everybody can see it now.'
const REFUSED = 'A moderator has looked at it and removed it.'
const TITLE_LENGTH = 80

/** What is gone was seen by others if somebody reported it: then its author hears that it was removed, which of it, and for what. */
const refusal = ({ type }: Verdict, report: ReportRow | undefined): { title: string; message: string } => {
  if (!report) return { title: `Your ${NAMES[type]} was not approved`, message: REFUSED }
  const words = excerpt(report.title || report.excerpt, TITLE_LENGTH)
  const title = `Your ${NAMES[type]}${words && ` “${words}”`} was removed`
  return { title, message: `A moderator removed it because of a report${forReason(report)}.` }
}

/** Tells the author what became of what was held or reported. */
export const notifyAuthor = job<Verdict>(TELL_AUTHOR, async (ctx, verdict) => {
  const { type, id, feed_id, user_id: userId, moderator_id: actorId, decision, note, report_id } = verdict
  const approved = decision === 'approve'
  if (approved && !(await isPublished(ctx, verdict))) return
  const report = approved || report_id === undefined ? undefined : await reportBy(ctx.db, report_id)
  const said = approved ? { title: `Your ${NAMES[type]} was approved`, message: APPROVED } : refusal(verdict, report)
  await notify(ctx, {
    userId,
    actorId,
    type: 'moderation',
    subject: `moderation:${type}:${id}:${decision}:${ctx.now}`,
    objectType: type,
    objectId: id,
    ...(approved && { feedId: feed_id, ...(type === 'comment' && { commentId: id }) }),
    meta: { ...said, ...(note && { message: note }) },
  })
})

const HIDDEN: Readonly<Record<string, string>> = {
  pending: 'A moderator took it out of sight. Nobody but you and the moderators sees it until they have decided.',
  spam: 'A moderator took it for spam. Nobody but you and the moderators sees it.',
}

/** Tells the author that a moderator took something of his out of sight, if it still is. */
export const notifyHidden = job<HiddenByHand>(
  HIDDEN_BY_HAND,
  async (ctx, { feed_id, comment_id, user_id: userId, moderator_id: actorId }) => {
    await lockRow(ctx.db, 'feeds', feed_id)
    const [type, objectId] = comment_id === undefined ? (['feed', feed_id] as const) : (['comment', comment_id] as const)
    const row = type === 'feed' ? await heldFeed(ctx.db, [objectId]) : await heldComment(ctx.db, [objectId])
    const message = row && HIDDEN[row.status]
    if (!message) return
    await notify(ctx, {
      userId,
      actorId,
      type: 'moderation',
      subject: `moderation:${type}:${objectId}:hidden:${ctx.now}`,
      objectType: type,
      objectId,
      feedId: feed_id,
      ...(comment_id !== undefined && { commentId: comment_id }),
      meta: { title: `Your ${NAMES[type]} was hidden`, message },
    })
  },
)

/** Tells an author that a moderator edited their content, and why. */
export const notifyEdited = job<EditedByModerator>(
  EDITED_BY_MODERATOR,
  async (ctx, { feed_id, comment_id, user_id: userId, moderator_id: actorId, revision_id, reason }) => {
    await lockRow(ctx.db, 'feeds', feed_id)
    const [type, objectId] = comment_id === undefined ? (['feed', feed_id] as const) : (['comment', comment_id] as const)
    const found = type === 'feed' ? await heldFeed(ctx.db, [objectId]) : await heldComment(ctx.db, [objectId])
    if (!found) return
    await notify(ctx, {
      userId,
      actorId,
      type: 'moderation',
      subject: `moderation:${type}:${objectId}:edited:${revision_id}`,
      objectType: type,
      objectId,
      feedId: feed_id,
      ...(comment_id !== undefined && { commentId: comment_id }),
      meta: { title: `Your ${NAMES[type]} was edited by a moderator`, message: `Reason: ${reason}` },
    })
  },
)

/** Says why somebody was warned; who reported him, and what moderators noted, stays with them. */
export const notifyWarned = on('user.warned', 'moderation.tell_warned', async (ctx, { user_id: userId, report_id: reportId }) => {
  if (reportId === undefined) return
  await lockRow(ctx.db, 'users', userId)
  const report = await reportBy(ctx.db, reportId)
  if (report?.action_taken !== 'warning' || report.moderator_id === null) return
  const what = { feed: 'A post of yours', comment: 'A comment of yours', user: 'Your profile or behaviour' }[report.object_type]
  await notify(ctx, {
    userId,
    actorId: report.moderator_id,
    type: 'moderation',
    subject: `moderation:report:${reportId}`,
    objectType: 'report',
    objectId: reportId,
    meta: {
      title: 'You were warned by the moderators',
      message: `${what} was reported${forReason(report)}. Please follow the rules.`,
    },
  })
})

/** What the reporter hears of a decision: of what it means for somebody else no more than that it was right to report it. */
const outcome = ({ status, action_taken }: ReportRow): string => {
  if (status === 'dismissed') return 'A moderator looked at it and found nothing that is against the rules.'
  if (action_taken === 'content_removed') return 'A moderator looked at it and removed it.'
  if (status === 'resolved') return 'A moderator agrees with you and has done what was needed.'
  return 'A moderator has looked at it.'
}

/** Tells whoever reported something what was decided; once for each decision, and by mail in the digest alone. */
const notifyReporter = async (ctx: WriteContext, reportId: number): Promise<void> => {
  const report = await reportBy(ctx.db, reportId)
  if (!report || report.status === 'pending' || report.reporter_id === null || report.moderator_id === null) return
  const { status, object_type, reporter_id: userId, moderator_id: actorId } = report
  await notify(ctx, {
    userId,
    actorId,
    type: 'moderation',
    subject: `moderation:answer:${reportId}:${status}`,
    objectType: 'report',
    objectId: reportId,
    meta: {
      title: 'The moderators have dealt with your report',
      message: `You reported a ${NAMES[object_type]}${forReason(report)}. ${outcome(report)} Thank you for your report.`,
      unmailed: true,
    },
  })
}

export const notifyReporterOfUpdate = on('report.updated', 'moderation.tell_reporter', (ctx, { report_id }) =>
  notifyReporter(ctx, report_id),
)
export const notifyReporterOfEnd = on('report.resolved', 'moderation.tell_reporter', (ctx, { report_id }) => notifyReporter(ctx, report_id))
