import { nowOf, shift } from '../../core/clock.ts'
import type { Services, WriteContext } from '../../core/context.ts'
import { type LeasedDelivery, leaseDeliveries, lockRow } from '../../db/index.ts'
import { type Job, outgoing } from '../../jobs/index.ts'
import { OutboundError } from '../../outbound/index.ts'
import { hasFeature } from '../settings/index.ts'
import { type CreatorAccess, creatorAccessOf } from './access.ts'
import { disableFailing, disableWithoutAccess } from './auto-disable.ts'
import { deliveryBody } from './payload.ts'
import {
  countLeased,
  hasDue,
  loadWebhook,
  type Outcome,
  pauseWebhook,
  reconcileDelivery,
  recordFailure,
  recordSuccess,
  scheduleWake,
  type Webhook,
} from './queries.ts'
import { delayAfter, pauseAfter, SLOW_MS } from './retry-policy.ts'
import { headersOf, secretsOf } from './secret-encryption.ts'
import { signatureHeaders } from './signing.ts'

export const SEND_JOB = 'webhooks.send'
const TIMEOUT_MS = 10_000
const MOST_BYTES = 64 * 1024
/** Concurrent send jobs, for all webhooks together. */
const CONCURRENCY = 6
const MAX_CONCURRENT_PER_WEBHOOK = 8
/** Lease of a delivery; if the sender crashes, another one takes it after this time. */
export const LEASE_S = 30
/** A sender yields to other jobs after this time and continues in a new job. */
const MAX_SENDER_MS = 2000
/** An endpoint that fails for this long is disabled. */
const MAX_FAILING_S = 3 * 24 * 3600
const MIN_FAILURES = 10

interface EndpointResponse {
  /** Null if there was no response. */
  readonly code: number | null
  readonly ms: number
  readonly error: string | null
}

const problemOf = (code: number): string | null => {
  if (code >= 200 && code < 300) return null
  return code >= 300 && code < 400 ? `The receiver answered ${code}; redirects are not followed.` : `The receiver answered ${code}.`
}

