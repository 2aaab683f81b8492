import { type Infer, WEBHOOK_EVENTS, type WebhookDelivery, type WebhookEvent, type Webhook as WebhookShape } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { pick } from '../../util/pick.ts'
import { owns } from './access.ts'
import { maskHeaders } from './custom-headers.ts'
import { messageIdOf } from './deliver.ts'
import type { Delivery, Webhook } from './queries.ts'
import { headersOf, secretsOf } from './secret-encryption.ts'
import { maskSecret } from './signing.ts'

/**
 * A webhook as in lists, without the URL and the headers of another member's webhook, which may contain credentials. `secret`: the secret in
 * plain text, right after its creation.
 */
export const viewWebhook = (
  { actor, now, services }: Pick<ReadRequest, 'actor' | 'now' | 'services'>,
  row: Webhook,
  events: readonly WebhookEvent[],
  secret?: string,
): Infer<typeof WebhookShape> => {
  const isOwn = owns(actor, row)
  const ifAhead = (time: string | null) => (time !== null && time > now ? time : null)
  return {
    ...pick(row, 'id', 'name', 'status', 'created_by', 'retry_count', 'last_triggered_at', 'last_error', 'created_at', 'updated_at'),
    url: isOwn ? row.url : `${new URL(row.url).origin}/…`,
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    secret: secret ?? maskSecret(secretsOf(services, row, now)[0] ?? ''),
    previous_secret_until: ifAhead(row.previous_until),
    headers: isOwn ? maskHeaders(headersOf(services, row)) : {},
    all_content: row.all_content === 1,
    paused_until: ifAhead(row.paused_until),
  }
}

export const viewDelivery = (row: Delivery): Infer<typeof WebhookDelivery> => ({
  ...pick(row, 'id', 'webhook_id', 'attempts', 'response_code', 'response_time', 'attempted_at', 'occurred_at', 'created_at'),
  event: row.event as WebhookEvent,
  message_id: messageIdOf(row),
  status: row.skipped ? 'skipped' : row.status,
  error: row.last_error,
  next_try_at: row.status === 'pending' ? row.next_try_at : null,
})
