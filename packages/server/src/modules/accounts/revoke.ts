import { endSessions } from '../../auth/session.ts'
import type { Actor, WriteContext } from '../../core/context.ts'
import { type Db, statement, statementRowCount } from '../../db/index.ts'
import { deleteTokens, type Purpose } from './queries.ts'

export interface Revoked {
  readonly sessions: number
  readonly application_passwords: number
  readonly exports: number
}

interface RevokeOptions {
  /** The caller's own credential, which stays valid. */
  readonly keep?: Pick<Actor, 'sessionId' | 'applicationPasswordId'>
  readonly applicationPasswords: boolean
  /** `pending`: exports in progress; `all`: also those ready for download. */
  readonly exports: 'pending' | 'all'
  readonly links: readonly Purpose[]
}

const detach = statement('update application_passwords set parent_id = null where id = $1 and parent_id is not null')
/** Counted before the deletion, which may delete children together with their parents. */
const countPasswords = statementRowCount('select id from application_passwords where user_id = $1 and id <> $2')
const removePasswords = statement('delete from application_passwords where user_id = $1 and id <> $2')

/** Subscriptions without a session; `endSessions` deletes the rest. */
const removePush = statement('delete from push_subscriptions where user_id = $1 and session_id is null')

const expireExports = statementRowCount(
  `update data_exports set status = 'expired' where user_id = $1 and (status = 'pending' or (status = 'ready' and $2 = 'all')) returning id`,
)

/** Expires data exports and returns how many; a cleanup task deletes their files. */
export const expireExportsOf = async (db: Db, userId: number, which: 'pending' | 'all' = 'all'): Promise<number> =>
  expireExports(db, [userId, which])

/** Revokes all credentials of an account except the caller's own. The caller must hold the row lock. */
export const revokeAccess = async ({ db }: Pick<WriteContext, 'db'>, userId: number, options: RevokeOptions): Promise<Revoked> => {
  const { sessionId = null, applicationPasswordId = 0 } = options.keep ?? {}
  const sessions = await endSessions(db, userId, sessionId)
  const passwords = options.applicationPasswords ? await countPasswords(db, [userId, applicationPasswordId]) : 0
  if (options.applicationPasswords) {
    // The parent is about to be revoked, which would also revoke the caller's password.
    if (applicationPasswordId) await detach(db, [applicationPasswordId])
    await removePasswords(db, [userId, applicationPasswordId])
    await removePush(db, [userId])
  }
  for (const purpose of options.links) await deleteTokens(db, [userId, purpose])
  const exports = await expireExportsOf(db, userId, options.exports)
  return { sessions, application_passwords: passwords, exports }
}
