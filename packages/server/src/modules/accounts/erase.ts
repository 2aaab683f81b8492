import type { WriteContext } from '../../core/context.ts'
import { replaceUserNames, statement, statementOne, statementRowCount } from '../../db/index.ts'
import { detachFormerUsernames, reserveUsername } from './former-names.ts'
import { eraseImported } from './imported-names.ts'
import { DELETED_DOMAIN } from './validation.ts'

const eraseColumns = statementOne<{ id: number }>(
  `update users set username = $2, email = $3, password_hash = null, display_name = 'Deleted member', first_name = '', last_name = '',
     short_description = '', location = '', website = '', avatar = '', cover_photo = '', social_links = '{}', badge_slugs = '[]',
     lang = '', is_verified = 0, is_private = 0, status = 'deleted', updated_at = $4, last_activity = null where id = $1 and status <> 'deleted' returning id`,
)
const nameOf = statementOne<{ username: string }>(`select username from users where id = $1 and status <> 'unverified'`)
/** Tables of credentials, of the role, of further names, and of how and where the account signs in and is notified. */
const ACCESS_TABLES = [
  ...['sessions', 'application_passwords', 'tokens', 'signups', 'managers', 'sign_in_failures'],
  ...['push_subscriptions', 'digest_schedules', 'notification_preferences', 'username_aliases', 'redirects'],
]
const deleteAccess = ACCESS_TABLES.map((table) => statement(`delete from ${table} where user_id = $1`))
const deleteResponses = statementRowCount(
  'delete from idempotency_keys where scope = $1 and key in (select key from idempotency_keys where scope = $1 limit $2) returning key',
)

export const endAccess = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  for (const run of deleteAccess) await run(db, [userId])
}

/**
 * Erases all personal data but the id; the former usernames stay reserved. Returns false if this was done before. The caller must hold the
 * row lock.
 */
export const eraseAccountRow = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, userId: number): Promise<boolean> => {
  const { db, now } = ctx
  const name = `deleted-${userId}`
  const former = await nameOf(db, [userId])
  if (!(await eraseColumns(db, [userId, name, `${name}@${DELETED_DOMAIN}`, now]))) return false
  await replaceUserNames(db, userId, { username: '', displayName: '' })
  await detachFormerUsernames(db, [userId])
  await eraseImported(ctx, userId)
  if (former) await reserveUsername(ctx, former.username, null)
  await endAccess(ctx, userId)
  return true
}

/** Deletes up to `limit` stored responses to idempotent requests; returns how many. */
export const eraseIdempotentResponses = ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  deleteResponses(db, [`user:${userId}`, limit])
