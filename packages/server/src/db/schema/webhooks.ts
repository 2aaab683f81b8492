import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

export interface WebhookRow {
  id: Generated<number>
  name: string
  url: string
  status: Generated<'active' | 'inactive'>
  /** Sealed. */
  secret: string
  /** The secret before it, sealed, which also signs until `previous_until`. */
  previous_secret: string | null
  previous_until: Datetime | null
  /** JSON, sealed. */
  headers: string
  retry_count: Generated<number>
  /** Whose rights decide what is delivered. */
  created_by: number | null
  /** Delivers everything that an administrator sees, as long as its creator is one. */
  all_content: Generated<0 | 1>
  last_triggered_at: Datetime | null
  last_error: string | null
  /** Since when every attempt has failed. */
  failing_since: Datetime | null
  /** Attempts since then. */
  failures: Generated<number>
  /** Those of them that kept a sender waiting. */
  slow_failures: Generated<number>
  /** Nothing is sent until then. */
  paused_until: Datetime | null
  /** When a job looks whether senders have left something behind. */
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
  /** What receivers call it. */
  event: string
  /** What the community calls it, and its payload: ids only. */
  name: string
  payload: Json
  actor_id: number | null
  occurred_at: Datetime
  status: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  /** Attempts since it was asked for, by the event or by hand. */
  tries: Generated<number>
  next_try_at: Datetime | null
  /** A sender has it until then. */
  locked_until: Datetime | null
  attempted_at: Datetime | null
  response_code: number | null
  /** Milliseconds. */
  response_time: number | null
  last_error: string | null
  /** 1: nothing was sent, since the webhook's creator may not see what it tells. */
  skipped: Generated<0 | 1>
  created_at: Datetime
}
