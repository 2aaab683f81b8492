import { hash } from 'node:crypto'
import { excerpt } from '@lyceum/content'
import { isMailAddress } from '@lyceum/mail/transport'
import type WebPush from 'web-push'
import { nowOf } from '../../../core/clock.ts'
import type { Services } from '../../../core/context.ts'
import { type Job, outgoing } from '../../../jobs/index.ts'
import { OutboundError } from '../../../outbound/index.ts'
import { lazyRequire } from '../../../util/lazy.ts'
import { readSettings } from '../../settings/index.ts'
import { unreadCount } from '../presenter.ts'
import { type DeliveryJobInput, deliverableNotification } from './deliverable.ts'
import { PUSH_JOB, pushKindOf, urgencyOf } from './policy.ts'
import { processPushBackoff } from './push-backoff.ts'
import { pushKeysOf } from './push-keys.ts'
import { deleteSubscription, markUsed, type Subscription, subscriptionOf } from './push-queries.ts'

const webPush = lazyRequire<typeof WebPush>('web-push')

/** How long a push service stores a message for a device that is offline. */
const TTL_S = 24 * 3600
/** About half an hour of retries; a later push message is no longer news. */
const ATTEMPTS = 10
const TIMEOUT_MS = 15_000
const CONCURRENCY = 6
const TITLE_LENGTH = 120
const BODY_LENGTH = 240
/** Push services accept 4,096 bytes including the encryption overhead. */
const MAX_PAYLOAD_BYTES = 3 * 1024

interface PushMessage {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly body: string
  readonly url: string
  /** A message replaces an earlier one with the same tag on the device. */
  readonly tag: string
  readonly unread_count: number
}

const half = (text: string): string => {
  const characters = [...text]
  return characters.length < 8
    ? ''
    : `${characters
        .slice(0, characters.length / 2)
        .join('')
        .trimEnd()}…`
}

/** Serializes the message, halving the longer text until it fits: characters can take many bytes. */
export const payloadOf = (message: PushMessage): string => {
  const text = JSON.stringify(message)
  const { title, body } = message
  if (Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES || title + body === '') return text
  return payloadOf(body.length >= title.length ? { ...message, body: half(body) } : { ...message, title: half(title) })
}

/** VAPID requires a contact: a mailto or https URL. */
const contactOf = (adminEmail: string, { config, origin }: Services): string => {
  const address = /<([^<>]*)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom.trim()
  if (adminEmail) return `mailto:${adminEmail}`
  return origin().startsWith('https:') || !isMailAddress(address) ? origin().replace(/^http:/, 'https:') : `mailto:${address}`
}

interface Envelope {
  readonly payload: string
  readonly topic: string
  readonly urgency: 'low' | 'normal' | 'high'
  readonly contact: string
}

/** Sends one message to one device; throws if a retry may help. */
const send = async (services: Services, device: Subscription, { payload, topic, urgency, contact }: Envelope): Promise<void> => {
  const { database, outbound, clock, log, keys } = services
  const { endpoint, p256dh, auth, id } = device
  const details = webPush().generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    TTL: TTL_S,
    urgency,
    topic,
    vapidDetails: { subject: contact, ...pushKeysOf(keys.push) },
  })
  const headers = Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)]))
  let status: number
  try {
    const answer = await outbound.request(endpoint, {
      method: 'POST',
      headers,
      body: details.body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 64 * 1024,
      // Only the status matters. Waiting for the body could fail a message that was already accepted, and send it again.
      cut: true,
    })
    status = answer.status
  } catch (error) {
    if (!(error instanceof OutboundError && error.reason === 'refused')) throw error
    // The endpoint resolves to an address that may not be reached, so it is handled like a deleted one.
    status = 410
  }
  if (status >= 200 && status < 300) return void (await database.write((db) => markUsed(db, [id, nowOf(clock)])))
  if (status === 404 || status === 410) return void (await database.write((db) => deleteSubscription(db, [id, endpoint])))
  if (status === 408 || status === 429 || status >= 500) throw new Error(`the push service responded with ${status}`)
  log.warn({ event: 'push_message_rejected', status, subscription_id: id, service: new URL(endpoint).host }, 'push message rejected')
}

/** One job per message and device, so that a retry does not reach the other devices again. */
const push = outgoing<DeliveryJobInput & { subscription_id: number }>(
  PUSH_JOB,
  async (services, job) => {
    const db = services.database.read
    const backoff = services.stateOf(processPushBackoff)
    if (backoff.isPaused(job.user_id)) throw new Error('push messages to this member are paused after a slow response')
    const device = await subscriptionOf(db, [job.subscription_id, job.user_id])
    const { enable_push_notifications: enabled, admin_email } = await readSettings(db, ['enable_push_notifications', 'admin_email'])
    if (!device || !enabled) return
    const found = await deliverableNotification(services, job)
    if (!found) return
    const { notice, actor, preferences, record } = found
    const kind = pushKindOf(record.type)
    if (kind === null || !preferences.push_notifications[kind]) return
    const topic = hash('sha256', record.dedup_key, 'base64url').slice(0, 32)
    const message = {
      id: notice.id,
      type: notice.type,
      title: excerpt(notice.title, TITLE_LENGTH),
      body: notice.message === notice.title ? '' : excerpt(notice.message, BODY_LENGTH),
      url: notice.action_url,
      tag: topic,
      unread_count: await unreadCount(db, actor),
    }
    const envelope = { payload: payloadOf(message), topic, urgency: urgencyOf(kind), contact: contactOf(admin_email, services) }
    await backoff.track(job.user_id, () => send(services, device, envelope))
  },
  ATTEMPTS,
)
export const pushNotification: Job = { ...push, maxConcurrent: CONCURRENCY }
