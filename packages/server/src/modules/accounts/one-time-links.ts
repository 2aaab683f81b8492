import { shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Db, statement } from '../../db/index.ts'
import type { Writer } from '../../jobs/index.ts'
import { createToken, hashToken, isToken } from '../../secrets/token.ts'
import { deleteSetupTokens, hasAdmin, type Purpose } from './queries.ts'

export const RESET_MINUTES = 60
export const VERIFY_HOURS = 48
export const UNDO_DAYS = 7
const SETUP_DAYS = 7

/** The hash of a token from a request body; null if it is malformed. */
export const storedToken = (token: string): string | null => (isToken(token) ? hashToken(token) : null)

const DAY_S = 24 * 3600
const LASTS_S: Readonly<Record<Purpose, number>> = {
  reset: RESET_MINUTES * 60,
  verify: VERIFY_HOURS * 3600,
  email: VERIFY_HOURS * 3600,
  undo: UNDO_DAYS * DAY_S,
  setup: SETUP_DAYS * DAY_S,
}

const insert = statement('insert into tokens (hash, purpose, user_id, created_at, expires_at, email) values ($1, $2, $3, $4, $5, $6)')

/**
 * Stores a single-use token; its plain text exists only in the result. `email` is the new (or, for `undo`, the former) address of an email
 * change.
 */
export const issueToken = async (db: Db, purpose: Purpose, userId: number | null, now: string, email: string | null = null) => {
  const token = createToken()
  const hash = hashToken(token)
  await insert(db, [hash, purpose, userId, now, shift(now, LASTS_S[purpose]), email])
  return { token, hash }
}

const linkMaker =
  (purpose: Purpose, path: string) =>
  async (db: Db, userId: number | null, now: string, origin: string): Promise<{ url: string; hash: string }> => {
    const { token, hash } = await issueToken(db, purpose, userId, now)
    return { url: `${origin}/${path}?token=${token}`, hash }
  }

export const makeResetLink = linkMaker('reset', 'reset-password')
export const makeVerifyLink = linkMaker('verify', 'verify-email')
const makeSetupLink = linkMaker('setup', 'setup')

/**
 * Creates the link for setting up the first administrator and invalidates earlier ones; null if there is an administrator. Call it once the
 * server is listening, since the link contains its address.
 */
export const setupLink = ({ services, write }: { readonly services: Services; readonly write: Writer }): Promise<string | null> =>
  write(null, async ({ db, now }) => {
    await deleteSetupTokens(db)
    if (await hasAdmin(db)) return null
    return (await makeSetupLink(db, null, now, services.origin())).url
  })
