import type { Check } from './check.ts'

/** Checks of webhooks. */
export const WEBHOOKS: readonly Check[] = [
  {
    name: 'webhook_events',
    about: 'a webhook subscribes to at least one event',
    find: 'select w.id from webhooks w where not exists (select 1 from webhook_events e where e.webhook_id = w.id)',
  },
  {
    name: 'webhook_times',
    about: 'a delivery has a next attempt if and only if it is pending',
    find: `select id from webhook_deliveries where (status = 'pending') <> (next_try_at is not null)`,
  },
]
