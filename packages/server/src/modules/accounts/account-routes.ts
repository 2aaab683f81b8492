import { api } from '@lyceum/contract'
import { deviceCookie } from '../../auth/device.ts'
import { isFreshSession } from '../../auth/session.ts'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError, unauthorized } from '../../core/errors.ts'
import { lockRow, replaceUserNames } from '../../db/index.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { assertNotBlocked } from '../automod/index.ts'
import { readPage, readSetting } from '../settings/index.ts'
import { createApplicationPassword, usernameTaken } from './accounts.ts'
import { applyEmailChange, requestEmailChange } from './email-change.ts'
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

const MAX_APPLICATION_PASSWORDS = 100

type SelfServiceSetting = 'can_change_email' | 'can_change_password' | 'can_customize_username'

/** Members may change only what the privacy settings allow; administrators anything. @throws rest_forbidden */
const requireSelfService = async ({ db, actor }: ReadRequest, rule: SelfServiceSetting): Promise<void> => {
  if (actor.role !== 'admin' && (await readPage(db, 'privacy'))[rule] === 'no') throw new ApiError('rest_forbidden')
}

/** Locks the caller's row and re-checks it: the account may have been deleted after authentication. @throws 401 rest_forbidden */
const lockOwnAccount = async ({ db, actor }: WriteRequest) => {
  await lockRow(db, 'users', actor.id)
  const account = await accountById(db, [actor.id])
  if (!account || account.status === 'deleted') throw unauthorized()
  return account
}

const passwordRequired = () => new ApiError('password_required', { data: { field: 'current_password' } })
const wrongPassword = () => new ApiError('wrong_password', { data: { field: 'current_password' } })

/**
 * Proof that the owner is creating an application password. Either the account password, sent with the request (returns its hash) or at a
 * sign-in within the last minutes; or another application password, which becomes the parent so that revoking it revokes the new one.
 * @throws password_required, wrong_password
 */
const verifyOwnership = async (ctx: ReadRequest, given: string | null | undefined): Promise<string | null> => {
  const { db, actor, now } = ctx
  if (given != null) return (await confirmPassword(ctx, given)).password_hash
  if (actor.sessionId === null || (await isFreshSession(db, actor.sessionId, now))) return null
  throw passwordRequired()
}

export const accountHandlers: Handlers<typeof api.account> = {
  applicationPasswords: async ({ db, actor }) => ({ data: await applicationPasswordsOf(db, [actor.id]) }),

  createApplicationPassword: prepared(
    api.account.createApplicationPassword,
    async (ctx, { body }) => {
      const proof = await verifyOwnership(ctx, body.current_password)
      await spendApplicationPassword(ctx)
      return proof
    },
    async (ctx, { body }, proof) => {
      const { db, now, actor, request } = ctx
      const account = await lockOwnAccount(ctx)
      if (proof !== null && account.password_hash !== proof) throw wrongPassword()
      if ((await applicationPasswordsOf(db, [actor.id])).length >= MAX_APPLICATION_PASSWORDS) {
        throw new ApiError('conflict', {
          message: `You have ${MAX_APPLICATION_PASSWORDS} application passwords. Revoke one of them first.`,
        })
      }
      const parent = proof === null ? (actor.applicationPasswordId ?? null) : null
      // The parent may have been revoked during this request; a child must not outlive it.
      if (parent !== null && !(await hasApplicationPassword(db, [parent, actor.id]))) throw unauthorized()
      if (proof === null && actor.sessionId !== null && !(await isFreshSession(db, actor.sessionId, now))) throw passwordRequired()
      const data = await createApplicationPassword(ctx, actor.id, body.name.trim(), parent)
      await ctx.enqueue(mailApplicationPassword.name, { user_id: actor.id, name: data.name, from: request.ip, at: now })
      return { message: 'Copy the password now. It is not shown again.', data }
    },
  ),

  deleteApplicationPassword: async (ctx, { params }) => {
    await lockOwnAccount(ctx)
    if (!(await deleteApplicationPassword(ctx.db, [params.id, ctx.actor.id]))) throw new ApiError('application_password_not_found')
    return { message: 'The application password was revoked.' }
  },

  changePassword: prepared(
    api.account.changePassword,
    async (ctx, { body }) => {
      await requireSelfService(ctx, 'can_change_password')
      const account = await confirmPassword(ctx, body.current_password)
      checkNewPassword(body.new_password, account, 'new_password')
      return { before: account.password_hash, after: await ctx.services.passwords.hashPassword(body.new_password) }
    },
    async (ctx, { body }, { before, after }) => {
      const { db, actor, enqueue } = ctx
      await lockOwnAccount(ctx)
      if (!(await replacePassword(db, [actor.id, before, after]))) throw wrongPassword()
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
        message: `Your password was changed. You were signed out everywhere else${kept ? '' : ', and your application passwords were revoked'}.`,
      }
    },
  ),

  changeEmail: prepared(
    api.account.changeEmail,
    async (ctx, { body }) => {
      await requireSelfService(ctx, 'can_change_email')
      const email = newEmail(body.email)
      const account = await confirmPassword(ctx, body.current_password)
      if (email !== account.email) await spendEmailChange(ctx)
      return { email, proof: account.password_hash }
    },
    async (ctx, _input, { email, proof }) => {
      const { actor } = ctx
      const account = await lockOwnAccount(ctx)
      if (account.password_hash !== proof) throw wrongPassword()
      const unconfirmed = email !== account.email && (await readSetting(ctx.db, 'require_email_verification'))
      if (unconfirmed) {
        await requestEmailChange(ctx, actor.id, email)
        return {
          message: 'Your email address changes once you open the link we sent to the new address.',
          data: { email, status: 'unconfirmed' },
        }
      }
      if (email !== account.email) await applyEmailChange(ctx, actor.id, account.email, email)
      return { message: 'Your email address is changed.', data: { email, status: 'changed' } }
    },
  ),

  changeUsername: prepared(
    api.account.changeUsername,
    async (ctx, { body }) => {
      await requireSelfService(ctx, 'can_customize_username')
      const username = newUsername(body.username, ctx.actor.role === 'admin')
      await assertNotBlocked(ctx, ctx.actor, { username })
      const account = await confirmPassword(ctx, body.current_password)
      if (username !== account.username) await spendRename(ctx)
      return username
    },
    async (ctx, _input, username) => {
      const { db, now, actor, emit } = ctx
      await lockOwnAccount(ctx)
      const row = await renameAccount(db, [actor.id, username, now])
      if (!row || (await isReserved(ctx, username, actor.id))) throw usernameTaken()
      await releaseUsername(ctx, username)
      if (username !== actor.username) await reserveUsername(ctx, actor.username, actor.id)
      await replaceUserNames(db, actor.id, { username, displayName: row.display_name })
      await emit('user.profile_updated', { user_id: actor.id })
      return { message: 'Your username was changed.', data: { id: actor.id, username } }
    },
  ),
}
