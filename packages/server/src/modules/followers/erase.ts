import type { WriteContext } from '../../core/context.ts'
import { lockPeople, statement } from '../../db/index.ts'
import { countFollow, deleteFollow, type Follow } from './queries.ts'

const some = statement<Follow>(
  `select id, follower_id, following_id, status, created_at, updated_at from followers where id in (
     select id from (select id from followers where follower_id = $1 order by id limit $2) b
     union select id from (select id from followers where following_id = $1 order by id limit $2) o) order by id`,
)

/** Ends some follows and requests of an account that goes away, at most twice `limit`; how many. No row of a person is held before. */
export const eraseSomeFollows = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  const follows = await some(db, [userId, limit])
  if (follows.length === 0) return 0
  await lockPeople(db, [...new Set([userId, ...follows.flatMap(({ follower_id, following_id }) => [follower_id, following_id])])])
  for (const { follower_id, following_id } of follows) {
    const gone = await deleteFollow(db, follower_id, following_id)
    if (gone?.status === 'active') await countFollow(db, gone, -1)
  }
  return follows.length
}
