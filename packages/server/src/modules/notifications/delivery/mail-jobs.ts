import { notificationMail } from '@lyceum/mail/notifications'
import { isMailAddress } from '@lyceum/mail/transport'
import { nowOf } from '../../../core/clock.ts'
import { outgoing } from '../../../jobs/index.ts'
import { deliverMail } from '../../../mail/send-job.ts'
import { mailIdentity, readSetting } from '../../settings/index.ts'
import { type DeliveryJobInput, deliverableNotification } from './deliverable.ts'
import { MAIL_JOB, mailKindOf } from './policy.ts'
import { claimMail, deliveryOf, markMailed, recipientOf } from './queries.ts'
import { preferencesUrl } from './unsubscribe.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

const hostOf = (origin: string): string => {
  const { hostname } = new URL(origin)
  return /^[a-z0-9.-]+$/i.test(hostname) ? hostname : 'lyceum.invalid'
}

/** Mails a notification after a delay, if it is still unread, visible and wanted by then. */
export const mailNotification = outgoing<DeliveryJobInput>(MAIL_JOB, async (services, job) => {
  const { database, clock, keys } = services
  const db = database.read
  if (!(await readSetting(db, 'enable_email_notifications')) || (await deliveryOf(db, [job.notification_id]))?.mailed_at) return
  const found = await deliverableNotification(services, job)
  const to = await recipientOf(db, [job.user_id])
  if (!found || !to || !isMailAddress(to.email)) return
  const { notice, preferences, record, lang } = found
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
      lang,
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
  await database.write((tx) => markMailed(tx, [job.notification_id, nowOf(clock)]))
})
