import type { Up } from './dialect.ts'

export const moderation: Up = ({ id, int, text }) => [
  // No foreign keys to accounts: an entry outlives the account.
  `create table audit_log (
      id ${id}, actor_id ${int}, action ${text} not null, object_type ${text} not null, object_id ${int},
      details ${text} not null default '{}', ip_address ${text} not null default '', request_id ${text} not null default '',
      created_at ${text} not null)`,
  `create index audit_log_actor on audit_log (actor_id, id)`,
  `create index audit_log_action on audit_log (action, id)`,
  `create index audit_log_object on audit_log (object_type, object_id, id)`,
  `create index audit_log_type on audit_log (object_type, id)`,
  `create index audit_log_time on audit_log (created_at, id)`,

  `create table reports (
      id ${id}, reporter_id ${int} references users (id) on delete set null,
      reported_user_id ${int} not null references users (id) on delete cascade,
      object_type ${text} not null check (object_type in ('feed', 'comment', 'user')), object_id ${int} not null,
      space_id ${int} references spaces (id) on delete set null, lesson_id ${int}, reason ${text} not null, description ${text} not null default '',
      status ${text} not null default 'pending' check (status in ('pending', 'reviewed', 'resolved', 'dismissed')),
      moderator_id ${int} references users (id) on delete set null, moderator_note ${text} not null default '',
      action_taken ${text} not null default 'none', title ${text} not null default '', excerpt ${text} not null default '',
      created_at ${text} not null, updated_at ${text} not null)`,
  // A second report by the same member updates the first one.
  `create unique index reports_open on reports (reporter_id, object_type, object_id) where status = 'pending'`,
  `create index reports_object on reports (object_type, object_id, status)`,
  `create index reports_person on reports (reported_user_id, status)`,
  `create index reports_status on reports (status, id)`,
  `create index reports_reason on reports (reason, id)`,
  `create index reports_type on reports (object_type, id)`,
  `create index reports_space on reports (space_id, id)`,
  `create index reports_moderator on reports (moderator_id) where moderator_id is not null`,

  `create table holds (
      id ${id}, feed_id ${int} not null references feeds (id) on delete cascade,
      comment_id ${int} references comments (id) on delete cascade, reason ${text} not null, details ${text} not null default '{}',
      created_at ${text} not null)`,
  `create unique index holds_feed on holds (feed_id) where comment_id is null`,
  `create unique index holds_comment on holds (comment_id)`,
  `create index holds_of on holds (feed_id, comment_id)`,
  `insert into holds (feed_id, reason, created_at) select id, 'moderator', updated_at from feeds
      where status in ('pending', 'spam') order by updated_at, id`,
  `insert into holds (feed_id, comment_id, reason, created_at) select post_id, id, 'moderator', updated_at from comments
      where status in ('pending', 'spam') order by updated_at, id`,

  `create table moderation_config (id ${int} primary key check (id = 1), value ${text} not null, updated_at ${text} not null)`,
]
