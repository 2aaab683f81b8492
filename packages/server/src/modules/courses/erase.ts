import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const detach = statement<{ id: number }>(
  `update courses set created_by = case when created_by = $1 then null else created_by end,
     instructor_id = case when instructor_id = $1 then null else instructor_id end
   where id in (select id from courses where created_by = $1 or instructor_id = $1 order by id limit $2) returning id`,
)

/** Detaches the account from the courses it created or teaches; administrators manage them from then on. */
export const detachCourses = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  (await detach(db, [userId, limit])).length
