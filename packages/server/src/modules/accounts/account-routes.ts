import { api } from '@lyceum/contract'
import { deviceCookie } from '../../auth/device.ts'
import { isFreshSession } from '../../auth/session.ts'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError, unauthorized } from '../../core/errors.ts'
import { lockRow, replacePersonNames } from '../../db/index.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { refuseBlocked } from '../screening/index.ts'
import { readPage, readSetting } from '../settings/index.ts'
import { createApplicationPassword } from './accounts.ts'
import { askForEmail, putEmail } from './email-change.ts'
import { isReserved, releaseUsername, reserveUsername } from './former-names.ts'
import { spendApplicationPassword, spendEmailChange, spendRename } from './limits.ts'
import { mailApplicationPassword, mailPasswordChanged } from './mail.ts'
import {
  accountById,
  applicationPasswordsOf,
  deleteApplicationPassword,
  hasApplicationPassword,
  renameAccount,
  replacePassword,
} from './queries.ts'
import { revokeAccess } from './revoke.ts'
import { confirmPassword } from './sign-in.ts'
import { checkNewPassword, newEmail, newUsername } from './validation.ts'

/** Most application passwords of an account. */
const MOST_PASSWORDS = 100

type Rule = 'can_change_email' | 'can_change_password' | 'can_customize_username'

/** Members change of their accounts what the community lets them. @throws rest_forbidden */
const checkMay = async ({ db, actor }: ReadRequest, rule: Rule): Promise<void> => {
  if (actor.role !== 'admin' && (await readPage(db, 'privacy'))[rule] === 'no') throw new ApiError('rest_forbidden')
}

/** Holds the caller's account: it may have been deleted since he was let in. @throws 401 rest_forbidden */
const lockOwn = async ({ db, actor }: WriteRequest) => {
  await lockRow(db, 'users', actor.id)
  const account = await accountById(db, actor.id)
  if (!account || account.status === 'deleted') throw unauthorized()
  return account
}

const passwordRequired = () => new ApiError('password_required', { data: { field: 'current_password' } })
const wrongPassword = () => new ApiError('wrong_password', { data: { field: 'current_password' } })

/**
 * What proves that the owner makes an application password: the account password, given now (its hash is returned) or at a sign-in of the last
 * minutes; or another application password, which takes the new one along when it is revoked.
 * @throws password_required, wrong_password
 */
const proofOf = async (ctx: ReadRequest, given: string | null | undefined): Promise<string | null> => {
  const { db, actor, now } = ctx
  if (given != null) return (await confirmPassword(ctx, given)).password_hash
  if (actor.sessionId === null || (await isFreshSession(db, actor.sessionId, now))) return null
  throw passwordRequired()
}

