import { setCookie } from '../../auth/session.ts'
import type { RequestInfo, Services, WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { addPersonNames, type Db, statement, statementOne } from '../../db/index.ts'
import { readCookie } from '../../http/requests/cookies.ts'
import { createToken, hashToken, isToken } from '../../secrets/token.ts'
import { readSetting } from '../settings/index.ts'
import { isReserved } from './former-names.ts'
import { accountsNamed, heldAddress, setStatus } from './queries.ts'

/*
 * A registration that is not confirmed reserves neither its username nor its address: any number of them may want the same, and the first that
 * is confirmed gets it. The mailed link proves the address and nothing else. Which registration it confirms, and by which password, is said by
 * the browser that registered (its cookie), or by a password that is chosen with the link: the password of whoever else registered with that
 * address never becomes valid.
 */

export interface Signup {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly display_name: string
  readonly password_hash: string | null
}

const SIGNUP = `select u.id, s.username, s.email, u.display_name, u.password_hash from signups s join users u on u.id = s.user_id
  where u.status = 'unverified'`

const byId = statementOne<Signup>(`${SIGNUP} and s.user_id = $1`)
export const signupById = (db: Db, userId: number) => byId(db, [userId])

const byLogin = statementOne<Signup>(
  `${SIGNUP} and s.user_id in (select user_id from signups where username = $1 union select user_id from signups where email = $1)
   order by case when s.browser_hash = $2 then 0 else 1 end, s.user_id desc limit 1`,
)
/** The registration by that username or address: that of the caller's browser, or else the newest. */
export const signupByLogin = (db: Db, login: string, browser: string | null) => byLogin(db, [login, browser ?? ''])

const ofBrowser = statementOne<Signup>(`${SIGNUP} and s.email = $1 and s.browser_hash = $2 order by s.user_id desc limit 1`)
/** The registration with that address that was made in this browser. */
export const signupOfBrowser = async (db: Db, email: string, browser: string | null) =>
  browser === null ? undefined : ofBrowser(db, [email, browser])

const liveTokens = statementOne<{ n: number }>(
  `select count(*) as n from signups s join tokens t on t.user_id = s.user_id
   where s.email = $1 and t.purpose in ('verify', 'reset') and t.expires_at > $2`,
)
/** Links that were mailed to that address and still work, for whichever registration. */
export const linksTo = async (db: Db, email: string, now: string) => (await liveTokens(db, [email, now]))?.n ?? 0

// ---- the browser that registered ---------------------------------------------------------------------------

const COOKIE_S = 7 * 24 * 3600
const nameAt = (origin: string) => (origin.startsWith('https:') ? '__Host-lyceum_signup' : 'lyceum_signup')

type SignupRequest = { readonly services: Pick<Services, 'origin'>; readonly request: RequestInfo }

/** Hash of the token that this browser got when it registered. */
export const browserOf = ({ services, request }: SignupRequest): string | null => {
  const token = readCookie(request.cookies, nameAt(services.origin()))
  return token !== undefined && isToken(token) ? hashToken(token) : null
}

/** The cookie by which the browser that registers is known again, and what is stored of it. */
export const signupCookie = ({ services, request }: SignupRequest): { readonly header: string; readonly hash: string } => {
  const token = createToken()
  const origin = services.origin()
  return { header: setCookie(nameAt(origin), token, COOKIE_S, origin, request), hash: hashToken(token) }
}

// ---- the life of a registration ----------------------------------------------------------------------------

/** A name that nobody can have, and that is never typed. */
const placeholder = () => `~${createToken()}`

interface NewSignup {
  readonly username: string
  readonly email: string
  readonly displayName: string
  readonly passwordHash: string
  readonly browserHash: string
}

/** Makes an account that waits until its address is confirmed. The address may be known: nobody is told so but its owner, by mail. */
export const createSignup = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, signup: NewSignup): Promise<number> => {
  const { username, email, displayName, passwordHash, browserHash } = signup
  const hidden = { username: placeholder(), email: placeholder() }
  const stamps = { created_at: now, updated_at: now, last_activity: null }
  const { id } = await db
    .insertInto('users')
    .values({ ...hidden, password_hash: passwordHash, display_name: displayName, status: 'unverified', ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('signups').values({ user_id: id, username, email, browser_hash: browserHash }).execute()
  return id
}

const name = statement('update users set username = $2, email = $3, updated_at = $4 where id = $1')
const settle = statement('delete from signups where user_id = $1')
const dropRivals = statement(
  `delete from users where id in (select user_id from signups where email = $1 and user_id <> $2) and status = 'unverified'`,
)

/**
 * Gives an account that is confirmed, or that somebody else lets in, its names. Other registrations with the same address are over then.
 * @throws username_taken, email_taken
 */
export const claimNames = async (
  ctx: Pick<WriteContext, 'db' | 'now' | 'services'>,
  { id, username, email, display_name }: Pick<Signup, 'id' | 'username' | 'email' | 'display_name'>,
): Promise<void> => {
  const { db, now } = ctx
  const taken = await accountsNamed(db, username, email)
  if (taken.some((account) => account.username === username)) throw new ApiError('username_taken', { data: { field: 'username' } })
  if (taken.length > 0 || (await heldAddress(db, email, now, id))) throw new ApiError('email_taken', { data: { field: 'email' } })
  await name(db, [id, username, email, now])
  if (await isReserved(ctx, username, id)) throw new ApiError('username_taken', { data: { field: 'username' } })
  await addPersonNames(db, [{ id, username, displayName: display_name }])
  await settle(db, [id])
  await dropRivals(db, [email, id])
}

/** The same by the account's id, if it waits for its confirmation. @throws username_taken, email_taken */
export const claimNamesOf = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, userId: number): Promise<void> => {
  const signup = await signupById(ctx.db, userId)
  if (signup) await claimNames(ctx, signup)
}

/** Makes a member of somebody who has proved the address, or lets them wait for approval. @throws username_taken, email_taken */
export const admitSignup = async (ctx: WriteContext, signup: Signup, username = signup.username): Promise<'active' | 'pending'> => {
  await claimNames(ctx, { ...signup, username })
  const status = (await readSetting(ctx.db, 'approval_required')) ? 'pending' : 'active'
  await setStatus(ctx.db, signup.id, status, ctx.now)
  await ctx.emit(status === 'active' ? 'user.registered' : 'user.approval_requested', { user_id: signup.id })
  return status
}
