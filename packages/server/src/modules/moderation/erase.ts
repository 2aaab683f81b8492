import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const deleteByReporter = statement<{ id: number }>(
  'delete from reports where id in (select id from reports where reporter_id = $1 order by id limit $2) returning id',
)
/** Reports about deleted content; there is nothing left to decide. */
const deleteWithoutContent = statement<{ id: number }>(
  `delete from reports where id in (
     select r.id from reports r left join feeds f on r.object_type = 'feed' and f.id = r.object_id
     left join comments c on r.object_type = 'comment' and c.id = r.object_id
     where r.reported_user_id = $1 and f.id is null and c.id is null order by r.id limit $2) returning id`,
)
const clearQuotes = statement<{ id: number }>(
  `update reports set title = '', excerpt = '' where id in (
     select id from reports where reported_user_id = $1 and (title <> '' or excerpt <> '') order by id limit $2) returning id`,
)

/**
 * Deletes reports by an account that is being erased, and reports about it except those about content that stays, which no longer quote it.
 * At most `limit` of each. Returns the largest number.
 */
export const eraseReports = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  const counts: number[] = []
  for (const run of [deleteByReporter, deleteWithoutContent, clearQuotes]) counts.push((await run(db, [userId, limit])).length)
  return Math.max(...counts)
}
