import { hash } from 'node:crypto'
import type WebPush from 'web-push'
import { excerpt } from '../../content/plain-text.ts'
import { nowOf } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Job, outgoing } from '../../jobs/index.ts'
import { isMailAddress } from '../../mail/transport.ts'
import { OutboundError } from '../../outbound/index.ts'
import { library } from '../../util/lazy.ts'
import { unreadCount } from '../notifications/index.ts'
import { readSettings } from '../settings/index.ts'
import { type NoticeJob, noticeFor } from './deliverable.ts'
import { patienceOf } from './push-backoff.ts'
import { pushKeysOf } from './push-keys.ts'
import { deleteSubscription, markUsed, type Subscription, subscriptionOf } from './push-queries.ts'
import { pushKindOf, urgencyOf } from './rules.ts'

const webPush = library<typeof WebPush>('web-push')

export const PUSH_JOB = 'delivery.push'
/** Seconds that a push service keeps a message for a device that is off. */
const TTL_S = 24 * 3600
/** After some half an hour a push message is no news any more. */
const ATTEMPTS = 10
const TIMEOUT_MS = 15_000
/** Messages that are sent at once. */
const PLACES = 6
const TITLE = 120
const BODY = 240
/** Push services take 4,096 bytes with what encryption adds. */
const MOST_BYTES = 3 * 1024

export interface PushMessage {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly body: string
  readonly url: string
  /** Messages with the same tag replace each other on the device. */
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

/** Characters can have many bytes: the texts are halved, the longer one first, until the whole fits. */
export const payloadOf = (message: PushMessage): string => {
  const text = JSON.stringify(message)
  const { title, body } = message
  if (Buffer.byteLength(text) <= MOST_BYTES || title + body === '') return text
  return payloadOf(body.length >= title.length ? { ...message, body: half(body) } : { ...message, title: half(title) })
}

/** Whom a push service can turn to: VAPID wants a mail or an https address. */
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

/** Sends one message to one device; throws what another try may help. */
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
      // The status says all: what it has taken must not be sent again for the length of the answer.
      cut: true,
    })
    status = answer.status
  } catch (error) {
    if (!(error instanceof OutboundError && error.reason === 'refused')) throw error
    // It may not be reached at all: a private address behind a public name.
    status = 410
  }
  if (status >= 200 && status < 300) return database.write((db) => markUsed(db, id, nowOf(clock))).then(() => {})
  if (status === 404 || status === 410) return database.write((db) => deleteSubscription(db, id, endpoint)).then(() => {})
  if (status === 408 || status === 429 || status >= 500) throw new Error(`the push service answered ${status}`)
  log.warn({ status, subscription_id: id, service: new URL(endpoint).host }, 'a push message was refused')
}

/** One message to one device; another try does not disturb the other devices. */
const push = outgoing<NoticeJob & { subscription_id: number }>(
  PUSH_JOB,
  async (services, job) => {
    const db = services.database.read
    const patience = patienceOf(services)
    if (patience.isOver(job.user_id)) throw new Error('a device of this member kept the server waiting')
    const device = await subscriptionOf(db, job.subscription_id, job.user_id)
    const { enable_push_notifications: enabled, admin_email } = await readSettings(db, ['enable_push_notifications', 'admin_email'])
    if (!device || !enabled) return
    const found = await noticeFor(services, job)
    if (!found) return
    const { notice, actor, preferences, record } = found
    const kind = pushKindOf(record.type)
    if (kind === null || !preferences.push_notifications[kind]) return
    const topic = hash('sha256', record.subject, 'base64url').slice(0, 32)
    const message = {
      id: notice.id,
      type: notice.type,
      title: excerpt(notice.title, TITLE),
      body: notice.message === notice.title ? '' : excerpt(notice.message, BODY),
      url: notice.action_url,
      tag: topic,
      unread_count: await unreadCount(db, actor),
    }
    const envelope = { payload: payloadOf(message), topic, urgency: urgencyOf(kind), contact: contactOf(admin_email, services) }
    await patience.during(job.user_id, () => send(services, device, envelope))
  },
  ATTEMPTS,
)
export const pushNotice: Job = { ...push, places: PLACES }
