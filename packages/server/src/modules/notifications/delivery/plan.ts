import type { NotificationType } from '@lyceum/contract'
import { shift } from '../../../core/clock.ts'
import type { WriteContext } from '../../../core/context.ts'
import { lockRows } from '../../../db/index.ts'
import { job } from '../../../jobs/index.ts'
import type { NoticeMeta } from '../view.ts'
import { isGrouped, MAIL_DELAY_S, MAIL_JOB, MAIL_REPEAT_S, mailKindOf, PUSH_JOB, pushKindOf } from './policy.ts'
import { subscriptionsOfEach } from './push-queries.ts'
import { beginDeliveries, type NotificationRef, schedulePush, unreadOf } from './queries.ts'

/** An addition to an unread notification. */
interface Addition extends NotificationRef {
  readonly type: NotificationType
  readonly meta?: NoticeMeta | undefined
}

/** Enqueues a delayed mail, and a push message to each device. The caller holds the locks of the notifications. */
const planDeliveries = async (ctx: WriteContext, additions: readonly Addition[]): Promise<void> => {
  const { db, now, enqueueEach } = ctx
  const notifications = [...new Map(additions.map((one) => [one.id, one])).values()]
  const mailed = notifications.filter(({ type, meta }) => mailKindOf(type) !== null && !meta?.unmailed)
  const [gathering, single] = [mailed.filter(({ type }) => isGrouped(type)), mailed.filter(({ type }) => !isGrouped(type))]
  const begun = [...(await beginDeliveries(db, gathering, '')), ...(await beginDeliveries(db, single, shift(now, -MAIL_REPEAT_S)))]
  const mails = begun.map(({ id: notification_id, user_id }) => ({ notification_id, user_id }))
  await enqueueEach(MAIL_JOB, mails, { runAt: shift(now, MAIL_DELAY_S) })

  const pushed = notifications.filter(({ type }) => pushKindOf(type) !== null)
  if (pushed.length === 0) return
  const devices = await subscriptionsOfEach(db, [...new Set(pushed.map(({ user_id }) => user_id))])
  for (const { id: notification_id, user_id } of pushed) {
    const own = devices.filter((device) => device.user_id === user_id)
    const runAt = own.length === 0 ? null : await schedulePush(db, notification_id, now)
    if (runAt === null) continue
    const messages = own.map(({ id: subscription_id }) => ({ notification_id, user_id, subscription_id }))
    await enqueueEach(PUSH_JOB, messages, { runAt })
  }
}

/**
 * Emits the event of each addition to a notification, for the streams, and plans mail and push messages. While a notification is unread,
 * further activity in it sends no more mail and at most one push message a minute.
 */
export const announce = async (ctx: WriteContext, created: readonly Addition[]): Promise<void> => {
  if (created.length === 0) return
  const events = created.map(({ id: notification_id, user_id }) => ({ actorId: null, payload: { notification_id, user_id } }))
  await Promise.all([ctx.emitEach('notification.created', events), planDeliveries(ctx, created)])
}

/** Works off the jobs of a version that planned deliveries in a listener. */
export const planDelivery = job<{ readonly notification_id: number; readonly user_id: number }>(
  'delivery.plan:notification.created',
  async (ctx, { notification_id: id, user_id }) => {
    await lockRows(ctx.db, 'notifications', [id])
    const notifications = await unreadOf(ctx.db, [{ id, user_id }])
    await planDeliveries(
      ctx,
      notifications.map(({ meta, ...one }) => ({ ...one, meta: JSON.parse(meta) as NoticeMeta })),
    )
  },
)
