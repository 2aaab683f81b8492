import { type Route, route } from '../route.ts'
import { Anything, Datetime, Id, Message, named, nullable, oneOf, Pagination, paging, pathId } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const REPORT_OBJECTS = ['feed', 'comment', 'user'] as const
export const REPORT_REASONS = ['spam', 'harassment', 'hate_speech', 'inappropriate', 'misinformation', 'violence', 'other'] as const
export const REPORT_STATUSES = ['pending', 'reviewed', 'resolved', 'dismissed'] as const
export const REPORT_DECISIONS = ['reviewed', 'resolved', 'dismissed'] as const
export const REPORT_ACTIONS = ['none', 'warning', 'content_removed', 'content_edited', 'user_suspended', 'user_banned'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]
/** Why content is held back. */
export const HOLD_REASONS = ['rule', 'word', 'domain', 'links', 'spam', 'reports', 'rights', 'moderator'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

/** Most characters of what a reporter or a moderator writes. */
export const REPORT_TEXT_LENGTH = 2000
export const MOST_BLOCKED_WORDS = 2000
export const BLOCKED_WORD_LENGTH = 100
export const MOST_BLOCKED_DOMAINS = 2000
export const MOST_TRUSTED_USERS = 1000

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

/** What a moderator sees of a report. */
export const Report = named('Report', {
  ...reported,
  space_id: nullable(Id),
  moderator_id: nullable(Id),
  moderator_note: Type.String({ description: 'For moderators only' }),
  action_taken: oneOf(REPORT_ACTIONS),
  updated_at: Datetime,
  reporter: nullable(Xprofile),
  reported_user: Xprofile,
  content: Type.Object(
    {
      id: Id,
      title: Type.String(),
      excerpt: Type.String(),
      url: Type.String({ description: 'Where it stands; empty once it is gone' }),
      status: Type.String({ description: 'Its present status; `removed` once it is gone' }),
    },
    { description: 'What it said when it was reported; without words for who may not read it' },
  ),
})

const switches = {
  enabled: Type.Boolean(),
  spam_detection: Type.Boolean(),
  profanity_filter: Type.Boolean(),
  link_moderation: Type.Boolean(),
}
const Threshold = Type.Integer({ minimum: 0, maximum: 1_000_000, description: '0: off' })
const thresholds = { auto_hide_threshold: Threshold, auto_ban_threshold: Threshold }
const notices = { email_on_report: Type.Boolean(), chat_webhook: Type.String({ description: 'http(s) address; empty: none' }) }
const lists = {
  blocked_words: Type.Array(Type.String({ maxLength: BLOCKED_WORD_LENGTH * 8 }), { maxItems: MOST_BLOCKED_WORDS }),
  blocked_domains: Type.Array(Type.String({ maxLength: 2048 }), { maxItems: MOST_BLOCKED_DOMAINS, description: 'With their subdomains' }),
  trusted_users: Type.Array(Id, { maxItems: MOST_TRUSTED_USERS, description: 'Ids of people whose content is not held back' }),
}

/** How content is looked at before it appears, and what follows on reports. */
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

/** Content that waits for a decision. */
export const HeldContent = named('HeldContent', {
  object_type: oneOf(['feed', 'comment']),
  object_id: Id,
  feed_id: Id,
  status: oneOf(['pending', 'spam']),
  reason: oneOf(HOLD_REASONS, {
    description:
      'rule: everything is looked at here first; word, domain: a blocked one; links: many of a newcomer; spam: looks like it; reports: many people reported it; rights: its author could no longer publish it as it is; moderator: by hand',
  }),
  details: Anything,
  title: Type.String(),
  excerpt: Type.String(),
  url: Type.String(),
  reports_count: Type.Integer({ minimum: 0, description: 'Open reports' }),
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
  decision: oneOf(['approve', 'reject'], { description: 'approve publishes it, reject deletes it' }),
  note: Type.Optional(nullable(Text('Told to the author'))),
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
    pace: 'reports',
    summary: 'Report a feed, a comment or a person to the moderators',
    description:
      'Somebody has at most one open report about the same: sending another changes it and answers 200. Nobody reports himself. The answer carries nothing of the content.',
    body: Type.Object({
      object_id: Id,
      object_type: oneOf(REPORT_OBJECTS),
      reason: oneOf(REPORT_REASONS),
      description: Type.Optional(nullable(Text('Required for the reason other'))),
    }),
    fieldErrors: { reason: 'invalid_reason' },
    response: Type.Object({ ...reported, message: Type.String() }),
    status: 201,
    unmade: 200,
    errors: ['not_found'],
  }),
  reports: route({
    method: 'GET',
    path: '/moderation/reports',
    access: 'view_reports',
    ...governed,
    summary: 'List reports, newest first',
    description: 'Who is limited to spaces sees those about what stands there.',
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
    summary: 'Decide about a report; the action is carried out',
    description:
      'content_removed deletes what was reported, warning tells the person, user_suspended and user_banned (with the permission ban_members) change the account, content_edited is written down. An action that the report already carries is not carried out again.',
    params: reportId,
    body: Type.Object({
      status: oneOf(REPORT_DECISIONS),
      action_taken: Type.Optional(nullable(oneOf(REPORT_ACTIONS))),
      moderator_note: Type.Optional(nullable(Text('For moderators only'))),
    }),
    response: Type.Object({
      id: Id,
      status: oneOf(REPORT_STATUSES),
      action_taken: oneOf(REPORT_ACTIONS),
      moderator_id: nullable(Id),
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
    summary: 'Delete a report; what followed from it stays',
    params: reportId,
    response: Message,
    errors: ['not_found'],
  }),
  config: route({
    method: 'GET',
    path: '/settings/moderation-config',
    access: 'admin',
    ...governed,
    summary: 'How content is looked at, and what follows on reports',
    response: ModerationConfig,
  }),
  saveConfig: route({
    method: 'POST',
    path: '/moderation/config',
    access: 'admin',
    ...governed,
    summary: 'Change the moderation configuration; only what is sent changes',
    description: 'Groups are merged member by member, lists are replaced. Words and domains come back each once and in their stored form.',
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
    summary: 'List what is pending or marked as spam, longest waiting first',
    query: Type.Object({
      ...paging(20),
      status: Type.Optional(oneOf(['pending', 'spam'])),
      object_type: Type.Optional(oneOf(['feed', 'comment'])),
    }),
    response: Type.Object({ items: Type.Array(HeldContent), pagination: Pagination }),
  }),
  decideFeed: route({
    method: 'POST',
    path: '/moderation/queue/feeds/{feed_id}',
    access: 'resolve_reports',
    ...governed,
    summary: 'Publish or delete a feed that is held back',
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
    summary: 'Publish or delete a comment that is held back',
    params: pathId('comment_id'),
    body: Decision,
    ...decided,
    errors: ['comment_not_found'],
  }),
} as const
