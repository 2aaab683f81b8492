import type { Check } from './check.ts'

/** What is sent to other systems. */
export const WEBHOOKS: readonly Check[] = [
  {
    name: 'webhook_events',
    about: 'a webhook wants some event',
    find: 'select w.id from webhooks w where not exists (select 1 from webhook_events e where e.webhook_id = w.id)',
  },
  {
    name: 'webhook_times',
    about: 'a delivery that waits, and no other, has a time at which it is tried',
    find: `select id from webhook_deliveries where (status = 'pending') <> (next_try_at is not null)`,
  },
]
