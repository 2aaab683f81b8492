import { type Route, route } from '../route.ts'
import { Anything, Datetime, Id, IdOrZero, Message, named, nullable, oneOf, Pagination, paging, pathId } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const REPORT_OBJECTS = ['feed', 'comment', 'user'] as const
export const REPORT_REASONS = ['spam', 'harassment', 'hate_speech', 'inappropriate', 'misinformation', 'violence', 'other'] as const
export const REPORT_STATUSES = ['pending', 'reviewed', 'resolved', 'dismissed'] as const
const REPORT_DECISIONS = ['reviewed', 'resolved', 'dismissed'] as const
export const REPORT_ACTIONS = ['none', 'warning', 'content_removed', 'content_edited', 'user_suspended', 'user_banned'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]
/** Why content is in the moderation queue. */
export const QUEUE_REASONS = ['rule', 'word', 'domain', 'links', 'spam', 'reports', 'rights', 'moderator'] as const
export type QueueReason = (typeof QUEUE_REASONS)[number]

/** Maximum length of texts by reporters and moderators, in characters. */
export const REPORT_TEXT_LENGTH = 2000
const MAX_BLOCKED_WORDS = 2000
export const BLOCKED_WORD_LENGTH = 100
const MAX_BLOCKED_DOMAINS = 2000
const MAX_TRUSTED_USERS = 1000

const governed = { feature: 'moderation' } as const satisfies Partial<Route>
const Text = (description: string) => Type.String({ maxLength: REPORT_TEXT_LENGTH, description })
const reportId = pathId('report_id')

const reported = {
  id: Id,
  reporter_id: nullable(Id),
  reported_user_id: Id,
  object_id: Id,
  object_type: oneOf(REPORT_OBJECTS),
  reason: oneOf(REPORT_REASONS),
  description: Type.String(),
  status: oneOf(REPORT_STATUSES),
  created_at: Datetime,
}

/** A report, for moderators. */
export const Report = named('Report', {
  ...reported,
  space_id: nullable(Id),
  moderator_id: IdOrZero,
  moderator_note: Type.String({ description: 'A note for moderators.' }),
  action_taken: oneOf(REPORT_ACTIONS),
  updated_at: Datetime,
  reporter: nullable(Xprofile),
  reported_user: Xprofile,
  content: Type.Object(
    {
      id: Id,
      title: Type.String(),
      excerpt: Type.String(),
      url: Type.String({ description: 'URL of the content; empty if it no longer exists.' }),
      status: Type.String({ description: 'Current status of the content; `removed` if it no longer exists.' }),
    },
    { description: 'The content at the time of the report; without text if the caller cannot read it.' },
  ),
})

const switches = {
  enabled: Type.Boolean(),
  spam_detection: Type.Boolean(),
  profanity_filter: Type.Boolean(),
  link_moderation: Type.Boolean(),
}
const Threshold = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Number of reports that triggers the action; 0 disables it.',
})
const thresholds = { auto_hide_threshold: Threshold, auto_ban_threshold: Threshold }
const notices = {
  email_on_report: Type.Boolean(),
  chat_webhook: Type.String({ description: 'URL for chat notifications (http or https); empty for none.' }),
}
const lists = {
  blocked_words: Type.Array(Type.String({ maxLength: BLOCKED_WORD_LENGTH * 8 }), { maxItems: MAX_BLOCKED_WORDS }),
  blocked_domains: Type.Array(Type.String({ maxLength: 2048 }), {
    maxItems: MAX_BLOCKED_DOMAINS,
    description: 'Blocked domains, including their subdomains.',
  }),
  trusted_users: Type.Array(Id, { maxItems: MAX_TRUSTED_USERS, description: 'Ids of users whose content is never queued.' }),
}

/** How new content is checked, and what reports trigger. */
export const ModerationConfig = named('ModerationConfig', {
  auto_moderation: Type.Object(switches),
  report_thresholds: Type.Object(thresholds),
  moderator_notifications: Type.Object(notices),
  ...lists,
})

const nullableFlag = nullable(Type.Boolean())
const ConfigInput = Type.Object({
  auto_moderation: Type.Optional(
    Type.Object({
      enabled: Type.Optional(nullableFlag),
      spam_detection: Type.Optional(nullableFlag),
      profanity_filter: Type.Optional(nullableFlag),
      link_moderation: Type.Optional(nullableFlag),
    }),
  ),
  report_thresholds: Type.Optional(
    Type.Object({ auto_hide_threshold: Type.Optional(nullable(Threshold)), auto_ban_threshold: Type.Optional(nullable(Threshold)) }),
  ),
  moderator_notifications: Type.Optional(
    Type.Object({
      email_on_report: Type.Optional(nullableFlag),
      chat_webhook: Type.Optional(nullable(Type.String({ maxLength: 2048 }))),
    }),
  ),
  blocked_words: Type.Optional(lists.blocked_words),
  blocked_domains: Type.Optional(lists.blocked_domains),
  trusted_users: Type.Optional(lists.trusted_users),
})

