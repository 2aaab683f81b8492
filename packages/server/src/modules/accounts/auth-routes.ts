import { api } from '@lyceum/contract'
import { normalizeLogin } from '../../auth/authenticate.ts'
import { deviceCookie } from '../../auth/device.ts'
import { addressTries, countTry, refundTry } from '../../auth/login-throttle.ts'
import { CLEAR_SITE_DATA, clearedCookie, endFormerSession, endSession, sessionCookie, startSession } from '../../auth/session.ts'
import type { ReadContext, WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow } from '../../db/index.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { createToken } from '../../secrets/token.ts'
import { refuseBlocked } from '../screening/index.ts'
import { readSetting, readSettings } from '../settings/index.ts'
import { checkFree, checkUsernameFree, createAccount, type NewAccount, setRole } from './accounts.ts'
import { putEmail, restoreEmail, takeChange } from './email-change.ts'
import { spendRegistration } from './limits.ts'
import { mailPasswordChanged, mailResetLink, mailVerification } from './mail.ts'
import { resetTokenOwner, storedToken } from './one-time-links.ts'
import {
  accountById,
  accountByLogin,
  dropPassword,
  dropSetupTokens,
  dropTokens,
  findToken,
  hasAdmin,
  setPassword,
  takeToken,
  upgradePassword,
} from './queries.ts'
import { revokeAccess } from './revoke.ts'
import { checkLogin, nonceOf, signInRefused, viewSessionUser, viewSignedIn } from './sign-in.ts'
import { admitSignup, browserOf, createSignup, signupById, signupByLogin, signupCookie, signupOfBrowser } from './signups.ts'
import { checkedAccount, checkNewPassword, newUsername } from './validation.ts'

const created = (
  ctx: WriteContext,
  id: number,
  { username, email, displayName }: NewAccount,
  role: 'member' | 'admin',
  status: keyof typeof REGISTERED,
) => ({
  id,
  username,
  email,
  display_name: displayName,
  role,
  status,
  created_at: ctx.now,
})

const AWAITED = 'An administrator looks at your account; a mail tells you when you can sign in.'
const REGISTERED = {
  active: 'Your account is ready. You can sign in now.',
  unverified: 'Your account is made. Confirm your address with the link in the mail that is on its way.',
  pending: `Your account is made. ${AWAITED}`,
} as const

const CHOOSE = 'Choose the password with which you want to sign in.'
/** A password reset may mean that the account was taken over. */
const EVERYTHING = { applicationPasswords: true, exports: 'all', links: ['reset', 'verify', 'email'] } as const

/** The username that is given with a link, checked as one that registers, or else the one there is. @throws invalid_username, invalid_data */
const newNameOr = async (ctx: ReadContext, given: string | null | undefined, present: string): Promise<string> => {
  if (given == null) return present
  const username = newUsername(given, false)
  await refuseBlocked(ctx, null, { username })
  return username
}

