import { actorFor } from '../../../auth/authenticate.ts'
import type { Services } from '../../../core/context.ts'
import { languageFor } from '../../settings/index.ts'
import { preferencesOf } from '../preferences.ts'
import { presentNotifications } from '../presenter.ts'
import { notificationOf } from './queries.ts'

/** Input of a mail or push job for one notification. */
export interface DeliveryJobInput {
  readonly notification_id: number
  readonly user_id: number
}

/**
 * The notification as its recipient may see it now, in their language, with their preferences. Undefined if nothing should be sent: it was read or deleted, is
 * no longer visible, or the account is not active.
 */
export const deliverableNotification = async (services: Services, { notification_id, user_id }: DeliveryJobInput) => {
  const db = services.database.read
  const record = await notificationOf(db, [notification_id, user_id])
  if (!record || record.is_read) return undefined
  const actor = await actorFor(db, user_id)
  if (!actor) return undefined
  const lang = await languageFor(db, user_id)
  const [notice] = await presentNotifications({ db, actor, services }, [notification_id], lang)
  const preferences = (await preferencesOf(db, [user_id])).get(user_id)
  return notice && preferences ? { record, actor, notice, preferences, lang } : undefined
}
