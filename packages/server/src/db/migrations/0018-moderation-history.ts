import type { Up } from './dialect.ts'

const ADMIN = `select 1 from managers m where m.user_id = w.created_by and m.role = 'admin' and m.status = 'active'`

/** Edits by moderators keep the previous content; webhooks see what their creators see unless they are marked. */
export const moderationHistory: Up = ({ id, int, text }) => [
  // edited_at: the last change of the content, as opposed to a pin or a move.
  `alter table feeds add column edited_at ${text}`,
  `alter table feeds add column edited_by_moderator ${int} not null default 0`,
  `alter table comments add column edited_at ${text}`,
  `alter table comments add column edited_by_moderator ${int} not null default 0`,
  `update feeds set edited_at = updated_at where status not in ('draft', 'scheduled') and updated_at > published_at`,
  `update comments set edited_at = updated_at where updated_at > created_at`,
  // The content before an edit by someone other than its author.
  `create table content_revisions (
      id ${id}, feed_id ${int} not null references feeds (id) on delete cascade,
      comment_id ${int} references comments (id) on delete cascade,
      author_id ${int} not null references users (id) on delete cascade, editor_id ${int} references users (id) on delete set null, reason ${text} not null, title ${text} not null,
      message ${text} not null, content_type ${text} not null, meta ${text} not null, created_at ${text} not null)`,
  `create index content_revisions_feed on content_revisions (feed_id, id) where comment_id is null`,
  `create index content_revisions_within on content_revisions (feed_id)`,
  `create index content_revisions_comment on content_revisions (comment_id, id)`,
  `create index content_revisions_author on content_revisions (author_id, id)`,
  `create index content_revisions_editor on content_revisions (editor_id)`,
  // The network of a failed sign-in; user_id: the account, if it exists.
  `create table sign_in_failures (
      id ${id}, user_id ${int} references users (id) on delete cascade, network ${text} not null, created_at ${text} not null)`,
  `create index sign_in_failures_user on sign_in_failures (user_id, id)`,
  `create index sign_in_failures_age on sign_in_failures (created_at)`,
  `alter table webhooks add column all_content ${int} not null default 0`,
  `update webhooks set all_content = 1 where id in (select w.id from webhooks w where exists (${ADMIN}))`,
  // A delivery that was not sent because the webhook's creator may not see its content.
  `alter table webhook_deliveries add column skipped ${int} not null default 0`,
]