/** Sends one signed body; does not throw for failures of the endpoint. */
export const post = async (services: Services, webhook: Webhook, messageId: string, body: string): Promise<EndpointResponse> => {
  const { outbound, clock } = services
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const secrets = secretsOf(services, webhook, nowOf(clock))
  const started = performance.now()
  const taken = () => Math.round(performance.now() - started)
  try {
    const { status } = await outbound.request(webhook.url, {
      method: 'POST',
      headers: {
        ...headersOf(services, webhook),
        'content-type': 'application/json; charset=utf-8',
        ...signatureHeaders({ messageId, seconds, body, secrets }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      cut: true,
    })
    return { code: status, ms: taken(), error: problemOf(status) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { code: null, ms: taken(), error: error.message }
  }
}

export const messageIdOf = ({ event_id }: Pick<LeasedDelivery, 'event_id'>): string => `evt_${event_id}`

const SKIPPED = 'Skipped: the account that made the webhook may not see this.'

interface DeliveryTarget {
  readonly webhook: Webhook
  readonly eyes: CreatorAccess
}

const attempt = async (
  services: Services,
  { webhook, eyes }: DeliveryTarget,
  delivery: LeasedDelivery,
): Promise<EndpointResponse | 'skipped'> => {
  const { database, clock, log } = services
  try {
    const body = await deliveryBody(
      { db: database.read, now: nowOf(clock), services, snapshot: services.caches.unpolled() },
      eyes,
      delivery,
    )
    return body === null ? 'skipped' : await post(services, webhook, messageIdOf(delivery), body)
  } catch (error) {
    log.error(
      { event: 'webhook_payload_failed', err: error, webhook_id: webhook.id, delivery_id: delivery.id },
      'failed to build a webhook payload',
    )
    return { code: null, ms: 0, error: 'The delivery could not be written.' }
  }
}

const deliver = async (services: Services, to: DeliveryTarget, delivery: LeasedDelivery): Promise<Outcome> => {
  const { clock } = services
  const { webhook } = to
  const answer = await services.tracing.work(`webhook:${delivery.event}`, [delivery.payload], () => attempt(services, to, delivery))
  if (answer === 'skipped') return { id: delivery.id, status: 'skipped', nextTryAt: null, code: null, ms: 0, error: SKIPPED }
  const { code, ms, error } = answer
  if (error === null) return { id: delivery.id, status: 'delivered', nextTryAt: null, code, ms, error }
  const tries = delivery.tries + 1
  const isLast = tries > webhook.retry_count
  return {
    id: delivery.id,
    status: isLast ? 'failed' : 'pending',
    nextTryAt: isLast ? null : shift(nowOf(clock), delayAfter(tries, { event_id: delivery.event_id, webhook_id: webhook.id })),
    code,
    ms,
    error,
  }
}

/** Records the results of a round, schedules retries and updates the webhook's failure state. */
const recordRound = async (ctx: WriteContext, webhook: Webhook, all: readonly Outcome[]): Promise<void> => {
  const { db, now, enqueue } = ctx
  for (const outcome of all) await reconcileDelivery(db, outcome, now)
  // Skipped deliveries say nothing about the endpoint.
  const outcomes = all.filter(({ status }) => status !== 'skipped')
  if (outcomes.length === 0) return
  for (const at of new Set(outcomes.flatMap(({ nextTryAt }) => nextTryAt ?? [])))
    await enqueue(SEND_JOB, { webhook_id: webhook.id }, { runAt: at })
  const failures = outcomes.filter(({ error }) => error !== null)
  const last = failures.at(-1)?.error ?? null
  if (failures.length < outcomes.length) return void (await recordSuccess(db, [webhook.id, now, last]))
  const slow = failures.filter(({ ms }) => ms >= SLOW_MS).length
  const noted = await recordFailure(db, [webhook.id, now, last, failures.length, slow])
  if (!noted) return
  const isLong = noted.failing_since !== null && noted.failing_since <= shift(now, -MAX_FAILING_S)
  if (isLong && noted.failures >= MIN_FAILURES) return disableFailing(ctx, webhook)
  const pause = slow > 0 ? pauseAfter(noted.slow_failures) : 0
  if (pause === 0) return
  const until = shift(now, pause)
  await pauseWebhook(db, [webhook.id, until])
  await enqueue(SEND_JOB, { webhook_id: webhook.id }, { runAt: until })
}

const send = outgoing<{ webhook_id: number }>(SEND_JOB, async (services, { webhook_id }, write) => {
  const { database, clock } = services
  const round = async (): Promise<boolean> => {
    const now = nowOf(clock)
    if (!(await hasDue(database.read, [webhook_id, now]))) return false
    const webhook = await loadWebhook(database.read, [webhook_id])
    if (webhook?.status !== 'active' || (webhook.paused_until ?? '') > now || !(await hasFeature(database.read, 'webhooks'))) return false
    const eyes = await creatorAccessOf(database.read, webhook)
    if (!eyes) {
      await write(null, (ctx) => disableWithoutAccess(ctx, webhook))
      return false
    }
    const leased = await write(null, async ({ db, enqueue }) => {
      // Locked, since two concurrent senders would count the same free slots.
      await lockRow(db, 'webhooks', webhook_id)
      const room = (pauseAfter(webhook.slow_failures) > 0 ? 1 : MAX_CONCURRENT_PER_WEBHOOK) - (await countLeased(db, [webhook_id, now]))
      const until = shift(now, LEASE_S)
      if (room > 0) return leaseDeliveries(db, webhook_id, now, until, room)
      // The senders in progress continue with the rest; this job is the fallback if they crash.
      if (await scheduleWake(db, [webhook_id, now, until])) await enqueue(SEND_JOB, { webhook_id }, { runAt: until })
      return []
    })
    if (leased.length === 0) return false
    const outcomes = await Promise.all(leased.map((delivery) => deliver(services, { webhook, eyes }, delivery)))
    await write(null, (ctx) => recordRound(ctx, webhook, outcomes))
    return true
  }
  const started = performance.now()
  while (await round()) {
    if (performance.now() - started < MAX_SENDER_MS) continue
    await write(null, ({ enqueue }) => enqueue(SEND_JOB, { webhook_id }))
    return
  }
})

/**
 * Sends the due deliveries of one webhook, a few at a time. Any number of these jobs may run: each delivery is leased by one of them, and a
 * job that finds all slots taken leaves the rest to the others. A slow endpoint is paused, then probed with a single delivery.
 */
export const sendDeliveries: Job = { ...send, isScheduled: true, maxConcurrent: CONCURRENCY }
