import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const own = statement<{ id: number }>(
  'delete from activities where id in (select id from activities where user_id = $1 limit $2) returning id',
)
const about = statement<{ id: number }>(
  `delete from activities where id in (select id from activities where object_type = 'user' and object_id = $1 limit $2) returning id`,
)

/** Removes some of what an account that goes away has done, and of what others did with it, at most `limit` each; how many. */
export const eraseActivities = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  Math.max((await own(db, [userId, limit])).length, (await about(db, [userId, limit])).length)
