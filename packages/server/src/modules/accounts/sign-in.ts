import type { api, ResponseOf } from '@lyceum/contract'
import type { Db } from '../../db/index.ts'
import { actorFor, normalizeLogin, refuseInactive } from '../../platform/auth/identify.ts'
import { countTry, refundTry, tryKeys } from '../../platform/auth/tries.ts'
import type { Actor, AskedRead, ReadContext } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { issueNonce } from '../../platform/secrets/nonce.ts'
import { viewXprofile } from '../members/view.ts'
import { type Account, accountById, accountByLogin, personById } from './queries.ts'

const LONGEST_LOGIN = 320

/** A body from a form: no challenge, since a browser would ask for Basic credentials in a dialog of its own. */
export const signInRefused = () =>
  new ApiError('rest_forbidden', { status: 401, challenge: false, message: 'The username or the password is not right.' })

type Known = Account & { readonly password_hash: string }

/** Compares a password with the account's; counted before, taken back unless it was wrong. Takes as long for an account that does not exist. */
const guarded = async (
  { services }: ReadContext,
  keys: readonly string[],
  password: string,
  account: Account | undefined,
): Promise<Known | null> => {
  await countTry(services, keys)
  try {
    const right = await services.passwords.verifyPassword(password, account?.password_hash ?? null)
    if (!right || account?.password_hash == null) return null
  } catch (error) {
    refundTry(services, keys)
    throw error
  }
  refundTry(services, keys)
  return account as Known
}

/**
 * The account whose password this is.
 * @throws 401 rest_forbidden, 403 account_suspended or account_banned (with the right password alone), 429
 */
export const checkLogin = async (ctx: AskedRead<Actor | null>, login: string, password: string): Promise<Known> => {
  const name = normalizeLogin(login)
  const found = await accountByLogin(ctx.db, name)
  const keys = tryKeys(ctx.request.ip, found ? `user:${found.id}` : `login:${name.slice(0, LONGEST_LOGIN)}`)
  const account = await guarded(ctx, keys, password, found)
  if (!account) throw signInRefused()
  refuseInactive(account.status)
  return account
}

/** The caller's account, once the account password was given again. @throws 400 wrong_password, 429 */
export const confirmPassword = async (ctx: AskedRead, password: string): Promise<Known> => {
  const found = await accountById(ctx.db, ctx.actor.id)
  const account = await guarded(ctx, tryKeys(ctx.request.ip, `user:${ctx.actor.id}`), password, found)
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
