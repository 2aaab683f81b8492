import type { WriteContext } from '../../core/context.ts'
import { lockUsers, statement } from '../../db/index.ts'
import { countFollow, deleteFollow, type Follow } from './queries.ts'

const someFollows = statement<Follow>(
  `select id, follower_id, following_id, status, created_at, updated_at from followers where id in (
     select id from (select id from followers where follower_id = $1 order by id limit $2) b
     union select id from (select id from followers where following_id = $1 order by id limit $2) o) order by id`,
)

/**
 * Deletes some follows and requests of an account that is being erased, at most twice `limit`. Returns how many. Call this before locking
 * any user row.
 */
export const eraseSomeFollows = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  const follows = await someFollows(db, [userId, limit])
  if (follows.length === 0) return 0
  await lockUsers(db, [...new Set([userId, ...follows.flatMap(({ follower_id, following_id }) => [follower_id, following_id])])])
  for (const { follower_id, following_id } of follows) {
    const deleted = await deleteFollow(db, [follower_id, following_id])
    if (deleted?.status === 'active') await countFollow(db, deleted, -1)
  }
  return follows.length
}
