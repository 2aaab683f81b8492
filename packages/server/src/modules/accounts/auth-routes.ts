import { api } from '@lyceum/contract'
import { normalizeLogin } from '../../auth/authenticate.ts'
import { deviceCookie } from '../../auth/device.ts'
import { addressTries, countTry, refundTry } from '../../auth/login-throttle.ts'
import { endFormerSession, endSession, sessionCookie, signedOutHeaders, startSession } from '../../auth/session.ts'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow } from '../../db/index.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { createToken } from '../../secrets/token.ts'
import { assertNotBlocked } from '../automod/index.ts'
import { readSetting, readSettings } from '../settings/index.ts'
import { checkAvailable, checkUsernameAvailable, createAccount, type NewAccount, setRole } from './accounts.ts'
import { applyEmailChange, consumeEmailChange, restoreEmail } from './email-change.ts'
import { spendRegistration } from './limits.ts'
import { mailPasswordChanged, mailResetLink, mailVerification } from './mail.ts'
import { storedToken } from './one-time-links.ts'
import {
  accountById,
  accountByLogin,
  clearPassword,
  consumeToken,
  deleteSetupTokens,
  deleteTokens,
  findToken,
  hasAdmin,
  setPassword,
  upgradePassword,
} from './queries.ts'
import { revokeAccess } from './revoke.ts'
import { checkLogin, nonceOf, signInRefused, viewSessionUser, viewSignedIn } from './sign-in.ts'
import { admitSignup, browserOf, createSignup, signupById, signupByLogin, signupCookie, signupOfBrowser } from './signups.ts'
import { checkedAccount, checkNewPassword, newUsername } from './validation.ts'

const viewCreated = (
  ctx: WriteContext,
  id: number,
  { username, email, displayName }: NewAccount,
  role: 'member' | 'admin',
  status: keyof typeof REGISTERED_MESSAGES,
) => ({
  id,
  username,
  email,
  display_name: displayName,
  role,
  status,
  created_at: ctx.now,
})

const APPROVAL_PENDING = 'An administrator will review your account. You will get an email when you can sign in.'
const REGISTERED_MESSAGES = {
  active: 'Your account is ready. You can sign in now.',
  unverified: 'Your account is created. Confirm your email address with the link we sent you.',
  pending: `Your account is created. ${APPROVAL_PENDING}`,
} as const

const CHOOSE_PASSWORD = 'Choose a password.'
/** A password reset may follow an account takeover, so it revokes all credentials. */
const NOT_SET_UP = 'This community is not set up yet: it has no administrator.'

const ALL_CREDENTIALS = { applicationPasswords: true, exports: 'all', links: ['reset', 'verify', 'email'] } as const

/**
 * The username sent with the link, validated as at registration; without one, the present username.
 * @throws invalid_username, invalid_data
 */
const usernameOrPresent = async (ctx: ReadContext, given: string | null | undefined, present: string): Promise<string> => {
  if (given == null) return present
  const username = newUsername(given, false)
  await assertNotBlocked(ctx, null, { username })
  return username
}

const initialStatus = async (db: Db): Promise<keyof typeof REGISTERED_MESSAGES> => {
  const { require_email_verification, approval_required } = await readSettings(db, ['require_email_verification', 'approval_required'])
  if (require_email_verification) return 'unverified'
  return approval_required ? 'pending' : 'active'
}

