import type { ReadRequest } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { countNotifications, loadNotifications, type NotificationFor, spacesOfJoins } from './queries.ts'
import { type NotificationView, viewNotification } from './view.ts'

type Asking = Pick<ReadRequest, 'db' | 'actor' | 'services'>

/**
 * Notifications of the caller as he may see them at this moment, in the order of `ids`; what he may not see any more, or has deleted,
 * is left out. Whatever goes out to people, by whatever channel, is made of this.
 */
export const presentNotifications = async (ctx: Asking, ids: readonly number[]): Promise<NotificationView[]> =>
  (await makeNotifications(ctx, ids)).views

/** The same with the rows that the words are made from. Whether each is seen changes with more than that: `noticeSubjects`. */
export const makeNotifications = async (
  { db, actor, services }: Asking,
  ids: readonly number[],
): Promise<{ views: NotificationView[]; subjects: string[] }> => {
  const rows = new Map((await loadNotifications(db, actor, ids)).map((row) => [row.id, row]))
  const shown = ids.flatMap((id) => rows.get(id) ?? [])
  return { views: shown.map((row) => viewNotification(row, services.origin())), subjects: shown.flatMap(subjectsOf) }
}

const subjectsOf = ({ user_id, f_id, c_id, s_id }: NotificationFor): string[] => [
  `user:${user_id}`,
  ...(f_id === null ? [] : [`words:${f_id}`]),
  ...(c_id === null ? [] : [`comment:${c_id}`]),
  ...(s_id === null ? [] : [`space:${s_id}`]),
]

/** What decides, beside the caller's own rights, which notifications he sees, and how many. */
export const noticeSubjects = async ({ db, actor }: Asking): Promise<string[]> => [
  `notices:${actor.id}`,
  ...(await spacesOfJoins(db, actor.id)).map((id) => `within:${id}`),
]

/** How many unread notifications the caller may see. */
export const unreadCount = (db: Db, actor: ReadRequest['actor']): Promise<number> => countNotifications(db, actor, { isRead: false })
