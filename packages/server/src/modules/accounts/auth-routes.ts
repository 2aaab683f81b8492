import { api } from '@lyceum/contract'
import { type Db, lockRow } from '../../db/index.ts'
import { deviceCookie } from '../../platform/auth/device.ts'
import { normalizeLogin } from '../../platform/auth/identify.ts'
import {
  CLEAR_SITE_DATA,
  clearedCookie,
  endFormerSession,
  endSession,
  endSessions,
  sessionCookie,
  startSession,
} from '../../platform/auth/session.ts'
import { addressTries, countTry, refundTry } from '../../platform/auth/tries.ts'
import type { WriteContext } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { type Handlers, prepared } from '../../platform/http/handlers.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { readSetting, readSettings } from '../settings/index.ts'
import { checkFree, createAccount, type NewAccount, setRole } from './accounts.ts'
import { spendRegistration } from './limits.ts'
import { mailPasswordChanged, mailResetLink, mailVerification } from './mail.ts'
import { resetTokenOwner, storedToken } from './one-time.ts'
import {
  accountById,
  accountByLogin,
  dropResetTokens,
  dropSetupTokens,
  dropVerifications,
  findToken,
  hasAdmin,
  setPassword,
  setStatus,
  takeToken,
  upgradePassword,
} from './queries.ts'
import { checkedAccount, checkNewPassword } from './rules.ts'
import { checkLogin, nonceOf, signInRefused, viewSessionUser, viewSignedIn } from './sign-in.ts'

const created = (
  ctx: WriteContext,
  id: number,
  { username, email, displayName, status = 'active' }: NewAccount,
  role: 'member' | 'admin',
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
      return { message: 'The administrator’s account is ready.', data: created(ctx, id, account, 'admin') }
    },
  ),

  register: prepared(
    api.auth.register,
    async (ctx, { body }) => {
      const { db, services } = ctx
      if (!(await readSetting(db, 'allow_registration'))) throw new ApiError('registration_closed')
      const account = checkedAccount(body)
      const giveBack = await spendRegistration(ctx, account.email)
      try {
        await checkFree(db, account)
      } catch (error) {
        giveBack()
        throw error
      }
      return { ...account, passwordHash: await services.passwords.hashPassword(body.password, { deferrable: true }) }
    },
    async (ctx, _input, account) => {
      const made = { ...account, status: await firstStatus(ctx.db) }
      const id = await createAccount(ctx, made)
      if (made.status === 'unverified') await ctx.enqueue(mailVerification.name, { user_id: id })
      if (made.status === 'pending') await ctx.emit('user.approval_requested', { user_id: id })
      return { message: REGISTERED[made.status], data: created(ctx, id, made, 'member') }
    },
  ),

  verifyEmail: async (ctx, { body }) => {
    const hash = storedToken(body.token) ?? ''
    const owner = await findToken(ctx.db, hash, 'verify', ctx.now)
    if (!owner?.user_id) throw new ApiError('invalid_token')
    await lockRow(ctx.db, 'users', owner.user_id)
    const account = await accountById(ctx.db, owner.user_id)
    if (account?.status !== 'unverified' || !(await takeToken(ctx.db, hash, 'verify', ctx.now))) throw new ApiError('invalid_token')
    await dropVerifications(ctx.db, account.id)
    const status = (await readSetting(ctx.db, 'approval_required')) ? 'pending' : 'active'
    await setStatus(ctx.db, account.id, status, ctx.now)
    await ctx.emit(status === 'active' ? 'user.registered' : 'user.approval_requested', { user_id: account.id })
    return { message: `Your address is confirmed. ${status === 'active' ? 'You can sign in now.' : AWAITED}`, data: { status } }
  },

  resendVerification: async (ctx, { body }) => {
    const account = await accountByLogin(ctx.db, normalizeLogin(body.login))
    await ctx.enqueue(mailVerification.name, { user_id: account?.id ?? null })
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
    const account = await accountByLogin(ctx.db, normalizeLogin(login))
    await ctx.enqueue(mailResetLink.name, { user_id: account?.id ?? null })
    return { message: 'If there is such an account, a mail with a link is on its way.' }
  },

  resetPassword: prepared(
    api.auth.resetPassword,
    async ({ db, now, services }, { body }) => {
      const userId = await resetTokenOwner(db, body.token, now)
      const account = userId === null ? undefined : await accountById(db, userId)
      if (!account) throw new ApiError('invalid_token')
      checkNewPassword(body.password, account)
      return { id: account.id, passwordHash: await services.passwords.hashPassword(body.password) }
    },
    async (ctx, { body }, { id, passwordHash }) => {
      await lockRow(ctx.db, 'users', id)
      if (!(await takeToken(ctx.db, storedToken(body.token) ?? '', 'reset', ctx.now))) throw new ApiError('invalid_token')
      await setPassword(ctx.db, id, passwordHash, ctx.now)
      await dropResetTokens(ctx.db, id)
      await endSessions(ctx.db, id)
      await ctx.enqueue(mailPasswordChanged.name, { user_id: id })
      return { message: 'Your new password is saved. You can sign in with it now.' }
    },
  ),

  session: async (ctx) => {
    const { actor } = ctx
    if (!actor) return { user: null, nonce: null }
    return { user: await viewSessionUser(ctx.db, actor), nonce: actor.sessionId === null ? null : nonceOf(ctx, actor.sessionId) }
  },
}