export const authHandlers: Handlers<typeof api.auth> = {
  setup: prepared(
    api.auth.setup,
    async ({ db, now, services, request }, { body }) => {
      const tries = [addressTries(request.ip)]
      await countTry(services, tries)
      const hash = storedToken(body.token)
      // Report an existing administrator only after the token check: a caller who lost the race for the setup link learns why.
      if (!hash || !(await findToken(db, hash, 'setup', now))) throw new ApiError((await hasAdmin(db)) ? 'setup_done' : 'invalid_token')
      refundTry(services, tries)
      if (await hasAdmin(db)) throw new ApiError('setup_done')
      const account = checkedAccount(body, { byOperator: true })
      await checkAvailable(db, account)
      return { hash, account: { ...account, passwordHash: await services.passwords.hashPassword(body.password) } }
    },
    async (ctx, _input, { hash, account }) => {
      const taken = await consumeToken(ctx.db, hash, 'setup', ctx.now)
      if (!taken || (await hasAdmin(ctx.db))) throw new ApiError('setup_done')
      await deleteSetupTokens(ctx.db)
      const id = await createAccount(ctx, account)
      await setRole(ctx, id, 'admin', null)
      return { message: 'The administrator account was created.', data: viewCreated(ctx, id, account, 'admin', 'active') }
    },
  ),

  register: prepared(
    api.auth.register,
    async (ctx, { body }) => {
      const { db, services } = ctx
      if (!(await services.isSetUp())) throw new ApiError('registration_closed', { message: NOT_SET_UP })
      if (!(await readSetting(db, 'allow_registration'))) throw new ApiError('registration_closed')
      const account = checkedAccount(body)
      await assertNotBlocked(ctx, null, { username: account.username, display_name: account.displayName })
      const refund = await spendRegistration(ctx, account.email)
      try {
        if (await readSetting(db, 'require_email_verification')) await checkUsernameAvailable(ctx, account.username)
        else await checkAvailable(db, account)
      } catch (error) {
        refund()
        throw error
      }
      return { ...account, passwordHash: await services.passwords.hashPassword(body.password, { deferrable: true }) }
    },
    async (ctx, _input, account) => {
      const status = await initialStatus(ctx.db)
      const data = async (id: number) => ({ message: REGISTERED_MESSAGES[status], data: viewCreated(ctx, id, account, 'member', status) })
      if (status === 'unverified') {
        await checkUsernameAvailable(ctx, account.username)
        const { header, hash } = signupCookie(ctx)
        const id = await createSignup(ctx, account, hash)
        await ctx.enqueue(mailVerification.name, { user_id: id })
        ctx.setHeader('set-cookie', header)
        return data(id)
      }
      const id = await createAccount(ctx, { ...account, status })
      if (status === 'pending') await ctx.emit('user.approval_requested', { user_id: id })
      return data(id)
    },
  ),

  verifyEmail: prepared(
    api.auth.verifyEmail,
    async (ctx, { body }) => {
      const { db, now, services } = ctx
      const hash = storedToken(body.token) ?? ''
      const named = await signupById(db, [(await findToken(db, hash, 'verify', now))?.user_id ?? 0])
      if (!named) throw new ApiError('invalid_token')
      // The link proves the address. If several registrations use it, the browser's cookie selects the right one.
      const own = await signupOfBrowser(db, named.email, browserOf(ctx))
      const { id, email, username } = own ?? named
      const called = await usernameOrPresent(ctx, body.username, username)
      if (body.password == null) {
        if (!own) throw new ApiError('password_required', { message: CHOOSE_PASSWORD, data: { field: 'password', username } })
        return { hash, id, called, passwordHash: null }
      }
      checkNewPassword(body.password, { username: called, email })
      return { hash, id, called, passwordHash: await services.passwords.hashPassword(body.password) }
    },
    async (ctx, _input, { hash, id, called, passwordHash }) => {
      const { db, now } = ctx
      await lockRow(db, 'users', id)
      const signup = await signupById(db, [id])
      if (!signup || !(await consumeToken(db, hash, 'verify', now))) throw new ApiError('invalid_token')
      if (passwordHash !== null) await setPassword(db, [id, passwordHash])
      const status = await admitSignup(ctx, signup, called)
      await deleteTokens(db, [id, 'verify'])
      await deleteTokens(db, [id, 'reset'])
      return { message: `Your address is confirmed. ${status === 'active' ? 'You can sign in now.' : APPROVAL_PENDING}`, data: { status } }
    },
  ),

  resendVerification: async (ctx, { body }) => {
    const signup = await signupByLogin(ctx.db, normalizeLogin(body.login), browserOf(ctx))
    await ctx.enqueue(mailVerification.name, { user_id: signup?.id ?? null })
    return { message: 'If an account is waiting for this confirmation, an email with a link is on its way.' }
  },

  login: prepared(
    api.auth.login,
    async (ctx, { body }) => {
      const { passwords } = ctx.services
      const account = await checkLogin(ctx, body.login, body.password)
      const before = account.password_hash
      return { id: account.id, before, after: passwords.needsRehash(before) ? await passwords.hashPassword(body.password) : before }
    },
    async (ctx, _input, { id, before, after }) => {
      // A password change since the check has ended all sessions; it must not be bypassed by this one.
      await lockRow(ctx.db, 'users', id)
      if ((await accountById(ctx.db, [id]))?.password_hash !== before) throw signInRefused()
      if (after !== before) await upgradePassword(ctx.db, [id, after])
      const token = createToken()
      await endFormerSession(ctx)
      const sessionId = await startSession(ctx, id, token, ctx.request)
      ctx.setHeader('set-cookie', sessionCookie(ctx, token))
      ctx.setHeader('set-cookie', deviceCookie(ctx, { id, password_hash: after }))
      return { message: 'You are signed in.', user: await viewSignedIn(ctx.db, id), nonce: nonceOf(ctx, sessionId) }
    },
  ),

  logout: async (ctx) => {
    if (ctx.actor?.sessionId != null) await endSession(ctx.db, ctx.actor.sessionId)
    for (const [name, value] of signedOutHeaders(ctx)) ctx.setHeader(name, value)
    return { message: 'You are signed out.' }
  },

  forgotPassword: async (ctx, { body }) => {
    const login = body.login ?? body.email
    if (login === undefined) throw new ApiError('missing_required_field', { message: 'login is required.', data: { field: 'login' } })
    const name = normalizeLogin(login)
    const account = (await accountByLogin(ctx.db, [name])) ?? (await signupByLogin(ctx.db, name, browserOf(ctx)))
    await ctx.enqueue(mailResetLink.name, { user_id: account?.id ?? null })
    return { message: 'If the account exists, an email with a link is on its way.' }
  },

  resetPassword: prepared(
    api.auth.resetPassword,
    async (ctx, { body }) => {
      const { db, now, services } = ctx
      const userId = (await findToken(db, storedToken(body.token) ?? '', 'reset', now))?.user_id ?? 0
      const account = (await signupById(db, [userId])) ?? (await accountById(db, [userId]))
      if (!account) throw new ApiError('invalid_token')
      const username = await usernameOrPresent(ctx, body.username, account.username)
      checkNewPassword(body.password, { username, email: account.email })
      return { id: account.id, username, passwordHash: await services.passwords.hashPassword(body.password) }
    },
    async (ctx, { body }, { id, username, passwordHash }) => {
      await lockRow(ctx.db, 'users', id)
      const signup = await signupById(ctx.db, [id])
      if (!(await consumeToken(ctx.db, storedToken(body.token) ?? '', 'reset', ctx.now))) throw new ApiError('invalid_token')
      await setPassword(ctx.db, [id, passwordHash])
      const status = signup ? await admitSignup(ctx, signup, username) : 'active'
      const revoked = await revokeAccess(ctx, id, ALL_CREDENTIALS)
      await ctx.enqueue(mailPasswordChanged.name, { user_id: id, revoked })
      ctx.setHeader('set-cookie', deviceCookie(ctx, { id, password_hash: passwordHash }))
      return { message: `Your new password is saved. ${status === 'active' ? 'You can sign in with it now.' : APPROVAL_PENDING}` }
    },
  ),

  confirmEmail: async (ctx, { body }) => {
    const { account, email } = await consumeEmailChange(ctx, storedToken(body.token), 'email')
    await applyEmailChange(ctx, account.id, account.email, email)
    return { message: 'The email address of your account is changed.' }
  },

  undoEmailChange: async (ctx, { body }) => {
    const { account, email, changedAt } = await consumeEmailChange(ctx, storedToken(body.token), 'undo')
    await restoreEmail(ctx, account.id, email, changedAt)
    // Whoever changed the address knew the password, so the password may be compromised.
    await clearPassword(ctx.db, [account.id])
    await revokeAccess(ctx, account.id, ALL_CREDENTIALS)
    await ctx.enqueue(mailResetLink.name, { user_id: account.id })
    return { message: 'Your former email address is restored. An email with a link to choose a new password is on its way.' }
  },

  session: async (ctx) => {
    const { actor } = ctx
    if (!actor) return { user: null, nonce: null }
    return { user: await viewSessionUser(ctx.db, actor), nonce: actor.sessionId === null ? null : nonceOf(ctx, actor.sessionId) }
  },
}
