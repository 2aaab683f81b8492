import { REPORT_REASONS } from '@lyceum/contract'
import { type Context, type Fields, type Handler, type Handlers, named } from './operations.ts'
import { fieldsOf, isFields, listOf, onePage, paginator, renamed, table, textOf, without } from './values.ts'

const REASONS = table<string>({ offensive: 'inappropriate', incorrect_space: 'other', against_community: 'other' })

/** A report by `post_id`, or `parent_id` for a comment. */
const reportBody = ({ body }: Context): Fields => {
  const { content_type, post_id, parent_id, explanation, reason } = body
  if (body['object_id'] !== undefined) return body
  const isComment = content_type === 'comment'
  const known = (REPORT_REASONS as readonly unknown[]).includes(reason) ? reason : (REASONS[textOf(reason)] ?? reason)
  return {
    object_type: isComment ? 'comment' : 'feed',
    object_id: isComment ? parent_id : post_id,
    reason: known,
    description: textOf(explanation) || (known === 'other' ? textOf(reason) : undefined),
  }
}

const OBJECT_TYPES = table<string>({ post: 'feed', feed: 'feed', comment: 'comment', user: 'user' })
const STATUSES = table<string>({ ignored: 'dismissed' })

const reports: Handler = async ({ call, query }) => {
  const { content_type, status, ...rest } = query
  const answer = await call('moderation.reports', {
    query: { object_type: OBJECT_TYPES[content_type ?? ''], status: STATUSES[status ?? ''] ?? status, ...rest },
  })
  const rows = answer.reports.map((row) => ({
    ...row,
    user_id: row.reporter_id,
    type: 'report',
    content_type: row.object_type === 'feed' ? 'post' : row.object_type,
    message: row.reason,
    message_rendered: row.description,
    xprofile: row.reporter,
  }))
  return { ...answer, reports: paginator(rows, answer.pagination) }
}

const decision = ({ body }: Context): Fields => ({ ...body, status: STATUSES[textOf(body['status'])] ?? body['status'] })

const ROLES = ['admin', 'moderator'] as const

/** Maps FluentCommunity's community roles to a manager role. Course roles become managers of spaces. */
const managerBody = ({ body }: Context): Fields => {
  const roles = listOf(body['roles']).map(textOf)
  if (roles.length === 0 || body['role'] !== undefined) return body
  const role = ROLES.find((known) => roles.includes(known))
  return { user_id: body['user_id'], ...(role ? { role } : { role: 'manager', permissions: ['manage_spaces'] }) }
}

/** `{level_1: {title, tagline, …}}` replaces all levels, in order. A list changes only the levels that it contains. */
const saveLevels: Handler = async ({ call, body }) => {
  const sent = listOf(body['levels'])
    .map(fieldsOf)
    .map((level) => without(renamed(level, { tagline: 'description' }), 'level', 'members_count'))
  if (!isFields(body['levels'])) return levelsAnswer(await call('leaderboardLevels.save', { body: { ...body, levels: sent } }))
  const existing = (await call('leaderboardLevels.list')).levels
  const levels = sent.map((level, i) => ({ ...level, ...(existing[i] && { id: existing[i].id }) }))
  const rest = existing.slice(sent.length).map(({ id }) => ({ id, delete: true }))
  return levelsAnswer(await call('leaderboardLevels.save', { body: { ...body, levels: [...levels, ...rest] } }))
}

const levelsAnswer = <A extends { readonly levels: readonly Fields[] }>(answer: A) => ({
  ...answer,
  data: answer.levels,
  levels: Object.fromEntries(answer.levels.map((level, i) => [`level_${i + 1}`, { ...level, tagline: level['description'] }])),
})

export const runningHandlers: Handlers = {
  'POST /moderation/report': async (ctx) => ({ content: '', ...(await named('moderation.report', ['report'], reportBody)(ctx)) }),
  'GET /moderation/reports': reports,
  'PUT /moderation/reports/{report_id}': named('moderation.update', ['report'], decision),
  'POST /settings/moderation-config': ({ call, body }) => call('moderation.saveConfig', { body }),
  'GET /admin/managers': async ({ call, query }) => {
    const { managers, pagination } = await call('managers.list', { query })
    const rows = managers.map((manager) => ({
      ...manager,
      ID: manager.user_id,
      display_name: manager.xprofile.display_name,
      avatar: manager.xprofile.avatar,
      roles: [manager.role],
    }))
    return { managers: paginator(rows, pagination), pagination, total: pagination.total }
  },
  'POST /admin/managers': async (ctx) => {
    const { message, ...manager } = await ctx.call('managers.save', { body: managerBody(ctx) })
    return { ...manager, message, manager: { ...manager, roles: [manager.role] } }
  },
  'GET /admin/webhooks': async ({ call }) => {
    const { webhooks } = await call('webhooks.list')
    return { webhooks: onePage(webhooks.map((webhook) => ({ ...webhook, title: webhook.name }))), spaces: [], courses: [] }
  },
  'POST /admin/webhooks': named('webhooks.create', ['webhook'], ({ body }) => renamed(body, { title: 'name' })),
  'GET /admin/leaderboards/levels': async ({ call }) => levelsAnswer(await call('leaderboardLevels.list')),
  'POST /admin/leaderboards/levels': saveLevels,
  'GET /settings/features': async ({ call }) => ({ ...(await call('settings.features')), addOns: {} }),
}
