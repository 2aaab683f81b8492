import { chunkPadded, type Db, statementIn } from '../db/index.ts'
import type { Credential } from './types.ts'

const livePasswords = statementIn<{ id: number }>(
  (list) => `select p.id from application_passwords p join users u on u.id = p.user_id and u.status = 'active' where p.id in (${list(1)})`,
)
const liveSessions = statementIn<{ id: number }>(
  (list, count) => `select s.id from sessions s join users u on u.id = s.user_id and u.status = 'active'
    where s.id in (${list(1)}) and s.expires_at > $${count + 1}`,
)

const idsOf = (credentials: readonly Credential[], kind: Credential['kind']) => [
  ...new Set(credentials.filter((one) => one.kind === kind).map(({ credentialId }) => credentialId)),
]

/** Returns which credentials are still valid: not revoked, not expired, and of an active account. */
export const liveCredentials = async (
  db: Db,
  credentials: readonly Credential[],
  now: string,
): Promise<(credential: Credential) => boolean> => {
  const alive = { 'application-password': new Set<number>(), session: new Set<number>() }
  for (const ids of chunkPadded(idsOf(credentials, 'application-password')))
    for (const { id } of await livePasswords(db, ids.length, ids)) alive['application-password'].add(id)
  for (const ids of chunkPadded(idsOf(credentials, 'session')))
    for (const { id } of await liveSessions(db, ids.length, [...ids, now])) alive.session.add(id)
  return ({ kind, credentialId }) => alive[kind].has(credentialId)
}
