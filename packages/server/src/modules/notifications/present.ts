import type { Db } from '../../db/index.ts'
import type { AskedRead } from '../../platform/context.ts'
import { countNotifications, loadNotifications } from './queries.ts'
import { type NotificationView, viewNotification } from './view.ts'

/**
 * Notifications of the caller as he may see them at this moment, in the order of `ids`; what he may not see any more, or has deleted,
 * is left out. Whatever goes out to people, by whatever channel, is made of this.
 */
export const presentNotifications = async (
  { db, actor, services }: Pick<AskedRead, 'db' | 'actor' | 'services'>,
  ids: readonly number[],
): Promise<NotificationView[]> => {
  const rows = new Map((await loadNotifications(db, actor, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [viewNotification(row, services.origin())] : []
  })
}

/** How many unread notifications the caller may see. */
export const unreadCount = (db: Db, actor: AskedRead['actor']): Promise<number> => countNotifications(db, actor, { isRead: false })
