import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

/** Files of feeds and comments go with those, what is shown in spaces and courses stays with them. */
const release = statement<{ id: number }>(
  `update media set status = 'deleted', updated_at = $3 where id in (
     select id from media where user_id = $1 and (status = 'uploaded' or (status = 'active' and object_source = 'profile'))
     order by id limit $2) returning id`,
)

/** Deleted files go later; what they were called goes now. */
const unname = statement<{ id: number }>(
  `update media set file_name = '' where id in (
     select id from media where user_id = $1 and status = 'deleted' and file_name <> '' order by id limit $2) returning id`,
)

/** Lets go of some files of an account that goes away which nothing else shows, at most `limit`; how many. */
export const eraseMedia = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userId: number, limit: number): Promise<number> => {
  const released = await release(db, [userId, limit, now])
  const unnamed = await unname(db, [userId, limit])
  return Math.max(released.length, unnamed.length)
}
