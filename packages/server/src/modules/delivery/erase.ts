import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const devices = statement('delete from push_subscriptions where user_id = $1')
const digests = statement('delete from digests where user_id = $1')

/** An account that goes away gets no push message and no digest any more. */
export const eraseDevices = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await devices(db, [userId])
  await digests(db, [userId])
}