/** Content in the moderation queue. */
export const QueuedContent = named('QueuedContent', {
  object_type: oneOf(['feed', 'comment']),
  object_id: Id,
  feed_id: Id,
  status: oneOf(['pending', 'spam']),
  reason: oneOf(QUEUE_REASONS, {
    description:
      'Why the content is queued. `rule`: all content in this place is reviewed; `word`, `domain`: it contains a blocked one; `links`: many links from a new member; `spam`: the spam filter; `reports`: many reports; `rights`: the author can no longer publish it; `moderator`: queued manually.',
  }),
  details: Anything,
  title: Type.String(),
  excerpt: Type.String(),
  url: Type.String(),
  reports_count: Type.Integer({ minimum: 0, description: 'Number of open reports.' }),
  space: Type.Unsafe<{ id: number; title: string; slug: string } | null>({
    type: ['object', 'null'],
    properties: { id: Id, title: Type.String(), slug: Type.String() },
    required: ['id', 'title', 'slug'],
  }),
  xprofile: Xprofile,
  held_at: Datetime,
  created_at: Datetime,
})

const Decision = Type.Object({
  decision: oneOf(['approve', 'reject'], { description: '`approve` publishes the content, `reject` deletes it.' }),
  note: Type.Optional(nullable(Text('A note that is sent to the author.'))),
})
const decided = {
  response: Type.Object({ message: Type.String(), data: Type.Object({ id: Id, status: oneOf(['published', 'removed']) }) }),
} as const

export const moderation = {
  report: route({
    method: 'POST',
    path: '/moderation/report',
    access: 'member',
    ...governed,
    writeLimit: 'reports',
    summary: 'Report content or a user',
    description:
      'A reporter has at most one open report about an object: reporting it again updates the report and returns 200. Users cannot report themselves. The response contains no reported content.',
    body: Type.Object({
      object_id: Id,
      object_type: oneOf(REPORT_OBJECTS),
      reason: oneOf(REPORT_REASONS),
      description: Type.Optional(nullable(Text('Details of the report; required with the reason `other`.'))),
    }),
    fieldErrors: { reason: 'invalid_reason' },
    response: Type.Object({ ...reported, message: Type.String() }),
    status: 201,
    alternateStatus: 200,
    errors: ['not_found'],
  }),
  reports: route({
    method: 'GET',
    path: '/moderation/reports',
    access: 'view_reports',
    ...governed,
    summary: 'List reports',
    description: 'Newest first. Moderators who are limited to spaces see the reports about content in these spaces.',
    query: Type.Object({
      ...paging(20),
      status: Type.Optional(oneOf(REPORT_STATUSES)),
      reason: Type.Optional(oneOf(REPORT_REASONS)),
      object_type: Type.Optional(oneOf(REPORT_OBJECTS)),
    }),
    response: Type.Object({ reports: Type.Array(Report), pagination: Pagination }),
  }),
  update: route({
    method: 'PUT',
    path: '/moderation/reports/{report_id}',
    access: 'resolve_reports',
    ...governed,
    summary: 'Resolve a report',
    description:
      'Performs the action: `content_removed` deletes the reported content, `warning` notifies its author, `user_suspended` and `user_banned` (both require `ban_members`) change the account, `content_edited` is only recorded. An action that the report already has is not performed again.',
    params: reportId,
    body: Type.Object({
      status: oneOf(REPORT_DECISIONS),
      action_taken: Type.Optional(nullable(oneOf(REPORT_ACTIONS))),
      moderator_note: Type.Optional(nullable(Text('A note for moderators.'))),
    }),
    response: Type.Object({
      id: Id,
      status: oneOf(REPORT_STATUSES),
      action_taken: oneOf(REPORT_ACTIONS),
      moderator_id: IdOrZero,
      moderator_note: Type.String(),
      updated_at: Datetime,
      message: Type.String(),
    }),
    errors: ['not_found', 'user_not_found', 'last_admin'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/moderation/reports/{report_id}',
    access: 'admin',
    ...governed,
    summary: 'Delete a report',
    params: reportId,
    response: Message,
    errors: ['not_found'],
  }),
  config: route({
    method: 'GET',
    path: '/settings/moderation-config',
    access: 'admin',
    ...governed,
    summary: 'Get the moderation settings',
    response: ModerationConfig,
  }),
  saveConfig: route({
    method: 'POST',
    path: '/moderation/config',
    access: 'admin',
    ...governed,
    summary: 'Update the moderation settings',
    description:
      'Only the fields that are sent change. Groups are merged by key, lists are replaced. Words and domains are returned without duplicates and in their normalized form.',
    body: ConfigInput,
    wrapper: 'config',
    response: Type.Object({ message: Type.String(), config: ModerationConfig }),
    errors: ['invalid_url'],
  }),
  queue: route({
    method: 'GET',
    path: '/moderation/queue',
    access: 'resolve_reports',
    ...governed,
    summary: 'List queued content',
    query: Type.Object({
      ...paging(20),
      status: Type.Optional(oneOf(['pending', 'spam'])),
      object_type: Type.Optional(oneOf(['feed', 'comment'])),
    }),
    response: Type.Object({ items: Type.Array(QueuedContent), pagination: Pagination }),
  }),
  decideFeed: route({
    method: 'POST',
    path: '/moderation/queue/feeds/{feed_id}',
    access: 'resolve_reports',
    ...governed,
    summary: 'Approve or reject a feed',
    params: pathId('feed_id'),
    body: Decision,
    ...decided,
    errors: ['feed_not_found'],
  }),
  decideComment: route({
    method: 'POST',
    path: '/moderation/queue/comments/{comment_id}',
    access: 'resolve_reports',
    ...governed,
    summary: 'Approve or reject a comment',
    params: pathId('comment_id'),
    body: Decision,
    ...decided,
    errors: ['comment_not_found'],
  }),
} as const
