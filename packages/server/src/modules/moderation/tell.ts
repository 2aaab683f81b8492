import { lockRow, statementOne } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { job, on } from '../../platform/jobs/index.ts'
import { notify } from '../notifications/index.ts'
import { reportBy } from './queries.ts'

export const TELL_AUTHOR = 'moderation.tell_author'

/** What was decided about something that was held. */
export interface Verdict {
  readonly type: 'feed' | 'comment'
  readonly id: number
  readonly feed_id: number
  /** Who wrote it. */
  readonly user_id: number
  readonly moderator_id: number
  readonly decision: 'approve' | 'reject'
  readonly note: string
}

const publishedFeed = statementOne<{ id: number }>(`select id from feeds where id = $1 and status = 'published'`)
const publishedComment = statementOne<{ id: number }>(`select id from comments where id = $1 and status = 'published'`)

const isPublished = async ({ db }: WriteContext, { type, id, feed_id }: Verdict): Promise<boolean> => {
  await lockRow(db, 'feeds', feed_id)
  return (type === 'feed' ? await publishedFeed(db, [id]) : await publishedComment(db, [id])) !== undefined
}

const NAMES = { feed: 'post', comment: 'comment' } as const

/** Tells the author what became of what was held. */
export const tellAuthor = job<Verdict>(TELL_AUTHOR, async (ctx, verdict) => {
  const { type, id, feed_id, user_id: userId, moderator_id: actorId, decision, note } = verdict
  const approved = decision === 'approve'
  if (approved && !(await isPublished(ctx, verdict))) return
  const title = approved ? `Your ${NAMES[type]} was approved` : `Your ${NAMES[type]} was not approved`
  const usual = approved ? 'A moderator has looked at it, and everybody can see it now.' : 'A moderator has looked at it and removed it.'
  await notify(ctx, {
    userId,
    actorId,
    type: 'moderation',
    subject: `moderation:${type}:${id}:${decision}:${ctx.now}`,
    objectType: type,
    objectId: id,
    ...(approved && { feedId: feed_id, ...(type === 'comment' && { commentId: id }) }),
    meta: { title, message: note || usual },
  })
})

const REASONS: Readonly<Record<string, string>> = {
  spam: 'spam',
  harassment: 'harassment',
  hate_speech: 'hate speech',
  inappropriate: 'inappropriate content',
  misinformation: 'misinformation',
  violence: 'violence',
}

/** Says why somebody was warned; who reported him, and what moderators noted, stays with them. */
export const tellWarned = on('user.warned', 'moderation.tell_warned', async (ctx, { user_id: userId, report_id: reportId }) => {
  if (reportId === undefined) return
  await lockRow(ctx.db, 'users', userId)
  const report = await reportBy(ctx.db, reportId)
  if (report?.action_taken !== 'warning' || report.moderator_id === null) return
  const what = { feed: 'A post of yours', comment: 'A comment of yours', user: 'Your profile or behaviour' }[report.object_type]
  const about = REASONS[report.reason]
  await notify(ctx, {
    userId,
    actorId: report.moderator_id,
    type: 'moderation',
    subject: `moderation:report:${reportId}`,
    objectType: 'report',
    objectId: reportId,
    meta: {
      title: 'You were warned by the moderators',
      message: `${what} was reported${about ? ` for ${about}` : ''}. Please keep to the rules.`,
    },
  })
})
