import { endSessions } from '../../auth/session.ts'
import type { WriteContext } from '../../core/context.ts'
import { replacePersonNames, statement, statementOne } from '../../db/index.ts'
import { disownUsernames, reserveUsername } from './former-names.ts'
import { NOWHERE } from './validation.ts'

const wipe = statementOne<{ id: number }>(
  `update users set username = $2, email = $3, password_hash = null, display_name = 'Deleted member', first_name = '', last_name = '',
     short_description = '', location = '', website = '', avatar = '', cover_photo = '', social_links = '{}', badge_slugs = '[]',
     is_verified = 0, is_private = 0, status = 'deleted', updated_at = $4, last_activity = null where id = $1 and status <> 'deleted' returning id`,
)
const nameOf = statementOne<{ username: string }>(`select username from users where id = $1 and status <> 'unverified'`)
const passwords = statement('delete from application_passwords where user_id = $1')
const tokens = statement('delete from tokens where user_id = $1')
const signup = statement('delete from signups where user_id = $1')
const record = statement('delete from managers where user_id = $1')
const answers = statement<{ key: string }>(
  'delete from idempotency_keys where scope = $1 and key in (select key from idempotency_keys where scope = $1 limit $2) returning key',
)

/** Ends everything that an account could be used with, and its role. */
export const endAccess = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await endSessions(db, userId)
  for (const run of [passwords, tokens, signup, record]) await run(db, [userId])
}

/** Leaves of an account its id alone: it is nobody's, and nobody else gets its names while they are reserved. False: it was so already. The row is held by the caller. */
export const wipeAccount = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, userId: number): Promise<boolean> => {
  const { db, now } = ctx
  const name = `deleted-${userId}`
  const former = await nameOf(db, [userId])
  if (!(await wipe(db, [userId, name, `${name}@${NOWHERE}`, now]))) return false
  await replacePersonNames(db, userId, { username: '', displayName: '' })
  await disownUsernames(db, userId)
  if (former) await reserveUsername(ctx, former.username, null)
  await endAccess(ctx, userId)
  return true
}

/** Forgets some answers that an account could have had repeated, at most `limit`; how many. */
export const eraseAnswers = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  (await answers(db, [`user:${userId}`, limit])).length
