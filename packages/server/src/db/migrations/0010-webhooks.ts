import type { Up } from './dialect.ts'

export const webhooks: Up = ({ id, int, text }) => [
  // Secrets and headers are encrypted. Failures are counted since the last success; slow ones are those that timed out.
  `create table webhooks (
      id ${id}, name ${text} not null, url ${text} not null, status ${text} not null default 'active' check (status in ('active', 'inactive')),
      secret ${text} not null, previous_secret ${text}, previous_until ${text}, headers ${text} not null, retry_count ${int} not null default 3,
      created_by ${int} references users (id) on delete set null, last_triggered_at ${text}, last_error ${text},
      failing_since ${text}, failures ${int} not null default 0, slow_failures ${int} not null default 0, paused_until ${text}, wake_at ${text}, created_at ${text} not null, updated_at ${text} not null)`,
  `create index webhooks_creator on webhooks (created_by)`,
  `create table webhook_events (
      event ${text} not null, webhook_id ${int} not null references webhooks (id) on delete cascade, primary key (event, webhook_id))`,
  `create index webhook_events_webhook on webhook_events (webhook_id)`,
  // A copy of the event, ids only: events are deleted earlier than pending deliveries.
  `create table webhook_deliveries (
      id ${id}, webhook_id ${int} not null references webhooks (id) on delete cascade, event_id ${int} not null, event ${text} not null,
      name ${text} not null, payload ${text} not null, actor_id ${int}, occurred_at ${text} not null,
      status ${text} not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts ${int} not null default 0, tries ${int} not null default 0, next_try_at ${text}, locked_until ${text},
      attempted_at ${text}, response_code ${int}, response_time ${int}, last_error ${text}, created_at ${text} not null,
      unique (event_id, webhook_id))`,
  `create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at, id) where status = 'pending'`,
  `create index webhook_deliveries_locked on webhook_deliveries (webhook_id, locked_until) where locked_until is not null`,
  `create index webhook_deliveries_log on webhook_deliveries (webhook_id, id)`,
  `create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, id)`,
  `create index webhook_deliveries_event on webhook_deliveries (webhook_id, event, id)`,
  `create index webhook_deliveries_created on webhook_deliveries (created_at)`,
]
