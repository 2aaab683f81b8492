import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, type SpaceMemberRow, statement, statementOne } from '../../db/index.ts'

export type Membership = SpaceMemberRow
export type MembershipState = Pick<Membership, 'role' | 'status'>

const select = statementOne<Membership>('select * from space_members where space_id = $1 and user_id = $2')
const ofMember = statement<Membership>('select * from space_members where user_id = $1')
const remove = statement('delete from space_members where id = $1')
const insert = statementOne<Membership>(
  `insert into space_members (space_id, user_id, role, status, joined_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning *`,
)
const update = statementOne<Membership>(
  'update space_members set role = $2, status = $3, joined_at = $4, updated_at = $5 where id = $1 returning *',
)
/** Inserts memberships, or accepts the requests of members. */
const insertEach = batchStatement<Membership>(
  { user_id: 'bigint' },
  (rows) => `insert into space_members (space_id, user_id, role, status, joined_at, updated_at)
    select $2, d.user_id, $3, $4, $5, $5 from ${rows} d where 1 = 1 on conflict (space_id, user_id) do update
    set role = excluded.role, status = excluded.status, joined_at = excluded.joined_at, updated_at = excluded.updated_at returning *`,
)
const addToMembersCount = statement('update spaces set members_count = members_count + $2 where id = $1')

export const findMembership = (db: Db, spaceId: number, userId: number): Promise<Membership | undefined> => select(db, [spaceId, userId])

/** All memberships and requests of a member. */
export const membershipsOf = (db: Db, userId: number): Promise<Membership[]> => ofMember(db, [userId])

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

/** Somebody who may become a member. */
export interface Candidate {
  readonly user_id: number
  readonly is_active: 0 | 1
  /** Of the present membership, if there is one. */
  readonly role: Membership['role'] | null
  readonly status: Membership['status'] | null
}
const candidates = batchStatement<Candidate>(
  { id: 'bigint' },
  (rows) => `select d.id as user_id, case when u.status = 'active' then 1 else 0 end as is_active, m.role, m.status
    from ${rows} d left join users u on u.id = d.id left join space_members m on m.space_id = $2 and m.user_id = d.id`,
)
export const findCandidates = (db: Db, spaceId: number, userIds: readonly number[]): Promise<Candidate[]> =>
  candidates(db, [...new Set(userIds)], [spaceId])

type MembershipContext = Pick<WriteContext, 'db' | 'now' | 'emit'> & { readonly actor: { readonly id: number } }

const emitChange = async (
  { emit, actor }: MembershipContext,
  ids: { readonly space_id: number; readonly user_id: number },
  before: MembershipState | undefined,
  after: MembershipState | null,
): Promise<void> => {
  const byThemselves = actor.id === ids.user_id
  const event = membershipEvent(before, after, byThemselves)
  if (event === 'space.member_invited') await emit(event, { ...ids, inviter_id: actor.id })
  else if (event === 'space.member_joined' && !byThemselves) await emit(event, { ...ids, approver_id: actor.id })
  else if (event) await emit(event, ids)
}

/** Sets a membership, or removes it with null, with count and event. The caller locked the space before reading `before`. */
export const setMembership = async (
  ctx: MembershipContext,
  spaceId: number,
  userId: number,
  before: Membership | undefined,
  after: MembershipState | null,
): Promise<Membership | undefined> => {
  const { db, now } = ctx
  let row: Membership | undefined
  if (after && before) {
    const joinedAt = isActive(after) && !isActive(before) ? now : before.joined_at
    row = await update(db, [before.id, after.role, after.status, joinedAt, now])
  } else if (after) row = await insert(db, [spaceId, userId, after.role, after.status, now])
  else if (before) await remove(db, [before.id])
  const change = Number(isActive(after)) - Number(isActive(before))
  if (change !== 0) await addToMembersCount(db, [spaceId, change])
  await emitChange(ctx, { space_id: spaceId, user_id: userId }, before, after)
  return row
}

/** Like `setMembership` for many people who are neither active nor banned members. */
export const addMemberships = async (
  ctx: MembershipContext,
  spaceId: number,
  people: readonly Candidate[],
  after: MembershipState,
): Promise<Membership[]> => {
  const ids = people.map(({ user_id }) => user_id)
  const rows = await insertEach(ctx.db, ids, [spaceId, after.role, after.status, ctx.now])
  if (rows.length > 0 && isActive(after)) await addToMembersCount(ctx.db, [spaceId, rows.length])
  for (const { user_id, role, status } of people)
    await emitChange(ctx, { space_id: spaceId, user_id }, role && status ? { role, status } : undefined, after)
  return rows
}
