import { shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import type { Writer } from '../../jobs/index.ts'
import { createToken, hashToken, isToken } from '../../secrets/token.ts'
import { addToken, dropSetupTokens, findToken, hasAdmin } from './queries.ts'

export const RESET_MINUTES = 60
export const VERIFY_HOURS = 48
export const UNDO_DAYS = 7
const SETUP_DAYS = 7

/** The stored form of a token that came in a body; null when it cannot be one. */
export const storedToken = (token: string): string | null => (isToken(token) ? hashToken(token) : null)

/** Makes a link with which the account's password can be set, once, within an hour. The token is nowhere but in the result. */
export const makeResetLink = async (db: Db, userId: number, now: string, origin: string): Promise<{ url: string; hash: string }> => {
  const token = createToken()
  const hash = hashToken(token)
  await addToken(db, { hash, purpose: 'reset', userId, now, expiresAt: shift(now, RESET_MINUTES * 60) })
  return { url: `${origin}/reset-password?token=${token}`, hash }
}

/** Makes a link that confirms the account's e-mail address, once. */
export const makeVerifyLink = async (db: Db, userId: number, now: string, origin: string): Promise<{ url: string; hash: string }> => {
  const token = createToken()
  const hash = hashToken(token)
  await addToken(db, { hash, purpose: 'verify', userId, now, expiresAt: shift(now, VERIFY_HOURS * 3600) })
  return { url: `${origin}/verify-email?token=${token}`, hash }
}

/** The account that a reset token was made for, while it is valid. */
export const resetTokenOwner = async (db: Db, token: string, now: string): Promise<number | null> => {
  const hash = storedToken(token)
  return hash ? ((await findToken(db, hash, 'reset', now))?.user_id ?? null) : null
}

/**
 * A new link with which the first administrator can be set up, or null when there is an administrator.
 * Earlier ones stop working. To be called once the server listens, since the link names its address.
 */
export const setupLink = ({ services, write }: { readonly services: Services; readonly write: Writer }): Promise<string | null> =>
  write(null, async ({ db, now }) => {
    await dropSetupTokens(db)
    if (await hasAdmin(db)) return null
    const token = createToken()
    await addToken(db, { hash: hashToken(token), purpose: 'setup', userId: null, now, expiresAt: shift(now, SETUP_DAYS * 24 * 3600) })
    return `${services.origin()}/setup?token=${token}`
  })
