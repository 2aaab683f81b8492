import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const remove = statement<{ id: number }>(
  'delete from bookmarks where id in (select id from bookmarks where user_id = $1 order by id limit $2) returning id',
)

/** Deletes at most `limit` bookmarks of an account that is being erased. Returns how many. */
export const eraseBookmarks = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  (await remove(db, [userId, limit])).length
