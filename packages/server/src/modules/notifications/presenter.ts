import type { Language } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { countNotifications, loadNotifications, type NotificationFor } from './queries.ts'
import { type NotificationView, viewNotification } from './view.ts'

/** The notifications that the caller may see now, in the order of `ids`; hidden and deleted ones have no row. */
export const inOrder = (ids: readonly number[], rows: readonly NotificationFor[]): NotificationFor[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The caller's notifications as they may see them now. Mail, push and digests, which have a language, and streams use this. */
export const presentNotifications = async (
  { db, actor, services }: Pick<ReadRequest, 'db' | 'actor' | 'services'>,
  ids: readonly number[],
  lang?: Language,
): Promise<NotificationView[]> =>
  inOrder(ids, await loadNotifications(db, actor, ids)).map((row) => viewNotification(row, services.origin(), lang))

export const unreadCount = (db: Db, actor: ReadRequest['actor']): Promise<number> => countNotifications(db, actor, { isRead: false })
