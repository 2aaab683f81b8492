import type { WebhookEvent } from '@lyceum/contract'
import {
  batchStatement,
  type Db,
  isSingleWriter,
  type PageWindow,
  type Placeholder,
  selectPage,
  statement,
  statementExists,
  statementNumber,
  statementOne,
  statementRowCount,
  statementValues,
  type WebhookDeliveryRow,
  type WebhookRow,
} from '../../db/index.ts'

export type Webhook = WebhookRow
export type Delivery = WebhookDeliveryRow

export const listWebhooks = statement<Webhook>('select * from webhooks order by id desc')
const allEvents = statement<{ webhook_id: number; event: WebhookEvent }>('select webhook_id, event from webhook_events')
export const loadWebhook = statementOne<Webhook>('select * from webhooks where id = $1')
export const eventsOf = statementValues<WebhookEvent>('select event from webhook_events where webhook_id = $1')
export const countWebhooks = statementNumber('select count(*) as n from webhooks')
export const deleteWebhook = statementExists('delete from webhooks where id = $1 returning id')
const dropEvents = statement('delete from webhook_events where webhook_id = $1')
const addEvent = statement('insert into webhook_events (webhook_id, event) values ($1, $2) on conflict do nothing')

export const listEvents = async (db: Db): Promise<Map<number, WebhookEvent[]>> => {
  const rows = Map.groupBy(await allEvents(db), (row) => row.webhook_id)
  return new Map([...rows].map(([id, list]) => [id, list.map(({ event }) => event)]))
}

export const saveEvents = async (db: Db, id: number, events: readonly WebhookEvent[]): Promise<void> => {
  await dropEvents(db, [id])
  for (const event of events) await addEvent(db, [id, event])
}

const subscribed = statementOne<{ found: number }>(
  `select 1 as found from webhook_events e join webhooks w on w.id = e.webhook_id where e.event = $1 and w.status = 'active' limit 1`,
)
export const isSubscribed = async (db: Db, event: WebhookEvent): Promise<boolean> => (await subscribed(db, [event])) !== undefined

const recording = (lock: string) =>
  batchStatement<{ webhook_id: number }>(
    { event_id: 'bigint' },
    (rows) => `insert into webhook_deliveries (webhook_id, event_id, event, name, payload, actor_id, occurred_at, next_try_at, created_at)
     select w.id, v.id, e.event, v.name, v.payload, v.actor_id, v.created_at, $3, $3
     from ${rows} d cross join webhook_events e join webhooks w on w.id = e.webhook_id join events v on v.id = d.event_id
     where e.event = $2 and w.status = 'active' order by w.id, v.id ${lock}
     on conflict (event_id, webhook_id) do nothing returning webhook_id`,
  )
/** Inserts one row per event and subscribed active webhook, idempotently. The key-share lock waits for a concurrent deletion of the webhook. */
const record = { alone: recording(''), among: recording('for key share of w') }
/** Records deliveries of events and returns the webhooks that have new ones. */
export const recordDeliveries = async (db: Db, eventIds: readonly number[], event: WebhookEvent, now: string): Promise<Set<number>> => {
  const rows = await record[isSingleWriter(db) ? 'alone' : 'among'](db, eventIds, [event, now])
  return new Set(rows.map(({ webhook_id }) => webhook_id))
}

/** By the id of the webhook and the present time: a cheap check, compared to a transaction that finds nothing. */
export const hasDue = statementExists(
  `select id from webhook_deliveries where webhook_id = $1 and status = 'pending' and next_try_at <= $2
   and (locked_until is null or locked_until <= $2) limit 1`,
)

/** By the id of the webhook and the present time: the number of leased deliveries. */
export const countLeased = statementNumber('select count(*) as n from webhook_deliveries where webhook_id = $1 and locked_until > $2')

/** By id, the present time and another one: true for a single caller until then. */
export const scheduleWake = statementExists(
  'update webhooks set recheck_at = $3 where id = $1 and (recheck_at is null or recheck_at <= $2) returning id',
)

export interface Outcome {
  readonly id: number
  readonly status: 'pending' | 'delivered' | 'failed' | 'skipped'
  readonly nextTryAt: string | null
  readonly code: number | null
  readonly ms: number
  readonly error: string | null
}

