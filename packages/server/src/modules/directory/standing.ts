import type { api, BodyOf, Permission } from '@lyceum/contract'
import { lockRow, statement, statementOne } from '../../db/index.ts'
import { may } from '../../platform/auth/permissions.ts'
import { endSessions } from '../../platform/auth/session.ts'
import type { Actor, AskedWrite } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { keepAnAdmin } from '../accounts/index.ts'

export type AccountChange = BodyOf<typeof api.members.update>

interface Account {
  readonly id: number
  readonly status: 'active' | 'suspended' | 'banned'
  readonly is_verified: 0 | 1
  readonly badge_slugs: string
}

const accountBy = statementOne<Account>('select id, status, is_verified, badge_slugs from users where id = $1')
const roleOf = statementOne<{ role: string; permissions: string }>(
  `select role, permissions from managers where user_id = $1 and status = 'active'`,
)
const save = statement('update users set status = $2, is_verified = $3, badge_slugs = $4, updated_at = $5 where id = $1')

/** Suspends and bans. A record that is limited to spaces covers no accounts: they are everybody's. */
const maySuspend = (actor: Actor): boolean => actor.role === 'admin' || may(actor, 'ban_members', null)

/** Nobody but an administrator acts on an account whose manager record allows more than his own. */
const checkReach = async ({ db, actor }: AskedWrite, userId: number): Promise<void> => {
  if (actor.role === 'admin') return
  const record = await roleOf(db, [userId])
  const held = record ? (JSON.parse(record.permissions) as Permission[]) : []
  if (record?.role === 'admin' || held.some((permission) => !actor.permissions.has(permission)))
    throw new ApiError('rest_forbidden', { message: 'You cannot act on somebody who may do more than you.' })
}

/** Whether this may become somebody's status by the caller; the account is held then. */
const holdForStatus = async (ctx: AskedWrite, userId: number, status: Account['status']): Promise<void> => {
  await checkReach(ctx, userId)
  if (status !== 'active') await keepAnAdmin(ctx.db, userId)
  if (userId === ctx.actor.id) throw new ApiError('rest_forbidden', { message: 'You cannot change the status of your own account.' })
  await lockRow(ctx.db, 'users', userId)
  await checkReach(ctx, userId)
}

/**
 * Changes what an account is to the community. An account that is no longer active is signed out everywhere in the same moment; it stays in
 * its spaces, and what it wrote stays where it is.
 * @throws rest_forbidden, user_not_found, last_admin, missing_required_field
 */
export const changeAccount = async (ctx: AskedWrite, userId: number, change: AccountChange): Promise<void> => {
  const { db, now, actor } = ctx
  const { status, is_verified, badge_slugs } = change
  if (!maySuspend(actor)) throw new ApiError('rest_forbidden')
  const honours = is_verified !== undefined || badge_slugs !== undefined
  if (status === undefined && !honours)
    throw new ApiError('missing_required_field', { message: 'status is required.', data: { field: 'status' } })
  if (honours && actor.role !== 'admin') throw new ApiError('rest_forbidden')
  if (!(await accountBy(db, [userId]))) throw new ApiError('user_not_found')
  const wanted = status === 'blocked' ? 'banned' : status
  if (wanted === undefined) await lockRow(db, 'users', userId)
  else await holdForStatus(ctx, userId, wanted)
  const before = await accountBy(db, [userId])
  if (!before) throw new ApiError('user_not_found')
  const after = {
    status: wanted ?? before.status,
    is_verified: is_verified === undefined ? before.is_verified : Number(is_verified),
    badge_slugs: badge_slugs === undefined ? before.badge_slugs : JSON.stringify([...new Set(badge_slugs)]),
  }
  if (Object.entries(after).every(([name, value]) => before[name as keyof Account] === value)) return
  await save(db, [userId, after.status, after.is_verified, after.badge_slugs, now])
  if (after.status === before.status) return
  if (after.status !== 'active') await endSessions(db, userId)
  await ctx.emit('user.status_changed', { user_id: userId })
}
