import { actorFor } from '../../auth/authenticate.ts'
import type { Services } from '../../core/context.ts'
import { preferencesOf, presentNotifications } from '../notifications/index.ts'
import { notificationOf } from './queries.ts'

/** What goes out about one notification, whichever way. */
export interface NoticeJob {
  readonly notification_id: number
  readonly user_id: number
}

/**
 * The notification as its recipient may see it at this moment, with what he wants to be told. Undefined where nothing must go out: it was read,
 * is gone or no longer to be seen, or the account is not active.
 */
export const noticeFor = async (services: Services, { notification_id, user_id }: NoticeJob) => {
  const db = services.database.read
  const record = await notificationOf(db, notification_id, user_id)
  if (!record || record.is_read) return undefined
  const actor = await actorFor(db, user_id)
  if (!actor) return undefined
  const [notice] = await presentNotifications({ db, actor, services }, [notification_id])
  const preferences = (await preferencesOf(db, [user_id])).get(user_id)
  return notice && preferences ? { record, actor, notice, preferences } : undefined
}
