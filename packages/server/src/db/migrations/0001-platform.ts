import type { Up } from './dialect.ts'

export const platform: Up = ({ kind, id, int, text }) => [
  `create table users (
      id ${id}, username ${text} not null unique, email ${text} not null unique, password_hash ${text},
      display_name ${text} not null, first_name ${text} not null default '', last_name ${text} not null default '',
      short_description ${text} not null default '', location ${text} not null default '', website ${text} not null default '',
      avatar ${text} not null default '', cover_photo ${text} not null default '', social_links ${text} not null default '{}',
      badge_slugs ${text} not null default '[]', is_verified ${int} not null default 0, is_private ${int} not null default 0,
      status ${text} not null default 'active' check (status in ('active', 'suspended', 'banned', 'unverified', 'pending', 'deleted')),
      total_points ${int} not null default 0, followers_count ${int} not null default 0, followings_count ${int} not null default 0,
      created_at ${text} not null, updated_at ${text} not null, last_activity ${text})`,
  // The directory lists active members: a deep page is skipped within this index.
  `create index users_newest on users (created_at, id) where status = 'active'`,
  `create table managers (
      id ${id}, user_id ${int} not null unique references users (id) on delete cascade,
      role ${text} not null check (role in ('admin', 'manager', 'moderator')), permissions ${text} not null,
      all_spaces ${int} not null, status ${text} not null default 'active' check (status in ('active', 'inactive')),
      assigned_by ${int} references users (id) on delete set null, created_at ${text} not null, updated_at ${text} not null)`,
  `create index managers_assigned_by on managers (assigned_by)`,
  `create table application_passwords (
      id ${id}, user_id ${int} not null references users (id) on delete cascade, name ${text} not null, hash ${text} not null unique,
      created_at ${text} not null, last_used_at ${text}, last_ip ${text})`,
  `create index application_passwords_user on application_passwords (user_id, id)`,
  `create table sessions (
      id ${id}, user_id ${int} not null references users (id) on delete cascade, token_hash ${text} not null unique,
      created_at ${text} not null, last_used_at ${text} not null, expires_at ${text} not null, ip ${text} not null, user_agent ${text} not null)`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,
  `create table tokens (
      hash ${text} primary key, purpose ${text} not null, user_id ${int} references users (id) on delete cascade,
      created_at ${text} not null, expires_at ${text} not null)`,
  `create index tokens_user on tokens (user_id, purpose)`,
  `create index tokens_expiry on tokens (expires_at)`,
  `create table settings (key ${text} primary key, value ${text} not null, updated_at ${text} not null)`,
  // PostgreSQL assigns ids before the commit; the transaction id gives the commit order: see changes/event-log-reader.ts.
  `create table events (id ${id}, name ${text} not null, actor_id ${int}, payload ${text} not null, created_at ${text} not null
      ${kind === 'postgres' ? ', xid xid8 not null default pg_current_xact_id()' : ''})`,
  ...(kind === 'postgres' ? ['create index events_settled on events (xid, id)'] : []),
  `create index events_created on events (created_at)`,
  `create table jobs (
      id ${id}, event_id ${int}, name ${text} not null, outgoing ${int} not null default 0, payload ${text} not null, run_at ${text} not null,
      attempts ${int} not null default 0, status ${text} not null default 'ready' check (status in ('ready', 'parked')),
      last_error ${text}, created_at ${text} not null)`,
  `create unique index jobs_once on jobs (event_id, name) where event_id is not null`,
  `create index jobs_due on jobs (status, outgoing, run_at, id)`,
  `create table idempotency_keys (
      scope ${text} not null, key ${text} not null, request_hash ${text} not null, status ${int} not null, body ${text} not null,
      created_at ${text} not null, primary key (scope, key))`,
  `create index idempotency_keys_created on idempotency_keys (created_at)`,
]
