import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'
import { findMembership } from './membership.ts'

const some = statement<{ space_id: number }>('select space_id from space_members where user_id = $1 order by space_id limit $2')
const remove = statement('delete from space_members where id = $1')
const uncount = statement('update spaces set members_count = members_count - 1 where id = $1')

/** Takes an account that goes away out of some spaces, at most `limit`; how many. Nothing is told of it. */
export const leaveSomeSpaces = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  const places = await some(db, [userId, limit])
  for (const { space_id } of places) {
    await lockRow(db, 'spaces', space_id)
    const member = await findMembership(db, space_id, userId)
    if (!member) continue
    await remove(db, [member.id])
    if (member.status === 'active') await uncount(db, [space_id])
  }
  return places.length
}

const disown = statement<{ id: number }>(
  `update spaces set created_by = null where id in (select id from spaces where created_by = $1 order by id limit $2) returning id`,
)

/** Spaces that the account made stay, as nobody's: administrators run them. */
export const disownSpaces = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  (await disown(db, [userId, limit])).length
