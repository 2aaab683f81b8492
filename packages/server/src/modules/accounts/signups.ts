import { type CookieContext, readOwnCookie, setCookie } from '../../auth/session.ts'
import type { WriteContext } from '../../core/context.ts'
import { addUserNames, type Db, statement, statementNumber, statementOne } from '../../db/index.ts'
import { createToken, hashToken, isToken } from '../../secrets/token.ts'
import { readSetting } from '../settings/index.ts'
import { checkAvailable, emailTaken, type NewAccount, usernameTaken } from './accounts.ts'
import { isReserved } from './former-names.ts'
import { type Account, insertAccount, isEmailReserved, setStatus } from './queries.ts'

/**
 * An unconfirmed registration. It reserves neither its username nor its address: any number of registrations may want the same, and the
 * first one confirmed gets it. The mailed link only proves the address. Which registration it confirms, and with which password, is decided
 * by the cookie of the browser that registered, or by a password chosen with the link; the password of another registration with the same
 * address never becomes valid.
 */
export type Signup = Omit<Account, 'status' | 'lang'>

const SIGNUP = `select u.id, s.username, s.email, u.display_name, u.password_hash from signups s join users u on u.id = s.user_id
  where u.status = 'unverified'`

export const signupById = statementOne<Signup>(`${SIGNUP} and s.user_id = $1`)

const byLogin = statementOne<Signup>(
  `${SIGNUP} and s.user_id in (select user_id from signups where username = $1 union select user_id from signups where email = $1)
   order by case when s.browser_hash = $2 then 0 else 1 end, s.user_id desc limit 1`,
)
/** The registration with this username or address: the caller's browser's own, otherwise the newest. */
export const signupByLogin = (db: Db, login: string, browser: string | null) => byLogin(db, [login, browser ?? ''])

const ofBrowser = statementOne<Signup>(`${SIGNUP} and s.email = $1 and s.browser_hash = $2 order by s.user_id desc limit 1`)
export const signupOfBrowser = async (db: Db, email: string, browser: string | null) =>
  browser === null ? undefined : ofBrowser(db, [email, browser])

export const countLinksTo = statementNumber(
  `select count(*) as n from signups s join tokens t on t.user_id = s.user_id
   where s.email = $1 and t.purpose in ('verify', 'reset') and t.expires_at > $2`,
)

const COOKIE_S = 7 * 24 * 3600

export const browserOf = (ctx: CookieContext): string | null => {
  const token = readOwnCookie(ctx, 'signup')
  return token !== undefined && isToken(token) ? hashToken(token) : null
}

/** The cookie that identifies the registering browser, and the hash to store. */
export const signupCookie = (ctx: CookieContext): { readonly header: string; readonly hash: string } => {
  const token = createToken()
  return { header: setCookie(ctx, 'signup', token, COOKIE_S), hash: hashToken(token) }
}

/** A unique value that is never a valid username or address. */
const placeholder = () => `~${createToken()}`

const insert = statement('insert into signups (user_id, username, email, browser_hash) values ($1, $2, $3, $4)')

/** Creates an account that waits for confirmation. The address may be registered already; only its owner is told so, by mail. */
export const createSignup = async (
  { db, now }: Pick<WriteContext, 'db' | 'now'>,
  { username, email, displayName, passwordHash }: NewAccount,
  browserHash: string,
): Promise<number> => {
  const row = await insertAccount(db, [placeholder(), placeholder(), passwordHash, displayName, 'unverified', now])
  const { id } = row as { id: number }
  await insert(db, [id, username, email, browserHash])
  return id
}

const name = statement('update users set username = $2, email = $3, updated_at = $4 where id = $1')
const deleteSignup = statement('delete from signups where user_id = $1')
const deleteRivals = statement(
  `delete from users where id in (select user_id from signups where email = $1 and user_id <> $2) and status = 'unverified'`,
)

/**
 * Gives an account its username and address on confirmation or approval, and deletes other unconfirmed registrations of the address.
 * @throws username_taken, email_taken
 */
const claimNames = async (
  ctx: Pick<WriteContext, 'db' | 'now' | 'services'>,
  { id, username, email, display_name }: Pick<Signup, 'id' | 'username' | 'email' | 'display_name'>,
): Promise<void> => {
  const { db, now } = ctx
  await checkAvailable(db, { username, email })
  if (await isEmailReserved(db, [email, now, id])) throw emailTaken()
  await name(db, [id, username, email, now])
  if (await isReserved(ctx, username, id)) throw usernameTaken()
  await addUserNames(db, [{ id, username, displayName: display_name }])
  await deleteSignup(db, [id])
  await deleteRivals(db, [email, id])
}

/** The same by account id; does nothing if there is no unconfirmed registration. @throws username_taken, email_taken */
export const claimNamesOf = async (ctx: Pick<WriteContext, 'db' | 'now' | 'services'>, userId: number): Promise<void> => {
  const signup = await signupById(ctx.db, [userId])
  if (signup) await claimNames(ctx, signup)
}

/** Activates a confirmed registration, or makes it wait for approval. @throws username_taken, email_taken */
export const admitSignup = async (ctx: WriteContext, signup: Signup, username = signup.username): Promise<'active' | 'pending'> => {
  await claimNames(ctx, { ...signup, username })
  const status = (await readSetting(ctx.db, 'approval_required')) ? 'pending' : 'active'
  await setStatus(ctx.db, [signup.id, status, ctx.now])
  await ctx.emit(status === 'active' ? 'user.registered' : 'user.approval_requested', { user_id: signup.id })
  return status
}
