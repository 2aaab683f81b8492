import type { WriteContext } from '../../core/context.ts'
import { statementRowCount } from '../../db/index.ts'

/** Files of feeds and comments are deleted with them; pictures of spaces and courses stay. */
const release = statementRowCount(
  `update media set status = 'deleted', updated_at = $3 where id in (
     select id from media where user_id = $1 and (status = 'uploaded' or (status = 'active' and object_source = 'profile'))
     order by id limit $2) returning id`,
)

/** Erases file names immediately, since the files themselves are purged later. */
const eraseNames = statementRowCount(
  `update media set file_name = '' where id in (
     select id from media where user_id = $1 and status = 'deleted' and file_name <> '' order by id limit $2) returning id`,
)

/** Releases up to `limit` of a deleted account's files that nothing else shows; returns how many. */
export const eraseMedia = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userId: number, limit: number): Promise<number> => {
  const released = await release(db, [userId, limit, now])
  const unnamed = await eraseNames(db, [userId, limit])
  return Math.max(released, unnamed)
}
