import { api } from '@lyceum/contract'
import { lockRow, replacePersonNames } from '../../db/index.ts'
import { endSessions } from '../../platform/auth/session.ts'
import type { AskedRead, AskedWrite } from '../../platform/context.ts'
import { ApiError, unauthorized } from '../../platform/errors.ts'
import { type Handlers, prepared } from '../../platform/http/handlers.ts'
import { readPage } from '../settings/index.ts'
import { createApplicationPassword } from './accounts.ts'
import { mailEmailChanged, mailPasswordChanged } from './mail.ts'
import {
  accountById,
  accountByLogin,
  applicationPasswordsOf,
  deleteApplicationPassword,
  dropResetTokens,
  renameAccount,
  replacePassword,
  setEmail,
} from './queries.ts'
import { checkNewPassword, newEmail, newUsername } from './rules.ts'
import { confirmPassword } from './sign-in.ts'

/** Most application passwords of an account. */
const MOST_PASSWORDS = 100

type Rule = 'can_change_email' | 'can_change_password' | 'can_customize_username'

/** Members change of their accounts what the community lets them. @throws rest_forbidden */
const checkMay = async ({ db, actor }: AskedRead, rule: Rule): Promise<void> => {
  if (actor.role !== 'admin' && (await readPage(db, 'privacy'))[rule] === 'no') throw new ApiError('rest_forbidden')
}

/** Holds the caller's account: it may have been deleted since he was let in. @throws 401 rest_forbidden */
const holdOwn = async ({ db, actor }: AskedWrite): Promise<void> => {
  await lockRow(db, 'users', actor.id)
  const account = await accountById(db, actor.id)
  if (!account || account.status === 'deleted') throw unauthorized()
}

const emailTaken = () => new ApiError('email_taken', { data: { field: 'email' } })

export const accountHandlers: Handlers<typeof api.account> = {
  applicationPasswords: async ({ db, actor }) => ({ data: await applicationPasswordsOf(db, actor.id) }),

  createApplicationPassword: async (ctx, { body }) => {
    await holdOwn(ctx)
    if ((await applicationPasswordsOf(ctx.db, ctx.actor.id)).length >= MOST_PASSWORDS) {
      throw new ApiError('conflict', { message: `You have ${MOST_PASSWORDS} application passwords. Revoke one of them first.` })
    }
    const data = await createApplicationPassword(ctx, ctx.actor.id, body.name.trim())
    return { message: 'Copy the password now; it is not shown again.', data }
  },

  deleteApplicationPassword: async ({ db, actor }, { params }) => {
    if (!(await deleteApplicationPassword(db, params.id, actor.id))) throw new ApiError('application_password_not_found')
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
    async ({ db, now, actor, enqueue }, _input, { before, after }) => {
      if (!(await replacePassword(db, actor.id, before, after, now)))
        throw new ApiError('wrong_password', { data: { field: 'current_password' } })
      await dropResetTokens(db, actor.id)
      await endSessions(db, actor.id, actor.sessionId)
      await enqueue(mailPasswordChanged.name, { user_id: actor.id })
      return { message: 'Your password is changed. You are signed out everywhere else.' }
    },
  ),

  changeEmail: prepared(
    api.account.changeEmail,
    async (ctx, { body }) => {
      await checkMay(ctx, 'can_change_email')
      const email = newEmail(body.email)
      const account = await confirmPassword(ctx, body.current_password)
      return { email, before: account.email }
    },
    async (ctx, _input, { email, before }) => {
      const { db, now, actor, enqueue } = ctx
      await holdOwn(ctx)
      const owner = await accountByLogin(db, email)
      if (owner && owner.id !== actor.id) throw emailTaken()
      if (email !== before) {
        await setEmail(db, actor.id, email, now)
        // A link that was mailed to the former address must not open the account any more.
        await dropResetTokens(db, actor.id)
        await enqueue(mailEmailChanged.name, { user_id: actor.id, email: before })
      }
      return { message: 'Your e-mail address is changed.' }
    },
  ),

  changeUsername: prepared(
    api.account.changeUsername,
    async (ctx, { body }) => {
      await checkMay(ctx, 'can_customize_username')
      const username = newUsername(body.username, ctx.actor.role === 'admin')
      await confirmPassword(ctx, body.current_password)
      return username
    },
    async (ctx, _input, username) => {
      const { db, now, actor, emit } = ctx
      await holdOwn(ctx)
      const row = await renameAccount(db, actor.id, username, now)
      if (!row) throw new ApiError('username_taken', { data: { field: 'username' } })
      await replacePersonNames(db, actor.id, { username, displayName: row.display_name })
      await emit('user.profile_updated', { user_id: actor.id })
      return { message: 'Your username is changed.', data: { id: actor.id, username } }
    },
  ),
}
