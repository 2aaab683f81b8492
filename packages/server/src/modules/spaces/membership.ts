import type { WriteContext } from '../../core/context.ts'
import { type Db, type SpaceMemberRow, statement, statementOne } from '../../db/index.ts'

export type Membership = SpaceMemberRow
type MembershipState = Pick<Membership, 'role' | 'status'>

const select = statementOne<Membership>('select * from space_members where space_id = $1 and user_id = $2')
const remove = statement('delete from space_members where id = $1')
const insert = statementOne<Membership>(
  `insert into space_members (space_id, user_id, role, status, joined_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning *`,
)
const update = statementOne<Membership>(
  'update space_members set role = $2, status = $3, joined_at = $4, updated_at = $5 where id = $1 returning *',
)
const addToMembersCount = statement('update spaces set members_count = members_count + $2 where id = $1')

export const findMembership = (db: Db, spaceId: number, userId: number): Promise<Membership | undefined> => select(db, [spaceId, userId])

const isActive = (place: MembershipState | null | undefined): boolean => place?.status === 'active'

/** The event for a change of membership; null if others need not know. `byThemselves`: the member made the change. */
export const membershipEvent = (before: MembershipState | undefined, after: MembershipState | null, byThemselves: boolean) => {
  if (isActive(before) && !isActive(after)) return 'space.member_left'
  if (isActive(before)) return before?.role === after?.role ? null : 'space.member_updated'
  if (isActive(after)) {
    if (before?.status === 'banned') return 'space.member_updated'
    return byThemselves || before?.status === 'pending' ? 'space.member_joined' : 'space.member_invited'
  }
  return after?.status === 'pending' && !before ? 'space.join_requested' : null
}

type MembershipContext = Pick<WriteContext, 'db' | 'now' | 'emit'> & { readonly actor: { readonly id: number } }

/** Sets a membership, or removes it with null, with count and event. The caller locked the space before reading `before`. */
export const setMembership = async (
  { db, now, emit, actor }: MembershipContext,
  spaceId: number,
  userId: number,
  before: Membership | undefined,
  after: MembershipState | null,
): Promise<Membership | undefined> => {
  let row: Membership | undefined
  if (after && before) {
    const joinedAt = isActive(after) && !isActive(before) ? now : before.joined_at
    row = await update(db, [before.id, after.role, after.status, joinedAt, now])
  } else if (after) row = await insert(db, [spaceId, userId, after.role, after.status, now])
  else if (before) await remove(db, [before.id])
  const change = Number(isActive(after)) - Number(isActive(before))
  if (change !== 0) await addToMembersCount(db, [spaceId, change])
  const byThemselves = actor.id === userId
  const event = membershipEvent(before, after, byThemselves)
  const ids = { space_id: spaceId, user_id: userId }
  if (event === 'space.member_invited') await emit(event, { ...ids, inviter_id: actor.id })
  else if (event === 'space.member_joined' && !byThemselves) await emit(event, { ...ids, approver_id: actor.id })
  else if (event) await emit(event, ids)
  return row
}
