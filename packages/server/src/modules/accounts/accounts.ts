import { type AccountStatus, DEFAULT_PERMISSIONS, type ManagerRole } from '@lyceum/contract'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { addPersonNames, type Db, lockName, lockRow } from '../../db/index.ts'
import { generateApplicationPassword, hashApplicationPassword } from '../../secrets/application-password.ts'
import { isReserved } from './former-names.ts'
import { accountsNamed, activeAdmins, heldAddress } from './queries.ts'

export interface NewAccount {
  /** Lower-cased and checked by the caller. */
  readonly username: string
  readonly email: string
  readonly passwordHash: string | null
  readonly displayName: string
  /** Waiting accounts cannot do anything yet, and nobody is told of them as members. */
  readonly status?: 'active' | 'pending'
}

/** The account has registered, and is no member yet. */
export const isWaiting = (status: AccountStatus): boolean => status === 'unverified' || status === 'pending'

/** Says which of the two is taken. @throws username_taken, email_taken */
const refuseTaken = async (db: Db, username: string, email: string): Promise<never> => {
  const taken = await accountsNamed(db, username, email)
  throw taken.some((account) => account.username === username)
    ? new ApiError('username_taken', { data: { field: 'username' } })
    : new ApiError('email_taken', { data: { field: 'email' } })
}

/** An early answer before the costly hashing; the table itself decides. @throws username_taken, email_taken */
export const checkFree = async (db: Db, { username, email }: Pick<NewAccount, 'username' | 'email'>): Promise<void> => {
  if ((await accountsNamed(db, username, email)).length > 0) await refuseTaken(db, username, email)
}

/** The same where nobody may learn whose addresses are known. @throws username_taken */
export const checkUsernameFree = async (ctx: ReadContext, username: string): Promise<void> => {
  if ((await accountsNamed(ctx.db, username, '')).length > 0 || (await isReserved(ctx, username, null)))
    throw new ApiError('username_taken', { data: { field: 'username' } })
}

/**
 * Makes an account without a role; active unless it has to wait.
 * @throws username_taken, email_taken
 */
export const createAccount = async (
  ctx: WriteContext,
  { username, email, passwordHash, displayName, status = 'active' }: NewAccount,
): Promise<number> => {
  if (await heldAddress(ctx.db, email, ctx.now, 0)) throw new ApiError('email_taken', { data: { field: 'email' } })
  const row = await ctx.db
    .insertInto('users')
    .values({
      username,
      email,
      password_hash: passwordHash,
      display_name: displayName,
      status,
      created_at: ctx.now,
      updated_at: ctx.now,
      last_activity: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return refuseTaken(ctx.db, username, email)
  if (await isReserved(ctx, username, null)) throw new ApiError('username_taken', { data: { field: 'username' } })
  await addPersonNames(ctx.db, [{ id: row.id, username, displayName }])
  if (status === 'active') await ctx.emit('user.registered', { user_id: row.id })
  return row.id
}

/**
 * To be called before an account loses the role admin, is suspended, banned or deleted. Holds the administrators' accounts,
 * so that two of them cannot go at the same time because each finds the other one.
 * @throws last_admin when nobody else administers
 */
export const keepAnAdmin = async (db: Db, userId: number): Promise<void> => {
  const admins = await activeAdmins(db)
  if (!admins.includes(userId)) return
  for (const id of admins) await lockRow(db, 'users', id)
  if (!(await activeAdmins(db)).some((id) => id !== userId)) throw new ApiError('last_admin')
}

/** Whoever changes manager records holds this. */
export const MANAGERS_LOCK = 'managers'

/**
 * Gives an account a role over all spaces with that role's default permissions; `member` takes its record away.
 * @throws last_admin when nobody could administer any more
 */
export const setRole = async (
  ctx: WriteContext,
  userId: number,
  role: ManagerRole | 'member',
  assignedBy: number | null,
): Promise<void> => {
  await lockName(ctx.db, MANAGERS_LOCK)
  if (role !== 'admin') await keepAnAdmin(ctx.db, userId)
  if (role === 'member') await ctx.db.deleteFrom('managers').where('user_id', '=', userId).execute()
  else {
    const record = {
      role,
      permissions: JSON.stringify(DEFAULT_PERMISSIONS[role]),
      all_spaces: 1 as const,
      status: 'active' as const,
      assigned_by: assignedBy,
      updated_at: ctx.now,
    }
    await ctx.db
      .insertInto('managers')
      .values({ user_id: userId, created_at: ctx.now, ...record })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(record))
      .execute()
  }
}

/** Makes an application password; the plain text exists only in the result. One with a parent is revoked together with it. */
export const createApplicationPassword = async (ctx: WriteContext, userId: number, name: string, parentId: number | null = null) => {
  const password = generateApplicationPassword()
  const { id } = await ctx.db
    .insertInto('application_passwords')
    .values({
      user_id: userId,
      name,
      hash: hashApplicationPassword(ctx.services.keys.applicationPasswords, password),
      created_at: ctx.now,
      last_used_at: null,
      last_ip: null,
      parent_id: parentId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name, password, created_at: ctx.now }
}