const saveOutcome = statement(
  `update webhook_deliveries set status = $2, next_try_at = $3, attempted_at = $4, response_code = $5, response_time = $6, last_error = $7,
   attempts = attempts + 1, tries = tries + 1, skipped = 0, locked_until = null where id = $1`,
)
const skip = statement(
  `update webhook_deliveries set status = 'failed', skipped = 1, next_try_at = null, last_error = $2, locked_until = null where id = $1`,
)
/** Records the result of an attempt. A skipped delivery was not sent; like a failed one, it is not retried automatically. */
export const reconcileDelivery = async (db: Db, { id, status, nextTryAt, code, ms, error }: Outcome, now: string): Promise<void> => {
  if (status === 'skipped') await skip(db, [id, error])
  else await saveOutcome(db, [id, status, nextTryAt, now, code, ms, error])
}

/** By id, the present time and the last error. */
export const recordSuccess = statement(
  `update webhooks set last_triggered_at = $2, last_error = $3, failing_since = null, failures = 0, slow_failures = 0,
   paused_until = null where id = $1`,
)
/** By id, the present time, the last error and the numbers of failures and of slow ones. */
export const recordFailure = statementOne<Pick<Webhook, 'failing_since' | 'failures' | 'slow_failures'>>(
  `update webhooks set last_triggered_at = $2, last_error = $3, failing_since = coalesce(failing_since, $2), failures = failures + $4,
   slow_failures = slow_failures + $5 where id = $1 returning failing_since, failures, slow_failures`,
)
export const pauseWebhook = statement('update webhooks set paused_until = $2 where id = $1')
/** By id, the reason and the present time; false if it was not active. */
export const disableWebhook = statementExists(
  `update webhooks set status = 'inactive', last_error = $2, updated_at = $3 where id = $1 and status = 'active' returning id`,
)

const waiting = statement<{ id: number }>(
  `select w.id from webhooks w where w.status = 'active'
   and exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending')`,
)
export const waitingWebhooks = async (db: Db) => (await waiting(db)).map(({ id }) => id)

const EACH = 'webhook_id in (select w.id from webhooks w where w.id > 0)'
const shortenLeases = statement(`update webhook_deliveries set locked_until = $1 where ${EACH} and locked_until > $1`)
const shortenWaits = statement<{ webhook_id: number }>(
  `update webhook_deliveries set next_try_at = $1, created_at = case when created_at > $1 then $1 else created_at end
   where status = 'pending' and ${EACH} and (next_try_at > $2 or created_at > $3) returning webhook_id`,
)
const shortenPauses = statement(
  `update webhooks set paused_until = case when paused_until > $1 then $1 else paused_until end, recheck_at = case when recheck_at > $1 then $1 else recheck_at end
   where id > 0 and (paused_until > $1 or recheck_at > $1)`,
)
/** Caps leases, retry times and pauses that were set while the clock was ahead; returns the webhooks that now have due deliveries. */
export const capFutureTimes = async (
  db: Db,
  { now, born, lease, pause, wait }: Readonly<Record<'now' | 'born' | 'lease' | 'pause' | 'wait', string>>,
): Promise<number[]> => {
  await shortenLeases(db, [lease])
  await shortenPauses(db, [pause])
  return [...new Set((await shortenWaits(db, [now, wait, born])).map(({ webhook_id }) => webhook_id))]
}

interface LogFilter {
  readonly webhookId: number
  readonly status?: Delivery['status'] | 'skipped' | undefined
  readonly event?: WebhookEvent | undefined
}

export const listDeliveries = (db: Db, { webhookId, status, event }: LogFilter, page: PageWindow) => {
  const where = (p: Placeholder) =>
    [
      `d.webhook_id = ${p(webhookId)}`,
      status && `d.status = ${p(status === 'skipped' ? 'failed' : status)}`,
      (status === 'skipped' || status === 'failed') && `d.skipped = ${status === 'skipped' ? 1 : 0}`,
      event && `d.event = ${p(event)}`,
    ]
      .filter(Boolean)
      .join(' and ')
  return selectPage<Delivery>(db, { columns: 'd.*', tables: 'webhook_deliveries d', where, order: 'd.id desc' }, page)
}

/** By id, the id of the webhook and the present time: makes a delivery due, with all its retries again. */
export const repeatDelivery = statementOne<Delivery>(
  `update webhook_deliveries set status = 'pending', skipped = 0, tries = 0, next_try_at = $3 where id = $1 and webhook_id = $2 returning *`,
)

/** Deletes up to `$2` deliveries created before then; returns how many. */
export const sweepDeliveries = statementRowCount(
  'delete from webhook_deliveries where id in (select id from webhook_deliveries where created_at <= $1 order by created_at limit $2) returning id',
)
