import { shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import type { Writer } from '../../jobs/index.ts'
import { createToken, hashToken, isToken } from '../../secrets/token.ts'
import { addToken, deleteSetupTokens, findToken, hasAdmin } from './queries.ts'

export const RESET_MINUTES = 60
export const VERIFY_HOURS = 48
export const UNDO_DAYS = 7
const SETUP_DAYS = 7

/** The hash of a token from a request body; null if it is malformed. */
export const storedToken = (token: string): string | null => (isToken(token) ? hashToken(token) : null)

/** Creates a single-use password link, valid for an hour. The plain token exists only in the result. */
export const makeResetLink = async (db: Db, userId: number, now: string, origin: string): Promise<{ url: string; hash: string }> => {
  const token = createToken()
  const hash = hashToken(token)
  await addToken(db, { hash, purpose: 'reset', userId, now, expiresAt: shift(now, RESET_MINUTES * 60) })
  return { url: `${origin}/reset-password?token=${token}`, hash }
}

/** Creates a single-use link that confirms the account's email address. */
export const makeVerifyLink = async (db: Db, userId: number, now: string, origin: string): Promise<{ url: string; hash: string }> => {
  const token = createToken()
  const hash = hashToken(token)
  await addToken(db, { hash, purpose: 'verify', userId, now, expiresAt: shift(now, VERIFY_HOURS * 3600) })
  return { url: `${origin}/verify-email?token=${token}`, hash }
}

/** The account of a valid reset token. */
export const resetTokenOwner = async (db: Db, token: string, now: string): Promise<number | null> => {
  const hash = storedToken(token)
  return hash ? ((await findToken(db, hash, 'reset', now))?.user_id ?? null) : null
}

/**
 * Creates the link for setting up the first administrator and invalidates earlier ones; null if there is an administrator. Call it once the
 * server is listening, since the link contains its address.
 */
export const setupLink = ({ services, write }: { readonly services: Services; readonly write: Writer }): Promise<string | null> =>
  write(null, async ({ db, now }) => {
    await deleteSetupTokens(db)
    if (await hasAdmin(db)) return null
    const token = createToken()
    await addToken(db, { hash: hashToken(token), purpose: 'setup', userId: null, now, expiresAt: shift(now, SETUP_DAYS * 24 * 3600) })
    return `${services.origin()}/setup?token=${token}`
  })
