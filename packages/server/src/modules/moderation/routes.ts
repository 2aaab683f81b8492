import { excerpt, plainText } from '@lyceum/content'
import { api, type QueueReason, type ReportAction } from '@lyceum/contract'
import { isStaff } from '../../auth/authenticate.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pagination } from '../../core/pagination.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { pick } from '../../util/pick.ts'
import { audit } from '../audit/index.ts'
import { type ConfigChanges, checkWebhook, readConfig, saveConfig } from '../automod/index.ts'
import { permalink } from '../feeds/view.ts'
import { viewXprofile } from '../members/view.ts'
import { decideComment, decideFeed, updateReport } from './decisions.ts'
import { dropReport, type HeldRow, type ListedReport, listHeld, listReports, peopleBy, reportScopeOf } from './queries.ts'
import { createReport, isReadable } from './reports.ts'
import { viewReport, viewReported } from './view.ts'

const EXCERPT = 280

/** Staff of the location may read the content; others only if they could see it anyway. */
const mayRead = (ctx: ReadRequest, { space_id, lesson_id, object_type, object_id }: ListedReport): boolean | Promise<boolean> =>
  lesson_id !== null || object_type === 'user' || isStaff(ctx.actor, space_id) || isReadable(ctx, object_type, object_id)

const viewHeld = (row: HeldRow, origin: string) => {
  const url = permalink(origin, { slug: row.slug, s_slug: row.s_slug })
  return {
    object_type: row.comment_id === null ? ('feed' as const) : ('comment' as const),
    object_id: row.comment_id ?? row.feed_id,
    ...pick(row, 'feed_id', 'status', 'title', 'reports_count', 'held_at', 'created_at'),
    reason: row.reason as QueueReason,
    details: JSON.parse(row.details) as Record<string, unknown>,
    excerpt: excerpt(plainText(row.html), EXCERPT),
    url: row.comment_id === null ? url : `${url}?comment_id=${row.comment_id}`,
    space: row.space_id === null ? null : { id: row.space_id, title: row.s_title ?? '', slug: row.s_slug ?? '' },
    xprofile: viewXprofile(row),
  }
}

/** Changes for the audit log: numbers of words and domains, not the lists. The URL of a chat webhook is a secret. */
const changesOf = ({ blocked_words, blocked_domains, trusted_users, moderator_notifications, ...others }: ConfigChanges) => ({
  ...others,
  ...(blocked_words && { blocked_words: blocked_words.length }),
  ...(blocked_domains && { blocked_domains: blocked_domains.length }),
  ...(trusted_users && { trusted_users }),
  ...(moderator_notifications && {
    moderator_notifications: {
      email_on_report: moderator_notifications.email_on_report,
      ...(moderator_notifications.chat_webhook !== undefined && { chat_webhook: moderator_notifications.chat_webhook ? 'set' : '' }),
    },
  }),
})

export const moderationHandlers: Handlers<typeof api.moderation> = {
  report: async (ctx, { body }) => {
    const { row, isNew } = await createReport(ctx, body)
    if (!isNew) ctx.setNotCreated()
    return { ...viewReported(row), message: isNew ? 'Your report was sent to the moderators.' : 'Your report was updated.' }
  },

  reports: async (ctx, { query }) => {
    const { db, actor, services } = ctx
    const { rows, total } = await listReports(db, query, reportScopeOf(actor))
    const people = await peopleBy(
      db,
      rows.flatMap((row) => [row.reported_user_id, row.reporter_id ?? 0]),
    )
    const reports = await Promise.all(
      rows.map(async (row) => {
        const reported = people.get(row.reported_user_id)
        if (!reported) return []
        const reporter = people.get(row.reporter_id ?? 0)
        return [viewReport(row, { reporter, reported, readable: await mayRead(ctx, row), origin: services.origin() })]
      }),
    )
    return { reports: reports.flat(), pagination: pagination(total, query.page, query.per_page) }
  },

  update: async (ctx, { params, body }) => {
    const report = await updateReport(ctx, params.report_id, body)
    const action_taken = report.action_taken as ReportAction
    return {
      ...pick(report, 'id', 'status', 'moderator_note', 'updated_at'),
      moderator_id: report.moderator_id ?? 0,
      action_taken,
      message: 'The report was updated.',
    }
  },

  remove: async (ctx, { params }) => {
    if (!(await dropReport(ctx.db, [params.report_id]))) throw new ApiError('not_found')
    await audit(ctx, 'report.deleted', { object_type: 'report', object_id: params.report_id })
    return { message: 'The report was deleted.' }
  },

  config: ({ db }) => readConfig(db),

  saveConfig: prepared(
    api.moderation.saveConfig,
    ({ services }, { body }) => checkWebhook(services, body as ConfigChanges),
    async (ctx, { body }) => {
      const config = await saveConfig(ctx, body as ConfigChanges)
      await audit(ctx, 'moderation.configured', { object_type: 'settings', object_id: null, details: changesOf(body as ConfigChanges) })
      await ctx.emit('settings.changed', {})
      return { message: 'The settings were saved.', config }
    },
  ),

  queue: async ({ db, actor, services }, { query }) => {
    const { rows, total } = await listHeld(db, actor, query)
    return { items: rows.map((row) => viewHeld(row, services.origin())), pagination: pagination(total, query.page, query.per_page) }
  },

  decideFeed: (ctx, { params, body }) => decideFeed(ctx, params.feed_id, body),
  decideComment: (ctx, { params, body }) => decideComment(ctx, params.comment_id, body),
}
