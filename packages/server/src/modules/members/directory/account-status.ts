import type { AccountStatus, api, BodyOf, Permission } from '@lyceum/contract'
import { may } from '../../../auth/authenticate.ts'
import { endSessions } from '../../../auth/session.ts'
import type { Actor, WriteContext, WriteRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { lockRow, statement, statementOne, type UserRow } from '../../../db/index.ts'
import { claimNamesOf, isWaiting, requireAnotherAdmin } from '../../accounts/index.ts'
import { audit } from '../../audit/index.ts'

type AccountChange = BodyOf<typeof api.members.update>

type Account = Pick<UserRow, 'id' | 'status' | 'is_verified' | 'badge_slugs'>

const accountBy = statementOne<Account>(`select id, status, is_verified, badge_slugs from users where id = $1 and status <> 'deleted'`)
const roleOf = statementOne<{ role: string; permissions: string }>(
  `select role, permissions from managers where user_id = $1 and status = 'active'`,
)
const save = statement('update users set status = $2, is_verified = $3, badge_slugs = $4, updated_at = $5 where id = $1')

/**
 * Whether the actor may set this status. Suspending, banning and restoring need `ban_members`; letting someone in needs `manage_members`;
 * banning someone who waits needs both, because restoring them later lets them in. Managers limited to spaces cannot change accounts.
 */
const maySetStatus = (actor: Actor, account: Account | undefined, status: AccountStatus | undefined): boolean => {
  const waits = account !== undefined && isWaiting(account.status)
  const needed: Permission[] = [
    ...(waits ? ['manage_members' as const] : []),
    ...(waits && status === 'active' ? [] : ['ban_members' as const]),
  ]
  return needed.every((permission) => may(actor, permission, null))
}

/** Only administrators may change an account whose manager record allows more than their own. @throws rest_forbidden */
export const assertMayActOn = async ({ db, actor }: Pick<WriteRequest, 'db' | 'actor'>, userId: number): Promise<void> => {
  if (actor.role === 'admin') return
  const record = await roleOf(db, [userId])
  const permissions = record ? (JSON.parse(record.permissions) as Permission[]) : []
  if (record?.role === 'admin' || permissions.some((permission) => !actor.permissions.has(permission)))
    throw new ApiError('rest_forbidden', { message: 'You cannot change an account with higher rights than yours.' })
}

/** Checks that the caller may set this status, and locks the account. */
const lockForStatusChange = async (ctx: WriteRequest, userId: number, status: Account['status']): Promise<void> => {
  await assertMayActOn(ctx, userId)
  if (status !== 'active') await requireAnotherAdmin(ctx.db, userId)
  if (userId === ctx.actor.id) throw new ApiError('rest_forbidden', { message: 'You cannot change the status of your own account.' })
  await lockRow(ctx.db, 'users', userId)
  await assertMayActOn(ctx, userId)
}

/**
 * Changes the status, verification or badges of an account. An account that becomes inactive is signed out everywhere immediately; its
 * memberships and content stay.
 * @throws rest_forbidden, user_not_found, last_admin, missing_required_field
 */
export const changeAccount = async (ctx: WriteRequest, userId: number, change: AccountChange): Promise<void> => {
  const { db, now, actor } = ctx
  const { status, is_verified, badge_slugs } = change
  const wanted = status === 'blocked' ? 'banned' : status
  const found = await accountBy(db, [userId])
  if (!maySetStatus(actor, found, wanted)) throw new ApiError('rest_forbidden')
  const changesBadges = is_verified !== undefined || badge_slugs !== undefined
  if (status === undefined && !changesBadges)
    throw new ApiError('missing_required_field', { message: 'status is required.', data: { field: 'status' } })
  if (changesBadges && actor.role !== 'admin') throw new ApiError('rest_forbidden')
  if (!found) throw new ApiError('user_not_found')
  if (wanted === undefined) await lockRow(db, 'users', userId)
  else await lockForStatusChange(ctx, userId, wanted)
  const before = await accountBy(db, [userId])
  if (!before) throw new ApiError('user_not_found')
  if (!maySetStatus(actor, before, wanted)) throw new ApiError('rest_forbidden')
  const after = {
    status: wanted ?? before.status,
    is_verified: is_verified === undefined ? before.is_verified : Number(is_verified),
    badge_slugs: badge_slugs === undefined ? before.badge_slugs : JSON.stringify([...new Set(badge_slugs)]),
  }
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof Account] !== value)
  if (changed.length === 0) return
  if (before.status === 'unverified' && after.status !== 'unverified') await claimNamesOf(ctx, userId)
  await save(db, [userId, after.status, after.is_verified, after.badge_slugs, now])
  await audit(ctx, 'account.changed', { object_type: 'user', object_id: userId, details: Object.fromEntries(changed) })
  if (after.status === before.status) return
  if (after.status !== 'active') await endSessions(db, userId)
  const admitted = after.status === 'active' && isWaiting(before.status)
  if (admitted) await ctx.emit('user.registered', { user_id: userId, approver_id: actor.id })
  else await ctx.emit('user.status_changed', { user_id: userId })
}

/**
 * Bans an account automatically. Returns false if it is banned or deleted already, or has a manager record: those are changed only by
 * people.
 */
export const banByRule = async (ctx: WriteContext, userId: number, details: object): Promise<boolean> => {
  const { db, now } = ctx
  await lockRow(db, 'users', userId)
  const account = await accountBy(db, [userId])
  if (!account || account.status === 'banned' || (await roleOf(db, [userId]))) return false
  await save(db, [userId, 'banned', account.is_verified, account.badge_slugs, now])
  await endSessions(db, userId)
  await ctx.emit('user.status_changed', { user_id: userId })
  await audit({ ...ctx, actor: null }, 'account.changed', {
    object_type: 'user',
    object_id: userId,
    details: { status: 'banned', ...details },
  })
  return true
}
