import { type Infer, WEBHOOK_EVENTS, type WebhookDelivery, type WebhookEvent, type Webhook as WebhookShape } from '@lyceum/contract'
import type { Services } from '../../core/context.ts'
import { messageIdOf } from './deliver.ts'
import type { Delivery, Webhook } from './queries.ts'
import { maskHeaders, maskSecret } from './rules.ts'
import { headersOf, secretsOf } from './secret-encryption.ts'

type WebhookView = Infer<typeof WebhookShape>

interface Shown {
  readonly events: readonly WebhookEvent[]
  readonly now: string
  readonly shown?: string
  readonly hidden?: boolean
}

/**
 * A webhook as in lists. `shown`: the secret in plain text, right after its creation; `hidden`: omits the URL of another member's webhook,
 * which may contain credentials.
 */
export const viewWebhook = (services: Services, row: Webhook, { events, now, shown, hidden = false }: Shown): WebhookView => ({
  id: row.id,
  name: row.name,
  url: hidden ? `${new URL(row.url).origin}/…` : row.url,
  events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
  status: row.status,
  secret: shown ?? maskSecret(secretsOf(services, row, now)[0] ?? ''),
  previous_secret_until: row.previous_until !== null && row.previous_until > now ? row.previous_until : null,
  headers: hidden ? {} : maskHeaders(headersOf(services, row)),
  all_content: row.all_content === 1,
  created_by: row.created_by,
  retry_count: row.retry_count,
  last_triggered_at: row.last_triggered_at,
  last_error: row.last_error,
  paused_until: row.paused_until !== null && row.paused_until > now ? row.paused_until : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

export const viewDelivery = (row: Delivery): Infer<typeof WebhookDelivery> => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event: row.event as WebhookEvent,
  message_id: messageIdOf(row),
  status: row.skipped ? 'skipped' : row.status,
  attempts: row.attempts,
  response_code: row.response_code,
  response_time: row.response_time,
  error: row.last_error,
  attempted_at: row.attempted_at,
  next_try_at: row.status === 'pending' ? row.next_try_at : null,
  occurred_at: row.occurred_at,
  created_at: row.created_at,
})