/** What a new account has to wait for, by the settings of this moment. */
const firstStatus = async (db: Db): Promise<keyof typeof REGISTERED> => {
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
      // The administrator comes after the token: whoever lost a race for it is to hear why.
      if (!hash || !(await findToken(db, hash, 'setup', now))) throw new ApiError((await hasAdmin(db)) ? 'setup_done' : 'invalid_token')
      refundTry(services, tries)
      if (await hasAdmin(db)) throw new ApiError('setup_done')
      const account = checkedAccount(body, { byOperator: true })
      await checkFree(db, account)
      return { hash, account: { ...account, passwordHash: await services.passwords.hashPassword(body.password) } }
    },
    async (ctx, _input, { hash, account }) => {
      const taken = await takeToken(ctx.db, hash, 'setup', ctx.now)
      if (!taken || (await hasAdmin(ctx.db))) throw new ApiError('setup_done')
      await dropSetupTokens(ctx.db)
      const id = await createAccount(ctx, account)
      await setRole(ctx, id, 'admin', null)
      return { message: 'The administrator’s account is ready.', data: created(ctx, id, account, 'admin', 'active') }
    },
  ),

  register: prepared(
    api.auth.register,
    async (ctx, { body }) => {
      const { db, services } = ctx
      if (!(await readSetting(db, 'allow_registration'))) throw new ApiError('registration_closed')
      const account = checkedAccount(body)
      await refuseBlocked(ctx, null, { username: account.username, display_name: account.displayName })
      const giveBack = await spendRegistration(ctx, account.email)
      try {
        if (await readSetting(db, 'require_email_verification')) await checkUsernameFree(ctx, account.username)
        else await checkFree(db, account)
      } catch (error) {
        giveBack()
        throw error
      }
      return { ...account, passwordHash: await services.passwords.hashPassword(body.password, { deferrable: true }) }
    },
    async (ctx, _input, account) => {
      const status = await firstStatus(ctx.db)
      const data = async (id: number) => ({ message: REGISTERED[status], data: created(ctx, id, account, 'member', status) })
      if (status === 'unverified') {
        await checkUsernameFree(ctx, account.username)
        const { header, hash } = signupCookie(ctx)
        const id = await createSignup(ctx, { ...account, browserHash: hash })
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
      const named = await signupById(db, (await findToken(db, hash, 'verify', now))?.user_id ?? 0)
      if (!named) throw new ApiError('invalid_token')
      // The link proves the address; of those who registered with it, this browser says who follows it.
      const own = await signupOfBrowser(db, named.email, browserOf(ctx))
      const { id, email, username } = own ?? named
      const called = await newNameOr(ctx, body.username, username)
      if (body.password == null) {
        if (!own) throw new ApiError('password_required', { message: CHOOSE, data: { field: 'password', username } })
        return { hash, id, called, passwordHash: null }
      }
      checkNewPassword(body.password, { username: called, email })
      return { hash, id, called, passwordHash: await services.passwords.hashPassword(body.password) }
    },
    async (ctx, _input, { hash, id, called, passwordHash }) => {
      const { db, now } = ctx
      await lockRow(db, 'users', id)
      const signup = await signupById(db, id)
      if (!signup || !(await takeToken(db, hash, 'verify', now))) throw new ApiError('invalid_token')
      if (passwordHash !== null) await setPassword(db, id, passwordHash, now)
      const status = await admitSignup(ctx, signup, called)
      await dropTokens(db, id, 'verify')
      await dropTokens(db, id, 'reset')
      return { message: `Your address is confirmed. ${status === 'active' ? 'You can sign in now.' : AWAITED}`, data: { status } }
    },
  ),

  resendVerification: async (ctx, { body }) => {
    const signup = await signupByLogin(ctx.db, normalizeLogin(body.login), browserOf(ctx))
    await ctx.enqueue(mailVerification.name, { user_id: signup?.id ?? null })
    return { message: 'If there is such an account whose address is to be confirmed, a mail with a link is on its way.' }
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
      // The password that was checked must still be the one: a change in between has ended every session but this.
      await lockRow(ctx.db, 'users', id)
      if ((await accountById(ctx.db, id))?.password_hash !== before) throw signInRefused()
      if (after !== before) await upgradePassword(ctx.db, id, after)
      const token = createToken()
      await endFormerSession(ctx.db, ctx.services.origin(), ctx.request)
      const sessionId = await startSession(ctx, id, token, ctx.request)
      ctx.setHeader('set-cookie', sessionCookie(token, ctx.services.origin(), ctx.request))
      ctx.setHeader('set-cookie', deviceCookie(ctx, { id, password_hash: after }))
      return { message: 'You are signed in.', user: await viewSignedIn(ctx.db, id), nonce: nonceOf(ctx, sessionId) }
    },
  ),

  logout: async (ctx) => {
    if (ctx.actor?.sessionId != null) await endSession(ctx.db, ctx.actor.sessionId)
    ctx.setHeader('set-cookie', clearedCookie(ctx.services.origin(), ctx.request))
    ctx.setHeader(...CLEAR_SITE_DATA)
    return { message: 'You are signed out.' }
  },

  forgotPassword: async (ctx, { body }) => {
    const login = body.login ?? body.email
    if (login === undefined) throw new ApiError('missing_required_field', { message: 'login is required.', data: { field: 'login' } })
    const name = normalizeLogin(login)
    const account = (await accountByLogin(ctx.db, name)) ?? (await signupByLogin(ctx.db, name, browserOf(ctx)))
    await ctx.enqueue(mailResetLink.name, { user_id: account?.id ?? null })
    return { message: 'If there is such an account, a mail with a link is on its way.' }
  },

  resetPassword: prepared(
    api.auth.resetPassword,
    async (ctx, { body }) => {
      const { db, now, services } = ctx
      const userId = await resetTokenOwner(db, body.token, now)
      const account = userId === null ? undefined : ((await signupById(db, userId)) ?? (await accountById(db, userId)))
      if (!account) throw new ApiError('invalid_token')
      const username = await newNameOr(ctx, body.username, account.username)
      checkNewPassword(body.password, { username, email: account.email })
      return { id: account.id, username, passwordHash: await services.passwords.hashPassword(body.password) }
    },
    async (ctx, { body }, { id, username, passwordHash }) => {
      await lockRow(ctx.db, 'users', id)
      const signup = await signupById(ctx.db, id)
      if (!(await takeToken(ctx.db, storedToken(body.token) ?? '', 'reset', ctx.now))) throw new ApiError('invalid_token')
      await setPassword(ctx.db, id, passwordHash, ctx.now)
      const status = signup ? await admitSignup(ctx, signup, username) : 'active'
      const revoked = await revokeAccess(ctx, id, EVERYTHING)
      await ctx.enqueue(mailPasswordChanged.name, { user_id: id, revoked })
      ctx.setHeader('set-cookie', deviceCookie(ctx, { id, password_hash: passwordHash }))
      return { message: `Your new password is saved. ${status === 'active' ? 'You can sign in with it now.' : AWAITED}` }
    },
  ),

  confirmEmail: async (ctx, { body }) => {
    const { account, email } = await takeChange(ctx, storedToken(body.token), 'email')
    await putEmail(ctx, account.id, account.email, email)
    return { message: 'The e-mail address of your account is changed.' }
  },

  undoEmailChange: async (ctx, { body }) => {
    const { account, email, changedAt } = await takeChange(ctx, storedToken(body.token), 'undo')
    await restoreEmail(ctx, account.id, email, changedAt)
    // The address was changed with the password: it may be known to an attacker.
    await dropPassword(ctx.db, account.id, ctx.now)
    await revokeAccess(ctx, account.id, EVERYTHING)
    await ctx.enqueue(mailResetLink.name, { user_id: account.id })
    return { message: 'Your account has its former address again. A mail with a link to choose a new password is on its way.' }
  },

  session: async (ctx) => {
    const { actor } = ctx
    if (!actor) return { user: null, nonce: null }
    return { user: await viewSessionUser(ctx.db, actor), nonce: actor.sessionId === null ? null : nonceOf(ctx, actor.sessionId) }
  },
}
