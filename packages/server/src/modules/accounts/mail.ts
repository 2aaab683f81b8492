import { type Db, lockRow } from '../../db/index.ts'
import { nowOf } from '../../platform/clock.ts'
import type { Services } from '../../platform/context.ts'
import { on, outgoing } from '../../platform/jobs/index.ts'
import { deliverMail } from '../../platform/mail/deliver.ts'
import { emailChangedMail, passwordChangedMail, resetPasswordMail, verifyEmailMail, welcomeMail } from '../../platform/mail/messages.ts'
import type { Letter } from '../../platform/mail/template.ts'
import { isMailAddress } from '../../platform/mail/transport.ts'
import { mailIdentity, mailWords } from '../settings/index.ts'
import { mailUnconfirmed } from './limits.ts'
import { makeResetLink, makeVerifyLink, RESET_MINUTES, VERIFY_HOURS } from './one-time.ts'
import { type Account, accountById, countTokens, dropToken } from './queries.ts'

/** Most reset links of an account that are valid at once: nobody can fill a stranger's mailbox. */
const MOST_LINKS = 3
/** Who asked for a link waits for it; after some ten minutes it is no use to anybody. */
const RESET_ATTEMPTS = 8

type Link = Awaited<ReturnType<typeof makeResetLink>>

/** A link, unless the account has as many as it may; the account is held, since such jobs run beside each other. */
const oneOfFew = async (db: Db, userId: number, purpose: 'reset' | 'verify', now: string, make: () => Promise<Link>) => {
  await lockRow(db, 'users', userId)
  return (await countTokens(db, userId, purpose, now)) < MOST_LINKS ? make() : null
}

/** The look of a mail to an account, and how it is sent. */
export const recipient = async (
  services: Services,
  { username, display_name }: Pick<Account, 'username' | 'display_name'>,
  mail?: Parameters<typeof mailWords>[1],
) => {
  const { brand, sender } = await mailIdentity(services)
  const words = mail && (await mailWords(services, mail))
  const about = { community: brand.name, brand, username, displayName: display_name, ...(words && { words }) }
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
    if (account?.status !== 'active') return
    const link = await database.write((db) => oneOfFew(db, user_id, 'reset', now, () => makeResetLink(db, user_id, now, origin())))
    if (!link) return
    const { url, hash } = link
    try {
      const { about, send } = await recipient(services, account, 'reset_password')
      await send(account.email, resetPasswordMail({ ...about, url, validMinutes: RESET_MINUTES }))
    } catch (error) {
      // The next try makes a link of its own; this one was never seen.
      await database.write((db) => dropToken(db, hash))
      throw error
    }
  },
  RESET_ATTEMPTS,
)

/** The same for the link that confirms an address. */
export const mailVerification = outgoing<{ user_id: number | null }>(
  'accounts.mail_verification',
  async (services, { user_id }) => {
    const { database, clock, origin } = services
    if (user_id === null) return
    const account = await accountById(database.read, user_id)
    const now = nowOf(clock)
    if (account?.status !== 'unverified') return
    const link = await database.write((db) => oneOfFew(db, user_id, 'verify', now, () => makeVerifyLink(db, user_id, now, origin())))
    if (!link) return
    const { url, hash } = link
    try {
      const { about, send } = await recipient(services, account, 'verify_email')
      const mail = verifyEmailMail({ ...about, url, validHours: VERIFY_HOURS })
      await mailUnconfirmed(services, account.email, () => send(account.email, mail))
    } catch (error) {
      await database.write((db) => dropToken(db, hash))
      throw error
    }
  },
  RESET_ATTEMPTS,
)

export const mailPasswordChanged = outgoing<{ user_id: number }>('accounts.mail_password_changed', async (services, { user_id }) => {
  const account = await accountById(services.database.read, user_id)
  if (!account || account.status === 'deleted') return
  const { about, send } = await recipient(services, account, 'password_changed')
  await send(account.email, passwordChangedMail({ ...about, url: `${services.origin()}/forgot-password` }))
})

/** To the address that was replaced, which is nowhere else any more. */
export const mailEmailChanged = outgoing<{ user_id: number; email: string }>('accounts.mail_email_changed', async (services, payload) => {
  const account = await accountById(services.database.read, payload.user_id)
  if (!account || account.status === 'deleted') return
  const { about, send } = await recipient(services, account, 'email_changed')
  await send(payload.email, emailChangedMail({ ...about, newEmail: account.email, url: services.origin() }))
})

export const mailWelcome = outgoing<{ user_id: number; approver_id?: number }>(
  'accounts.mail_welcome',
  async (services, { user_id, approver_id }) => {
    const account = await accountById(services.database.read, user_id)
    if (account?.status !== 'active' || !isMailAddress(account.email)) return
    const { about, send } = await recipient(services, account, 'welcome')
    const mail = welcomeMail({ ...about, url: services.origin(), approved: approver_id !== undefined })
    await mailUnconfirmed(services, account.email, () => send(account.email, mail))
  },
)

export const welcomeNewcomers = on('user.registered', 'accounts.welcome', (ctx, payload) => ctx.enqueue(mailWelcome.name, payload))
