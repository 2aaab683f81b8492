import type { NotificationType } from '@lyceum/contract'
import { shift } from '../../../core/clock.ts'
import {
  batchStatement,
  type Db,
  lockRow,
  type NotificationDeliveryRow,
  type NotificationRow,
  statement,
  statementOne,
  statementRowCount,
  type UserRow,
} from '../../../db/index.ts'
import { MAX_MAILS_PER_HOUR, PUSH_INTERVAL_S } from './policy.ts'

export const recipientOf = statementOne<Pick<UserRow, 'email' | 'display_name' | 'created_at' | 'last_activity'>>(
  'select email, display_name, created_at, last_activity from users where id = $1',
)

interface NotificationRecord extends Pick<NotificationRow, 'dedup_key' | 'feed_id' | 'is_read'> {
  readonly type: NotificationType
}

/** By id and user id. */
export const notificationOf = statementOne<NotificationRecord>(
  'select type, dedup_key, feed_id, is_read from notifications where id = $1 and user_id = $2',
)

export interface NotificationRef {
  readonly id: number
  readonly user_id: number
}

const ADDRESSED = { id: 'bigint', user_id: 'bigint' } as const
const rowsOf = (notifications: readonly NotificationRef[]) => notifications.map(({ id, user_id }) => [id, user_id])

const unread = batchStatement<NotificationRef & Pick<NotificationRecord, 'type'> & { readonly meta: string }>(
  ADDRESSED,
  (rows) =>
    `select n.id, n.user_id, n.type, n.meta from ${rows} d cross join notifications n where n.id = d.id and n.user_id = d.user_id and n.is_read = 0 order by n.id`,
)
/** Those that still exist and are unread, ordered by id. */
export const unreadOf = (db: Db, notifications: readonly NotificationRef[]) => unread(db, rowsOf(notifications))

const begin = batchStatement<NotificationRef>(
  ADDRESSED,
  (rows) =>
    `insert into notification_deliveries (notification_id, user_id) select d.id, d.user_id from ${rows} d where true
     on conflict (notification_id) do update set mail_claimed_at = null, mailed_at = null where notification_deliveries.mailed_at < $2
     returning notification_id as id, user_id`,
)
/** Starts mail deliveries. Returns those that were not started before, or not since `again`. */
export const beginDeliveries = async (db: Db, notifications: readonly NotificationRef[], again: string): Promise<NotificationRef[]> =>
  notifications.length === 0 ? [] : begin(db, rowsOf(notifications), [again])

const pushed = statementOne<{ push_at: string | null }>('select push_at from notification_deliveries where notification_id = $1')
const updatePushAt = statement('update notification_deliveries set push_at = $2 where notification_id = $1')

/**
 * When the next push message about a notification is sent; null if one is already scheduled and will cover this activity too. Locks the
 * delivery row.
 */
export const schedulePush = async (db: Db, notificationId: number, now: string): Promise<string | null> => {
  const last = (await pushed(db, [notificationId]))?.push_at ?? null
  // A time further ahead was scheduled while the clock was ahead.
  const known = last !== null && last <= shift(now, PUSH_INTERVAL_S) ? last : null
  if (known !== null && known > now) return null
  const earliest = known === null ? now : shift(known, PUSH_INTERVAL_S)
  const at = earliest > now ? earliest : now
  await updatePushAt(db, [notificationId, at])
  return at
}

export const deliveryOf = statementOne<Pick<NotificationDeliveryRow, 'mail_claimed_at' | 'mailed_at'>>(
  'select mail_claimed_at, mailed_at from notification_deliveries where notification_id = $1',
)

const claimed = statementRowCount(
  `select notification_id from notification_deliveries where user_id = $1 and mail_claimed_at > $2
     and mail_claimed_at <= $3 limit ${MAX_MAILS_PER_HOUR}`,
)
const claim = statement('update notification_deliveries set mail_claimed_at = $2 where notification_id = $1')

/** Counts a mail against the member's hourly limit; false if it is used up. The count is not refunded if sending fails. */
export const claimMail = async (db: Db, notificationId: number, userId: number, now: string): Promise<boolean> => {
  await lockRow(db, 'users', userId)
  const row = await deliveryOf(db, [notificationId])
  if (!row) return false
  if (row.mail_claimed_at !== null) return true
  if ((await claimed(db, [userId, shift(now, -3600), now])) >= MAX_MAILS_PER_HOUR) return false
  await claim(db, [notificationId, now])
  return true
}

export const markMailed = statement('update notification_deliveries set mailed_at = $2 where notification_id = $1')
