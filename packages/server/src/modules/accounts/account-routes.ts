import { api } from '@lyceum/contract'
import { lockRow } from '../../db/index.ts'
import { endSessions } from '../../platform/auth/session.ts'
import { ApiError } from '../../platform/errors.ts'
import { type Handlers, prepared } from '../../platform/http/handlers.ts'
import { createApplicationPassword } from './accounts.ts'
import { mailEmailChanged, mailPasswordChanged } from './mail.ts'
import { accountByLogin, applicationPasswordsOf, deleteApplicationPassword, dropResetTokens, replacePassword, setEmail } from './queries.ts'
import { checkNewPassword, newEmail } from './rules.ts'
import { confirmPassword } from './sign-in.ts'

/** Most application passwords of an account. */
const MOST_PASSWORDS = 100

const emailTaken = () => new ApiError('email_taken', { data: { field: 'email' } })

export const accountHandlers: Handlers<typeof api.account> = {
  applicationPasswords: async ({ db, actor }) => ({ data: await applicationPasswordsOf(db, actor.id) }),

  createApplicationPassword: async (ctx, { body }) => {
    await lockRow(ctx.db, 'users', ctx.actor.id)
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
      const email = newEmail(body.email)
      const account = await confirmPassword(ctx, body.current_password)
      return { email, before: account.email }
    },
    async ({ db, now, actor, enqueue }, _input, { email, before }) => {
      await lockRow(db, 'users', actor.id)
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
}
