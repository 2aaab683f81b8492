import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

export interface WebhookRow {
  id: Generated<number>
  name: string
  url: string
  status: Generated<'active' | 'inactive'>
  /** Encrypted. */
  secret: string
  /** The previous secret, encrypted, which also signs until `previous_until`. */
  previous_secret: string | null
  previous_until: Datetime | null
  /** JSON, encrypted. */
  headers: string
  retry_count: Generated<number>
  /** The user whose permissions decide what is delivered. */
  created_by: number | null
  /** Delivers everything that administrators can see, while its creator is one. */
  all_content: Generated<0 | 1>
  last_triggered_at: Datetime | null
  last_error: string | null
  /** Since when every attempt has failed. */
  failing_since: Datetime | null
  /** Failed attempts since then. */
  failures: Generated<number>
  /** Failed attempts that timed out. */
  slow_failures: Generated<number>
  /** No attempts until then. */
  paused_until: Datetime | null
  /** When a job checks for deliveries that senders have left. */
  recheck_at: Datetime | null
  created_at: Datetime
  updated_at: Datetime
}

export interface WebhookEventRow {
  event: string
  webhook_id: number
}

export interface WebhookDeliveryRow {
  id: Generated<number>
  webhook_id: number
  event_id: number
  /** Its public name. */
  event: string
  /** Its internal name, and its payload: ids only. */
  name: string
  payload: Json
  actor_id: number | null
  occurred_at: Datetime
  status: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  /** Attempts since the event or the last manual redelivery. */
  tries: Generated<number>
  next_try_at: Datetime | null
  /** End of the sender's lease. */
  locked_until: Datetime | null
  attempted_at: Datetime | null
  response_code: number | null
  /** Milliseconds. */
  response_time: number | null
  last_error: string | null
  /** 1: not sent, since the webhook's creator may not see its content. */
  skipped: Generated<0 | 1>
  created_at: Datetime
}
