import { DEFAULT_PERMISSIONS, type ManagerRole } from '@lyceum/contract'
import type { Db } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { generateApplicationPassword, hashApplicationPassword } from '../../platform/secrets/application-password.ts'

export interface NewAccount {
  /** Lower-cased and checked by the caller. */
  readonly username: string
  readonly email: string
  readonly passwordHash: string | null
  readonly displayName: string
}

/**
 * Makes an active account without a role.
 * @throws username_taken, email_taken
 */
export const createAccount = async (ctx: WriteContext, { username, email, passwordHash, displayName }: NewAccount): Promise<number> => {
  const row = await ctx.db
    .insertInto('users')
    .values({
      username,
      email,
      password_hash: passwordHash,
      display_name: displayName,
      created_at: ctx.now,
      updated_at: ctx.now,
      last_activity: null,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) {
    const taken = await ctx.db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
    throw new ApiError(taken ? 'username_taken' : 'email_taken')
  }
  await ctx.emit('user.registered', { user_id: row.id })
  return row.id
}

/** How many active administrators there are, with their records locked so that two removals cannot both find another one left. */
const countAdmins = async (db: Db): Promise<number> => {
  const rows = await db
    .selectFrom('managers')
    .innerJoin('users', 'users.id', 'managers.user_id')
    .select('managers.user_id')
    .where('managers.role', '=', 'admin')
    .where('managers.status', '=', 'active')
    .where('users.status', '=', 'active')
    .execute()
  return rows.length
}

/**
 * Gives an account a role over all spaces with that role's default permissions; `member` takes its record away.
 * @throws last_admin when nobody could administer any more
 */
export const setRole = async (ctx: WriteContext, userId: number, role: ManagerRole | 'member', assignedBy: number | null): Promise<void> => {
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
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(record))
      .execute()
  }
  if (role !== 'admin' && (await hadAdmins(ctx.db)) && (await countAdmins(ctx.db)) === 0) throw new ApiError('last_admin')
}

/** A community without any administrator yet (before the set-up) may get members by the command line. */
const hadAdmins = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').innerJoin('managers', 'managers.user_id', 'users.id').select('users.id').limit(1).executeTakeFirst()) !== undefined

/** Makes an application password; the plain text exists only in the result. */
export const createApplicationPassword = async (ctx: WriteContext, userId: number, name: string) => {
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
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name, password, created_at: ctx.now }
}