export const accountHandlers: Handlers<typeof api.account> = {
  applicationPasswords: async ({ db, actor }) => ({ data: await applicationPasswordsOf(db, actor.id) }),

  createApplicationPassword: prepared(
    api.account.createApplicationPassword,
    async (ctx, { body }) => {
      const proof = await proofOf(ctx, body.current_password)
      await spendApplicationPassword(ctx)
      return proof
    },
    async (ctx, { body }, proof) => {
      const { db, now, actor, request } = ctx
      const account = await lockOwn(ctx)
      if (proof !== null && account.password_hash !== proof) throw wrongPassword()
      if ((await applicationPasswordsOf(db, actor.id)).length >= MOST_PASSWORDS) {
        throw new ApiError('conflict', { message: `You have ${MOST_PASSWORDS} application passwords. Revoke one of them first.` })
      }
      const parent = proof === null ? (actor.applicationPasswordId ?? null) : null
      // Revoked while the request was under way: what it makes would outlive it.
      if (parent !== null && !(await hasApplicationPassword(db, parent, actor.id))) throw unauthorized()
      if (proof === null && actor.sessionId !== null && !(await isFreshSession(db, actor.sessionId, now))) throw passwordRequired()
      const data = await createApplicationPassword(ctx, actor.id, body.name.trim(), parent)
      await ctx.enqueue(mailApplicationPassword.name, { user_id: actor.id, name: data.name, from: request.ip, at: now })
      return { message: 'Copy the password now; it is not shown again.', data }
    },
  ),

  deleteApplicationPassword: async (ctx, { params }) => {
    await lockOwn(ctx)
    if (!(await deleteApplicationPassword(ctx.db, params.id, ctx.actor.id))) throw new ApiError('application_password_not_found')
    return { message: 'The application password is revoked.' }
  },

  changePassword: prepared(
    api.account.changePassword,
    async (ctx, { body }) => {
      await checkMay(ctx, 'can_change_password')
      const account = await confirmPassword(ctx, body.current_password)
      checkNewPassword(body.new_password, account, 'new_password')
      return { before: account.password_hash, after: await ctx.services.passwords.hashPassword(body.new_password) }
    },
    async (ctx, { body }, { before, after }) => {
      const { db, now, actor, enqueue } = ctx
      await lockOwn(ctx)
      if (!(await replacePassword(db, actor.id, before, after, now))) throw wrongPassword()
      const revoked = await revokeAccess(ctx, actor.id, {
        keep: actor,
        applicationPasswords: body.keep_application_passwords !== true,
        exports: 'pending',
        links: ['reset', 'email'],
      })
      await enqueue(mailPasswordChanged.name, { user_id: actor.id, revoked })
      if (actor.sessionId !== null) ctx.setHeader('set-cookie', deviceCookie(ctx, { id: actor.id, password_hash: after }))
      const kept = body.keep_application_passwords === true
      return {
        message: `Your password is changed. You are signed out everywhere else${kept ? '' : ', and application passwords are revoked'}.`,
      }
    },
  ),

  changeEmail: prepared(
    api.account.changeEmail,
    async (ctx, { body }) => {
      await checkMay(ctx, 'can_change_email')
      const email = newEmail(body.email)
      const account = await confirmPassword(ctx, body.current_password)
      if (email !== account.email) await spendEmailChange(ctx)
      return { email, proof: account.password_hash }
    },
    async (ctx, _input, { email, proof }) => {
      const { actor } = ctx
      const account = await lockOwn(ctx)
      if (account.password_hash !== proof) throw wrongPassword()
      const unconfirmed = email !== account.email && (await readSetting(ctx.db, 'require_email_verification'))
      if (unconfirmed) {
        await askForEmail(ctx, actor.id, email)
        return {
          message: 'Your address changes as soon as you follow the link in the mail to the new one.',
          data: { email, status: 'unconfirmed' },
        }
      }
      if (email !== account.email) await putEmail(ctx, actor.id, account.email, email)
      return { message: 'Your e-mail address is changed.', data: { email, status: 'changed' } }
    },
  ),

  changeUsername: prepared(
    api.account.changeUsername,
    async (ctx, { body }) => {
      await checkMay(ctx, 'can_customize_username')
      const username = newUsername(body.username, ctx.actor.role === 'admin')
      await refuseBlocked(ctx, ctx.actor, { username })
      const account = await confirmPassword(ctx, body.current_password)
      if (username !== account.username) await spendRename(ctx)
      return username
    },
    async (ctx, _input, username) => {
      const { db, now, actor, emit } = ctx
      await lockOwn(ctx)
      const row = await renameAccount(db, actor.id, username, now)
      if (!row || (await isReserved(ctx, username, actor.id))) throw new ApiError('username_taken', { data: { field: 'username' } })
      await releaseUsername(ctx, username)
      if (username !== actor.username) await reserveUsername(ctx, actor.username, actor.id)
      await replacePersonNames(db, actor.id, { username, displayName: row.display_name })
      await emit('user.profile_updated', { user_id: actor.id })
      return { message: 'Your username is changed.', data: { id: actor.id, username } }
    },
  ),
}
