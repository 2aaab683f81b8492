import type { WriteContext } from '../../../core/context.ts'
import { statement } from '../../../db/index.ts'

const devices = statement('delete from push_subscriptions where user_id = $1')
const digests = statement('delete from digest_schedules where user_id = $1')

/** Erases push subscriptions and the digest schedule of a deleted account. */
export const eraseDevices = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await devices(db, [userId])
  await digests(db, [userId])
}
