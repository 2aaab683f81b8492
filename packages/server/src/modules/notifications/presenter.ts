import type { ReadRequest } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { countNotifications, loadNotifications, type NotificationFor, spacesOfJoins } from './queries.ts'
import { type NotificationView, viewNotification } from './view.ts'

type Asking = Pick<ReadRequest, 'db' | 'actor' | 'services'>

/**
 * The caller's notifications as they may see them now, in the order of `ids`; hidden and deleted ones are omitted. Every channel (API,
 * mail, push, digest) uses this.
 */
export const presentNotifications = async (ctx: Asking, ids: readonly number[]): Promise<NotificationView[]> =>
  (await makeNotifications(ctx, ids)).views

/** The same with the cache tags of the rows the texts are built from. Visibility depends on further tags: `notificationTags`. */
export const makeNotifications = async (
  { db, actor, services }: Asking,
  ids: readonly number[],
): Promise<{ views: NotificationView[]; tags: string[] }> => {
  const rows = new Map((await loadNotifications(db, actor, ids)).map((row) => [row.id, row]))
  const shown = ids.flatMap((id) => rows.get(id) ?? [])
  return { views: shown.map((row) => viewNotification(row, services.origin())), tags: shown.flatMap(tagsOf) }
}

const tagsOf = ({ user_id, f_id, c_id, s_id }: NotificationFor): string[] => [
  `user:${user_id}`,
  ...(f_id === null ? [] : [`words:${f_id}`]),
  ...(c_id === null ? [] : [`comment:${c_id}`]),
  ...(s_id === null ? [] : [`space:${s_id}`]),
]

/** Cache tags that decide which notifications the caller sees, besides the caller's own permissions. */
export const notificationTags = async ({ db, actor }: Asking): Promise<string[]> => [
  `notices:${actor.id}`,
  ...(await spacesOfJoins(db, actor.id)).map((id) => `within:${id}`),
]

export const unreadCount = (db: Db, actor: ReadRequest['actor']): Promise<number> => countNotifications(db, actor, { isRead: false })
