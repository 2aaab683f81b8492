import { endSessions } from '../../auth/session.ts'
import type { Actor, WriteContext } from '../../core/context.ts'
import { type Db, statement } from '../../db/index.ts'
import { dropTokens, type Purpose } from './queries.ts'

/** How many of each were revoked. */
export interface Revoked {
  readonly sessions: number
  readonly application_passwords: number
  readonly exports: number
}

interface What {
  /** The credential of the caller, which stays. */
  readonly keep?: Pick<Actor, 'sessionId' | 'applicationPasswordId'>
  readonly applicationPasswords: boolean
  /** `pending`: those that are being made; `all`: those that can be downloaded, too. */
  readonly exports: 'pending' | 'all'
  readonly links: readonly Purpose[]
}

const sessions = statement<{ id: number }>('select id from sessions where user_id = $1 and id <> $2')
const passwords = statement<{ id: number }>('select id from application_passwords where user_id = $1 and id <> $2')
const detach = statement('update application_passwords set parent_id = null where id = $1 and parent_id is not null')
const removePasswords = statement('delete from application_passwords where user_id = $1 and id <> $2')

/** Those that no session ends: they were made with an application password, or before sessions had them. */
const removePush = statement('delete from push_subscriptions where user_id = $1 and session_id is null')

const expirePending = statement<{ id: number }>(
  `update data_exports set status = 'expired' where user_id = $1 and status = 'pending' returning id`,
)
const expireAll = statement<{ id: number }>(
  `update data_exports set status = 'expired' where user_id = $1 and status in ('pending', 'ready') returning id`,
)

/** Archives of an account that nobody may make or fetch any more; the chores remove their files. How many. */
export const expireExportsOf = async (db: Db, userId: number, which: 'pending' | 'all' = 'all'): Promise<number> =>
  (await (which === 'all' ? expireAll : expirePending)(db, [userId])).length

/** Ends what an account can be used with, but the credential of the caller. The account's row is held by the caller. */
export const revokeAccess = async ({ db }: Pick<WriteContext, 'db'>, userId: number, what: What): Promise<Revoked> => {
  const { sessionId = null, applicationPasswordId = 0 } = what.keep ?? {}
  const ended = await sessions(db, [userId, sessionId ?? 0])
  await endSessions(db, userId, sessionId)
  const revoked = what.applicationPasswords ? await passwords(db, [userId, applicationPasswordId]) : []
  if (what.applicationPasswords) {
    // What it was made with is revoked, and would take it along.
    if (applicationPasswordId) await detach(db, [applicationPasswordId])
    await removePasswords(db, [userId, applicationPasswordId])
    await removePush(db, [userId])
  }
  for (const purpose of what.links) await dropTokens(db, userId, purpose)
  const exports = await expireExportsOf(db, userId, what.exports)
  return { sessions: ended.length, application_passwords: revoked.length, exports }
}
