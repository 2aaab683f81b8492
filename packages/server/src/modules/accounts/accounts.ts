import { type AccountStatus, DEFAULT_PERMISSIONS, type ManagerRole } from '@lyceum/contract'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { addUserNames, type Db, lockName, lockRow } from '../../db/index.ts'
import { generateApplicationPassword, hashApplicationPassword } from '../../secrets/application-password.ts'
import { isReserved } from './former-names.ts'
import {
  accountsByNameOrEmail,
  activeAdmins,
  dropManager,
  insertAccount,
  insertApplicationPassword,
  isEmailReserved,
  putManager,
} from './queries.ts'

export interface NewAccount {
  /** Lower-cased and checked by the caller. */
  readonly username: string
  readonly email: string
  readonly passwordHash: string | null
  readonly displayName: string
  /** Pending accounts cannot do anything yet and are not visible as members. */
  readonly status?: 'active' | 'pending'
}

/** Registered, but not a member yet. */
export const isWaiting = (status: AccountStatus): boolean => status === 'unverified' || status === 'pending'

export const usernameTaken = () => new ApiError('username_taken', { data: { field: 'username' } })
export const emailTaken = () => new ApiError('email_taken', { data: { field: 'email' } })

/** Cheap check before the expensive password hashing; the unique constraint decides. @throws username_taken, email_taken */
export const checkAvailable = async (db: Db, { username, email }: Pick<NewAccount, 'username' | 'email'>): Promise<void> => {
  const taken = await accountsByNameOrEmail(db, [username, email])
  if (taken.some((account) => account.username === username)) throw usernameTaken()
  if (taken.length > 0) throw emailTaken()
}

/** Checks the username only, for callers that must not reveal which email addresses are registered. @throws username_taken */
export const checkUsernameAvailable = async (ctx: ReadContext, username: string): Promise<void> => {
  if ((await accountsByNameOrEmail(ctx.db, [username, ''])).length > 0 || (await isReserved(ctx, username, null))) throw usernameTaken()
}

/**
 * Creates an account without a role.
 * @throws username_taken, email_taken
 */
export const createAccount = async (ctx: WriteContext, { username, email, passwordHash, displayName, status = 'active' }: NewAccount) => {
  if (await isEmailReserved(ctx.db, [email, ctx.now, 0])) throw emailTaken()
  const row = await insertAccount(ctx.db, [username, email, passwordHash, displayName, status, ctx.now])
  if (!row) {
    await checkAvailable(ctx.db, { username, email })
    throw emailTaken()
  }
  if (await isReserved(ctx, username, null)) throw usernameTaken()
  await addUserNames(ctx.db, [{ id: row.id, username, displayName }])
  if (status === 'active') await ctx.emit('user.registered', { user_id: row.id })
  return row.id
}

/**
 * Call this before an account loses the admin role or is suspended, banned or deleted. Locks all administrators' rows, so that two
 * administrators cannot leave at the same time, each counting on the other.
 * @throws last_admin if no other administrator remains
 */
export const requireAnotherAdmin = async (db: Db, userId: number): Promise<void> => {
  const admins = await activeAdmins(db)
  if (!admins.includes(userId)) return
  for (const id of admins) await lockRow(db, 'users', id)
  if (!(await activeAdmins(db)).some((id) => id !== userId)) throw new ApiError('last_admin')
}

export const MANAGERS_LOCK = 'managers'

/**
 * Grants a role over all spaces with that role's default permissions; `member` deletes the manager record.
 * @throws last_admin if no administrator would remain
 */
export const setRole = async (ctx: WriteContext, userId: number, role: ManagerRole | 'member', assignedBy: number | null) => {
  await lockName(ctx.db, MANAGERS_LOCK)
  if (role !== 'admin') await requireAnotherAdmin(ctx.db, userId)
  if (role === 'member') await dropManager(ctx.db, [userId])
  else await putManager(ctx.db, [userId, role, JSON.stringify(DEFAULT_PERMISSIONS[role]), 1, 'active', assignedBy, ctx.now])
}

/** Creates an application password; the plain text exists only in the result. A child is revoked together with its parent. */
export const createApplicationPassword = async (ctx: WriteContext, userId: number, name: string, parentId: number | null = null) => {
  const password = generateApplicationPassword()
  const hash = hashApplicationPassword(ctx.services.keys.applicationPasswords, password)
  const id = await insertApplicationPassword(ctx.db, [userId, name, hash, ctx.now, parentId])
  return { id, name, password, created_at: ctx.now }
}
