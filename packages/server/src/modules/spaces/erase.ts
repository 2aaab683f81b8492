import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'
import { findMembership, setMembership } from './membership.ts'

const spacesOfMember = statement<{ space_id: number }>('select space_id from space_members where user_id = $1 order by space_id limit $2')

/** Removes an account that is being erased from at most `limit` spaces, without events. Returns how many were found. */
export const leaveSomeSpaces = async ({ db, now }: WriteContext, userId: number, limit: number): Promise<number> => {
  const silent = { db, now, actor: { id: userId }, emit: async () => {} }
  const memberships = await spacesOfMember(db, [userId, limit])
  for (const { space_id } of memberships) {
    await lockRow(db, 'spaces', space_id)
    const member = await findMembership(db, space_id, userId)
    if (member) await setMembership(silent, space_id, userId, member, null)
  }
  return memberships.length
}
