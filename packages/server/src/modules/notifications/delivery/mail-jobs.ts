import { nowOf, shift } from '../../../core/clock.ts'
import { lockRows, lockUsers } from '../../../db/index.ts'
import { onBatch, outgoing } from '../../../jobs/index.ts'
import { deliverMail } from '../../../mail/send-job.ts'
import { isMailAddress } from '../../../mail/transport.ts'
import { mailIdentity, readSetting } from '../../settings/index.ts'
import type { NoticeMeta } from '../view.ts'
import { type DeliveryJobInput, deliverableNotification } from './deliverable.ts'
import { notificationMail } from './mail-texts.ts'
import { PUSH_JOB } from './push-jobs.ts'
import { subscriptionsOfEach } from './push-queries.ts'
import { beginDeliveries, claimMail, deliveryOf, markMailed, recipientOf, schedulePush, unreadOf } from './queries.ts'
import { isGrouped, MAIL_DELAY_S, MAIL_REPEAT_S, mailKindOf, pushKindOf } from './rules.ts'
import { preferencesUrl } from './unsubscribe.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

/** The domain of Message-IDs. */
const hostOf = (origin: string): string => {
  const { hostname } = new URL(origin)
  return /^[a-z0-9.-]+$/i.test(hostname) ? hostname : 'lyceum.invalid'
}

/** Mails a notification after a delay, if it is still unread, visible and wanted by then. */
export const mailNotification = outgoing<DeliveryJobInput>('delivery.mail', async (services, job) => {
  const { database, clock, keys } = services
  const db = database.read
  if (!(await readSetting(db, 'enable_email_notifications')) || (await deliveryOf(db, job.notification_id))?.mailed_at) return
  const found = await deliverableNotification(services, job)
  const to = await recipientOf(db, job.user_id)
  if (!found || !to || !isMailAddress(to.email)) return
  const { notice, preferences, record } = found
  const kind = mailKindOf(record.type)
  if (kind === null || (kind !== 'always' && !preferences.email_notifications[kind])) return
  if (!(await database.write((tx) => claimMail(tx, job.notification_id, job.user_id, nowOf(clock))))) return

  const origin = services.origin()
  const { brand, sender } = await mailIdentity(services)
  const unsubscribe = kind === 'always' ? null : unsubscribeUrl(origin, keys.unsubscribing, { userId: job.user_id, kind })
  await deliverMail(services, {
    to: to.email,
    ...notificationMail({
      brand,
      type: record.type,
      kind,
      title: notice.title,
      message: notice.message,
      url: notice.action_url,
      person: notice.xprofile.display_name || notice.xprofile.username,
      preferences: preferencesUrl(origin),
      unsubscribe,
    }),
    sender,
    ...(unsubscribe && { unsubscribeUrl: unsubscribe }),
    // Stable across retries, so that mail clients can drop duplicates.
    messageId: `notification-${job.notification_id}@${hostOf(origin)}`,
    ...(record.feed_id !== null && { thread: `feed-${record.feed_id}@${hostOf(origin)}` }),
  })
  await database.write((tx) => markMailed(tx, job.notification_id, nowOf(clock)))
})

/**
 * Enqueues a delayed mail, and a push message to each device immediately. While a notification is unread, further activity in it sends no
 * more mail and at most one push message a minute.
 */
export const planDelivery = onBatch('notification.created', 'delivery.plan', async (ctx, created) => {
  const { db, now, enqueueEach } = ctx
  const named = new Map(created.map(({ notification_id: id, user_id }) => [id, { id, user_id }]))
  await lockUsers(
    db,
    created.map(({ user_id }) => user_id),
  )
  await lockRows(db, 'notifications', [...named.keys()])
  const notifications = await unreadOf(db, [...named.values()])

  const mailed = notifications.filter(({ type, meta }) => mailKindOf(type) !== null && !(JSON.parse(meta) as NoticeMeta).unmailed)
  const [gathering, single] = [mailed.filter(({ type }) => isGrouped(type)), mailed.filter(({ type }) => !isGrouped(type))]
  const begun = [...(await beginDeliveries(db, gathering, '')), ...(await beginDeliveries(db, single, shift(now, -MAIL_REPEAT_S)))]
  const mails = begun.map(({ id: notification_id, user_id }): DeliveryJobInput => ({ notification_id, user_id }))
  await enqueueEach(mailNotification.name, mails, { runAt: shift(now, MAIL_DELAY_S) })

  const pushed = notifications.filter(({ type }) => pushKindOf(type) !== null)
  const devices = await subscriptionsOfEach(db, [...new Set(pushed.map(({ user_id }) => user_id))])
  for (const { id: notification_id, user_id } of pushed) {
    const own = devices.filter((device) => device.user_id === user_id)
    const runAt = own.length === 0 ? null : await schedulePush(db, notification_id, now)
    if (runAt === null) continue
    const messages = own.map(({ id: subscription_id }) => ({ notification_id, user_id, subscription_id }))
    await enqueueEach(PUSH_JOB, messages, { runAt })
  }
})
