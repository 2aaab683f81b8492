import type { api, ResponseOf } from '@lyceum/contract'
import { actorFor, normalizeLogin, refuseInactive } from '../../auth/authenticate.ts'
import { knownDevice } from '../../auth/device.ts'
import { addressTries, countTry, knownTries, loginTries, networkTries, pairTries, refundTry } from '../../auth/login-throttle.ts'
import { shift } from '../../core/clock.ts'
import type { Actor, ReadContext, ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { networkOf } from '../../limits/ip-prefix.ts'
import { issueNonce } from '../../secrets/csrf-nonce.ts'
import { recordSignInFailure } from '../audit/index.ts'
import { viewXprofile } from '../members/view.ts'
import { type Account, accountByConflictingLogin, accountById, accountByLogin, addressesOf, personById } from './queries.ts'
import { browserOf, signupByLogin } from './signups.ts'

const MAX_LOGIN_LENGTH = 320
/** How long an IP address counts as known after its last use. */
const KNOWN_ADDRESS_S = 30 * 24 * 3600

/** No `WWW-Authenticate` challenge: browsers would open their Basic dialog over the sign-in form. */
export const signInRefused = () =>
  new ApiError('rest_forbidden', { status: 401, challenge: false, message: 'The username or password is incorrect.' })

type AccountWithPassword = Account & { readonly password_hash: string }

type Counters = Parameters<typeof countTry>[1]

/** Verifies the password; takes equally long for unknown accounts. Refunds the counted attempt unless the password was wrong. */
const verifyCounted = async (
  { services }: Pick<ReadContext, 'services'>,
  counted: Counters,
  password: string,
  account: Account | undefined,
): Promise<AccountWithPassword | null> => {
  try {
    const right = await services.passwords.verifyPassword(password, account?.password_hash ?? null)
    if (!right || account?.password_hash == null) return null
  } catch (error) {
    refundTry(services, counted)
    throw error
  }
  refundTry(services, counted)
  return account as AccountWithPassword
}

const isKnownAddress = async ({ db, now, request }: ReadRequest<Actor | null>, userId: number): Promise<boolean> => {
  const network = networkOf(request.ip)
  return (await addressesOf(db, [userId, shift(now, -KNOWN_ADDRESS_S)])).some((ip) => networkOf(ip) === network)
}

/**
 * Counts a sign-in attempt. A browser known to the account has its own budget. From a network that recently used the account, the password
 * is checked even if attempts from elsewhere have exhausted the budget of this login; a wrong password then gets `late` as the response, so
 * that responses do not reveal which addresses are known.
 * @throws rate_limit_exceeded
 */
const countSignIn = async (ctx: ReadRequest<Actor | null>, login: string, account: Account | undefined) => {
  const { services, request } = ctx
  const device = account?.password_hash ? knownDevice(ctx, account as AccountWithPassword) : null
  if (account && device) {
    const counted = [knownTries(`device:${account.id}:${device}`)]
    await countTry(services, counted)
    return { counted, late: null }
  }
  const near = [pairTries(services, request.ip, login), addressTries(request.ip), networkTries(request.ip)]
  const everywhere = loginTries(services, login)
  await countTry(services, near)
  try {
    await countTry(services, [everywhere])
    return { counted: [...near, everywhere], late: null }
  } catch (late) {
    if (account && (await isKnownAddress(ctx, account.id))) return { counted: near, late }
    refundTry(services, near)
    throw late
  }
}

/**
 * The correct password of an unconfirmed registration gets `email_not_verified`, even if another account has taken the address by now;
 * otherwise the response would reveal that account.
 * @throws email_not_verified
 */
const refuseUnconfirmed = async (ctx: ReadRequest<Actor | null>, counted: Counters, login: string, password: string): Promise<void> => {
  const signup = await signupByLogin(ctx.db, login, browserOf(ctx))
  if (!signup || !(await ctx.services.passwords.verifyPassword(password, signup.password_hash))) return
  refundTry(ctx.services, counted)
  throw new ApiError('email_not_verified')
}

/**
 * The account with this login and password. Two members may have brought the same login: the password tells which of them it is.
 * @throws 401 rest_forbidden; 403 account_suspended or account_banned, only with the correct password; 429
 */
export const checkLogin = async (ctx: ReadRequest<Actor | null>, login: string, password: string): Promise<AccountWithPassword> => {
  const name = normalizeLogin(login)
  const found = await accountByLogin(ctx.db, [name])
  const { counted, late } = await countSignIn(ctx, name.slice(0, MAX_LOGIN_LENGTH), found)
  const other = found && (await accountByConflictingLogin(ctx.db, [`${name}\n`]))
  const account =
    (await verifyCounted(ctx, counted, password, found)) ?? (other ? await verifyCounted(ctx, counted, password, other) : null)
  if (!account) {
    await refuseUnconfirmed(ctx, counted, name, password)
    await recordSignInFailure(ctx.services, found?.status === 'deleted' ? null : (found?.id ?? null), ctx.request.ip)
    throw late ?? signInRefused()
  }
  refuseInactive(account.status)
  return account
}

/**
 * Re-authenticates the caller by the account password. Attempts count per session, and jointly for all application passwords of the
 * account, since each of those can create more.
 * @throws 400 wrong_password, 429
 */
export const confirmPassword = async (ctx: ReadRequest, password: string): Promise<AccountWithPassword> => {
  const { db, actor, services } = ctx
  const counted = [knownTries(actor.sessionId === null ? `user:${actor.id}` : `session:${actor.sessionId}`)]
  await countTry(services, counted)
  const account = await verifyCounted(ctx, counted, password, await accountById(db, [actor.id]))
  if (!account) throw new ApiError('wrong_password', { data: { field: 'current_password' } })
  return account
}

type SessionUser = NonNullable<ResponseOf<typeof api.auth.session>['user']>

export const viewSessionUser = async (db: Db, actor: Pick<Actor, 'id' | 'role' | 'permissions'>): Promise<SessionUser> => {
  const row = await personById(db, [actor.id])
  if (!row) throw new ApiError('user_not_found')
  return { ...viewXprofile(row), role: actor.role, permissions: [...actor.permissions], lang: row.lang }
}

export const viewSignedIn = async (db: Db, userId: number): Promise<SessionUser> => {
  const actor = await actorFor(db, userId)
  if (!actor) throw signInRefused()
  return viewSessionUser(db, actor)
}

export const nonceOf = ({ services }: Pick<ReadContext, 'services'>, sessionId: number): string =>
  issueNonce(services.keys.nonces, String(sessionId), services.clock.now())
