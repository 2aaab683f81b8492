import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'
import { findMembership } from './membership.ts'

const spacesOfMember = statement<{ space_id: number }>('select space_id from space_members where user_id = $1 order by space_id limit $2')
const remove = statement('delete from space_members where id = $1')
const decrementMembers = statement('update spaces set members_count = members_count - 1 where id = $1')

/** Removes an account that is being erased from at most `limit` spaces, without events. Returns how many were found. */
export const leaveSomeSpaces = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  const memberships = await spacesOfMember(db, [userId, limit])
  for (const { space_id } of memberships) {
    await lockRow(db, 'spaces', space_id)
    const member = await findMembership(db, space_id, userId)
    if (!member) continue
    await remove(db, [member.id])
    if (member.status === 'active') await decrementMembers(db, [space_id])
  }
  return memberships.length
}
