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
import { noteSignInFailure } from '../audit/index.ts'
import { viewXprofile } from '../members/view.ts'
import { type Account, accountById, accountByLogin, addressesOf, personById } from './queries.ts'
import { browserOf, signupByLogin } from './signups.ts'

const LONGEST_LOGIN = 320
/** How long an address from which an account was used is known. */
const KNOWN_S = 30 * 24 * 3600

/** A body from a form: no challenge, since a browser would ask for Basic credentials in a dialog of its own. */
export const signInRefused = () =>
  new ApiError('rest_forbidden', { status: 401, challenge: false, message: 'The username or the password is not right.' })

type Known = Account & { readonly password_hash: string }

type Counters = Parameters<typeof countTry>[1]

/** Whether this is the account's password; takes as long for an account that does not exist. A counted try is taken back unless it was wrong. */
const compare = async (
  { services }: Pick<ReadContext, 'services'>,
  counted: Counters,
  password: string,
  account: Account | undefined,
): Promise<Known | null> => {
  try {
    const right = await services.passwords.verifyPassword(password, account?.password_hash ?? null)
    if (!right || account?.password_hash == null) return null
  } catch (error) {
    refundTry(services, counted)
    throw error
  }
  refundTry(services, counted)
  return account as Known
}

/** Whether the account was used from this network lately. */
const isKnownAddress = async ({ db, now, request }: ReadRequest<Actor | null>, userId: number): Promise<boolean> => {
  const network = networkOf(request.ip)
  return (await addressesOf(db, userId, shift(now, -KNOWN_S))).some((ip) => networkOf(ip) === network)
}

/**
 * Counts a try to sign in. A browser that is known to the account has a budget of its own. Whoever comes from an address that the account
 * was used from lately is checked even when strangers elsewhere have used up the tries for this login; `late` is what a wrong password is
 * answered then, so that the answers tell nobody which addresses are known.
 * @throws rate_limit_exceeded
 */
const countSignIn = async (ctx: ReadRequest<Actor | null>, login: string, account: Account | undefined) => {
  const { services, request } = ctx
  const device = account?.password_hash ? knownDevice(ctx, account as Known) : null
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
 * Whoever knows the password of a registration hears that it waits for its confirmation, also where the address belongs to an account by now:
 * else the answer would tell that it does.
 * @throws email_not_verified
 */
const refuseUnconfirmed = async (ctx: ReadRequest<Actor | null>, counted: Counters, login: string, password: string): Promise<void> => {
  const signup = await signupByLogin(ctx.db, login, browserOf(ctx))
  if (!signup || !(await ctx.services.passwords.verifyPassword(password, signup.password_hash))) return
  refundTry(ctx.services, counted)
  throw new ApiError('email_not_verified')
}

/**
 * The account whose password this is.
 * @throws 401 rest_forbidden, 403 account_suspended or account_banned (with the right password alone), 429
 */
export const checkLogin = async (ctx: ReadRequest<Actor | null>, login: string, password: string): Promise<Known> => {
  const name = normalizeLogin(login)
  const found = await accountByLogin(ctx.db, name)
  const { counted, late } = await countSignIn(ctx, name.slice(0, LONGEST_LOGIN), found)
  const account = await compare(ctx, counted, password, found)
  if (!account) {
    await refuseUnconfirmed(ctx, counted, name, password)
    await noteSignInFailure(ctx.services, found?.status === 'deleted' ? null : (found?.id ?? null), ctx.request.ip)
    throw late ?? signInRefused()
  }
  refuseInactive(account.status)
  return account
}

/**
 * The caller's account, once the account password was given again. Tries count for the session, and together for all application passwords
 * of the account, since one of those can make others.
 * @throws 400 wrong_password, 429
 */
export const confirmPassword = async (ctx: ReadRequest, password: string): Promise<Known> => {
  const { db, actor, services } = ctx
  const counted = [knownTries(actor.sessionId === null ? `user:${actor.id}` : `session:${actor.sessionId}`)]
  await countTry(services, counted)
  const account = await compare(ctx, counted, password, await accountById(db, actor.id))
  if (!account) throw new ApiError('wrong_password', { data: { field: 'current_password' } })
  return account
}

type SessionUser = NonNullable<ResponseOf<typeof api.auth.session>['user']>

/** Who is signed in, with what the account may do. */
export const viewSessionUser = async (db: Db, actor: Pick<Actor, 'id' | 'role' | 'permissions'>): Promise<SessionUser> => {
  const row = await personById(db, actor.id)
  if (!row) throw new ApiError('user_not_found')
  return { ...viewXprofile(row), role: actor.role, permissions: [...actor.permissions] }
}

/** The same for an account that signs in just now. */
export const viewSignedIn = async (db: Db, userId: number): Promise<SessionUser> => {
  const actor = await actorFor(db, userId)
  if (!actor) throw signInRefused()
  return viewSessionUser(db, actor)
}

export const nonceOf = ({ services }: Pick<ReadContext, 'services'>, sessionId: number): string =>
  issueNonce(services.keys.nonces, String(sessionId), services.clock.now())
