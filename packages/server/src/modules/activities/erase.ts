import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const deleteByActor = statement<{ id: number }>(
  'delete from activities where id in (select id from activities where user_id = $1 limit $2) returning id',
)
const deleteAboutUser = statement<{ id: number }>(
  `delete from activities where id in (select id from activities where object_type = 'user' and object_id = $1 limit $2) returning id`,
)

/** Deletes activities by and about an account that is being erased, at most `limit` of each. Returns the larger number. */
export const eraseActivities = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  Math.max((await deleteByActor(db, [userId, limit])).length, (await deleteAboutUser(db, [userId, limit])).length)
