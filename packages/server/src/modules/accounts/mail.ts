import { nowOf } from '../../platform/clock.ts'
import type { Services } from '../../platform/context.ts'
import { on, outgoing } from '../../platform/jobs/index.ts'
import { deliverMail } from '../../platform/mail/deliver.ts'
import { emailChangedMail, passwordChangedMail, resetPasswordMail, welcomeMail } from '../../platform/mail/messages.ts'
import type { Letter } from '../../platform/mail/template.ts'
import { isMailAddress } from '../../platform/mail/transport.ts'
import { mailIdentity } from '../settings/index.ts'
import { makeResetLink, RESET_MINUTES } from './one-time.ts'
import { type Account, accountById, countResetTokens, dropToken } from './queries.ts'

/** Most reset links of an account that are valid at once: nobody can fill a stranger's mailbox. */
const MOST_LINKS = 3
/** Who asked for a link waits for it; after some ten minutes it is no use to anybody. */
const RESET_ATTEMPTS = 8

const recipient = async (services: Services, { username, display_name }: Account) => {
  const { brand, sender } = await mailIdentity(services)
  const about = { community: brand.name, brand, username, displayName: display_name }
  return { about, send: (to: string, letter: Letter) => deliverMail(services, { to, ...letter, sender }) }
}

/**
 * Somebody asked for a link. The job exists whether there is such an account (null: there is none), so that asking costs the same;
 * the token is made here and goes into the mail alone.
 */
export const mailResetLink = outgoing<{ user_id: number | null }>(
  'accounts.mail_reset_link',
  async (services, { user_id }) => {
    const { database, clock, origin } = services
    if (user_id === null) return
    const account = await accountById(database.read, user_id)
    const now = nowOf(clock)
    if (account?.status !== 'active' || (await countResetTokens(database.read, user_id, now)) >= MOST_LINKS) return
    const { url, hash } = await database.write((db) => makeResetLink(db, user_id, now, origin()))
    try {
      const { about, send } = await recipient(services, account)
      await send(account.email, resetPasswordMail({ ...about, url, validMinutes: RESET_MINUTES }))
    } catch (error) {
      // The next try makes a link of its own; this one was never seen.
      await database.write((db) => dropToken(db, hash))
      throw error
    }
  },
  RESET_ATTEMPTS,
)

export const mailPasswordChanged = outgoing<{ user_id: number }>('accounts.mail_password_changed', async (services, { user_id }) => {
  const account = await accountById(services.database.read, user_id)
  if (!account) return
  const { about, send } = await recipient(services, account)
  await send(account.email, passwordChangedMail({ ...about, url: `${services.origin()}/forgot-password` }))
})

/** To the address that was replaced, which is nowhere else any more. */
export const mailEmailChanged = outgoing<{ user_id: number; email: string }>('accounts.mail_email_changed', async (services, payload) => {
  const account = await accountById(services.database.read, payload.user_id)
  if (!account) return
  const { about, send } = await recipient(services, account)
  await send(payload.email, emailChangedMail({ ...about, newEmail: account.email, url: services.origin() }))
})

export const mailWelcome = outgoing<{ user_id: number }>('accounts.mail_welcome', async (services, { user_id }) => {
  const account = await accountById(services.database.read, user_id)
  if (account?.status !== 'active' || !isMailAddress(account.email)) return
  const { about, send } = await recipient(services, account)
  await send(account.email, welcomeMail({ ...about, url: services.origin() }))
})

export const welcomeNewcomers = on('user.registered', 'accounts.welcome', (ctx, { user_id }) => ctx.enqueue(mailWelcome.name, { user_id }))
