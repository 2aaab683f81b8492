import type { SpaceRole } from '@lyceum/contract'
import type { Actor, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { audit, auditEach } from '../audit/index.ts'
import { lockedSpaceFor, type SpaceAbilities, spaceAbilities } from './access.ts'
import {
  addMemberships,
  type Candidate,
  findCandidates,
  findMembership,
  type Membership,
  type MembershipState,
  setMembership,
} from './membership.ts'

const RANK: Readonly<Record<SpaceRole, number>> = { member: 1, moderator: 2, admin: 3 }

/** Managers of a space may act on all roles; those who only manage its members may not act on admins. @throws rest_forbidden */
const assertMayActOnRole = ({ manage }: SpaceAbilities, role: SpaceRole): void => {
  if (!manage && role === 'admin')
    throw new ApiError('rest_forbidden', { message: 'You cannot change a member with a higher role than yours.' })
}

/** Anyone but a manager may grant, also to themselves, only roles with no more rights than their own. @throws rest_forbidden */
const assertMayGrantRole = (can: SpaceAbilities, role: SpaceRole): void => {
  const moderates = can.moderateFeeds && can.moderateComments && can.approve && can.pin && can.feature
  if (!can.manage && RANK[role] > RANK[moderates ? 'moderator' : 'member'])
    throw new ApiError('rest_forbidden', { message: 'You cannot assign a role higher than yours.' })
}

const refuseSelf = (actor: Actor, userId: number): void => {
  if (actor.id === userId) throw new ApiError('cannot_remove_self')
}

/**
 * The caller joins a public space immediately, or requests membership of a private one. Repeating a request changes nothing.
 * @throws space_not_found, already_member, rest_forbidden if banned
 */
export const join = async (ctx: WriteRequest, slug: string): Promise<Membership> => {
  const { db, actor } = ctx
  const space = await lockedSpaceFor(ctx, slug, 'view')
  const before = await findMembership(db, space.id, actor.id)
  if (before?.status === 'active') throw new ApiError('already_member')
  if (before?.status === 'banned') throw new ApiError('rest_forbidden', { message: 'You are banned from this space.' })
  const joinsDirectly = spaceAbilities(actor, space).read
  if (before && !joinsDirectly) return before
  const after = { role: 'member', status: joinsDirectly ? 'active' : 'pending' } as const
  return (await setMembership(ctx, space.id, actor.id, before, after)) as Membership
}

/** The caller leaves the space or withdraws a request. @throws space_not_found, not_member */
export const leave = async (ctx: WriteRequest, slug: string): Promise<void> => {
  const space = await lockedSpaceFor(ctx, slug, 'view')
  const before = await findMembership(ctx.db, space.id, ctx.actor.id)
  if (!before || before.status === 'banned') throw new ApiError('not_member')
  await setMembership(ctx, space.id, ctx.actor.id, before, null)
}

/** Why somebody does not become a member. */
const refusalOf = ({ status, is_active }: Candidate, after: MembershipState): 'member' | 'banned' | 'unknown' | null => {
  if (status === 'active' || (status === 'pending' && after.status === 'pending')) return 'member'
  if (status === 'banned') return 'banned'
  return is_active ? null : 'unknown'
}

/** Adds people to a space or approves their requests. @throws space_not_found, rest_forbidden */
const addEach = async (ctx: WriteRequest, slug: string, userIds: readonly number[], after: MembershipState) => {
  const space = await lockedSpaceFor(ctx, slug, 'manageMembers')
  assertMayGrantRole(spaceAbilities(ctx.actor, space), after.role)
  const found = Map.groupBy(await findCandidates(ctx.db, space.id, userIds), (candidate) => refusalOf(candidate, after))
  const people = found.get(null) ?? []
  const details = { space_id: space.id, ...after, privacy: space.privacy }
  await auditEach(
    ctx,
    'space_member.added',
    people.map(({ user_id: object_id }) => ({ object_type: 'user', object_id, details })),
  )
  return { found, added: await addMemberships(ctx, space.id, people, after) }
}

/** Adds a member or approves a request. @throws space_not_found, rest_forbidden, user_not_found, already_member */
export const addMember = async (ctx: WriteRequest, slug: string, userId: number, after: MembershipState): Promise<Membership> => {
  const { found, added } = await addEach(ctx, slug, [userId], after)
  if (found.has('unknown')) throw new ApiError('user_not_found')
  if (found.has('member')) throw new ApiError('already_member')
  if (found.has('banned')) throw new ApiError('rest_forbidden', { message: 'This user is banned from the space. Unban them first.' })
  return added[0] as Membership
}

/** Adds several members and counts the results. @throws space_not_found, rest_forbidden */
export const addMembers = async (ctx: WriteRequest, slug: string, userIds: readonly number[], role: SpaceRole) => {
  const { found, added } = await addEach(ctx, slug, userIds, { role, status: 'active' })
  const count = (refusal: 'member' | 'banned' | 'unknown') => found.get(refusal)?.length ?? 0
  return { added: added.length, skipped: count('member') + count('banned'), failed: count('unknown') }
}

/** A space whose members the caller manages, and a membership in it. @throws space_not_found, rest_forbidden */
const findMemberFor = async (ctx: WriteRequest, slug: string, userId: number) => {
  const space = await lockedSpaceFor(ctx, slug, 'manageMembers')
  const member = await findMembership(ctx.db, space.id, userId)
  return { space, member }
}

const recordMember = (ctx: WriteRequest, verb: 'changed' | 'removed', userId: number, details: object) =>
  audit(ctx, `space_member.${verb}`, { object_type: 'user', object_id: userId, details })

interface MembershipChange {
  readonly role?: SpaceRole
  readonly status?: 'active' | 'banned'
}

/**
 * Changes the role or status of a member, approves a request, or lifts a ban. A ban permanently removes the role.
 * @throws space_not_found, rest_forbidden, member_not_found, cannot_remove_self
 */
export const changeMember = async (ctx: WriteRequest, slug: string, userId: number, { role, status }: MembershipChange) => {
  const { space, member } = await findMemberFor(ctx, slug, userId)
  if (status === 'banned') refuseSelf(ctx.actor, userId)
  if (!member) throw new ApiError('member_not_found')
  const after = { role: status === 'banned' ? 'member' : (role ?? member.role), status: status ?? member.status } as const
  const can = spaceAbilities(ctx.actor, space)
  assertMayActOnRole(can, member.role)
  if (after.role !== member.role) assertMayGrantRole(can, after.role)
  if (after.role === member.role && after.status === member.status) return member
  await recordMember(ctx, 'changed', userId, { space_id: space.id, ...after })
  return (await setMembership(ctx, space.id, userId, member, after)) as Membership
}

/** Lifts a ban; active members stay as they are. @throws space_not_found, rest_forbidden, member_not_found */
export const unban = async (ctx: WriteRequest, slug: string, userId: number): Promise<Membership> => {
  const { member } = await findMemberFor(ctx, slug, userId)
  if (!member || member.status === 'pending') throw new ApiError('member_not_found')
  return changeMember(ctx, slug, userId, { status: 'active' })
}

/** Removes a member or rejects a request; a ban stays. @throws space_not_found, rest_forbidden, cannot_remove_self, member_not_found */
export const removeMember = async (ctx: WriteRequest, slug: string, userId: number): Promise<void> => {
  const { space, member } = await findMemberFor(ctx, slug, userId)
  refuseSelf(ctx.actor, userId)
  if (!member || member.status === 'banned') throw new ApiError('member_not_found')
  assertMayActOnRole(spaceAbilities(ctx.actor, space), member.role)
  await recordMember(ctx, 'removed', userId, { space_id: space.id })
  await setMembership(ctx, space.id, userId, member, null)
}
