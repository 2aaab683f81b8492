import type { MailContent } from '@lyceum/mail/layout'
import {
  applicationPasswordMail,
  emailChangedMail,
  knownAddressMail,
  newAddressMail,
  passwordChangedMail,
  resetPasswordMail,
  verifyEmailMail,
  welcomeMail,
} from '@lyceum/mail/transactional-mails'
import { isMailAddress } from '@lyceum/mail/transport'
import { nowOf } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Db, lockName, lockRow } from '../../db/index.ts'
import { on, outgoing } from '../../jobs/index.ts'
import { deliverMail } from '../../mail/send-job.ts'
import { mailIdentity, mailWords } from '../settings/index.ts'
import { mailNewPassword, mailReset, mailUnconfirmed } from './limits.ts'
import { makeResetLink, makeVerifyLink, RESET_MINUTES, UNDO_DAYS, VERIFY_HOURS } from './one-time-links.ts'
import { type Account, accountByEmail, accountById, countTokens, deleteToken, isEmailReserved, renewToken } from './queries.ts'
import type { Revoked } from './revoke.ts'
import { countLinksTo, type Signup, signupById } from './signups.ts'

/** Maximum number of valid reset links per account, so that nobody can flood a stranger's mailbox. */
const MAX_VALID_LINKS = 3
/** About ten minutes of retries; a later link is of no use to the person waiting for it. */
const RESET_ATTEMPTS = 8

type Link = Awaited<ReturnType<typeof makeResetLink>>

/** Creates a link unless the account has reached the limit. Locks the account, since mail jobs run concurrently. */
const createLinkWithinLimit = async (db: Db, userId: number, now: string, make: () => Promise<Link>) => {
  await lockRow(db, 'users', userId)
  return (await countTokens(db, userId, 'reset', now)) < MAX_VALID_LINKS ? make() : null
}

/** The same limit per mailbox, across all unconfirmed registrations that name it. */
const createSignupLinkWithinLimit = async (db: Db, { id, email }: Signup, now: string, make: () => Promise<Link>) => {
  await lockName(db, `signup:${email}`)
  if (!(await signupById(db, [id]))) return null
  return (await countLinksTo(db, [email, now])) < MAX_VALID_LINKS ? make() : null
}

export const recipient = async (
  services: Services,
  { username, display_name, lang }: Pick<Account, 'username' | 'display_name'> & Partial<Pick<Account, 'lang'>>,
  mail?: Parameters<typeof mailWords>[1],
) => {
  const { brand, sender, lang: community } = await mailIdentity(services)
  const words = mail && (await mailWords(services, mail))
  const about = { community: brand.name, brand, lang: lang || community, username, displayName: display_name, ...(words && { words }) }
  return { about, send: (to: string, letter: MailContent) => deliverMail(services, { to, ...letter, sender }) }
}

/** Sends a new link. If that fails, the link is deleted, because the retry creates another one. */
const sendLink = async ({ database }: Services, { hash }: Link, send: () => Promise<unknown>) => {
  try {
    await send()
  } catch (error) {
    await database.write((db) => deleteToken(db, [hash]))
    throw error
  }
}

/** Tells the owner of an address that somebody tried to use it for another account. */
const mailAddressInUse = async (services: Services, owner: Account): Promise<void> => {
  if (owner.status === 'deleted' || !isMailAddress(owner.email)) return
  const { about, send } = await recipient(services, owner)
  const mail = knownAddressMail({ ...about, url: `${services.origin()}/forgot-password` })
  await mailUnconfirmed(services, owner.email, () => send(owner.email, mail))
}

/** Whether a registration can still get its address. If the address is taken, its owner is notified. */
const isAddressAvailable = async (services: Services, { id, email }: Signup, now: string): Promise<boolean> => {
  const { read } = services.database
  const owner = await accountByEmail(read, [email])
  if (owner) await mailAddressInUse(services, owner)
  return !owner && !(await isEmailReserved(read, [email, now, id]))
}

/**
 * Sends a reset link. The job is enqueued with null for an unknown login as well, so that response times do not reveal which accounts
 * exist. The token is created here and only goes into the mail. For an unconfirmed account the link also confirms the address.
 */
export const mailResetLink = outgoing<{ user_id: number | null }>(
  'accounts.mail_reset_link',
  async (services, { user_id }) => {
    const { database, clock, origin } = services
    if (user_id === null) return
    const now = nowOf(clock)
    const make = (db: Db) => makeResetLink(db, user_id, now, origin())
    const signup = await signupById(database.read, [user_id])
    const account = signup ?? (await accountById(database.read, [user_id]))
    if (signup ? !(await isAddressAvailable(services, signup, now)) : (account as Account | undefined)?.status !== 'active') return
    if (!account) return
    const link = await database.write((db) =>
      signup ? createSignupLinkWithinLimit(db, signup, now, () => make(db)) : createLinkWithinLimit(db, user_id, now, () => make(db)),
    )
    if (!link) return
    const { about, send } = await recipient(services, account, 'reset_password')
    const mail = resetPasswordMail({ ...about, url: link.url, validMinutes: RESET_MINUTES })
    const sent = () => send(account.email, mail)
    await sendLink(services, link, () => (signup ? mailUnconfirmed : mailReset)(services, account.email, sent))
  },
  RESET_ATTEMPTS,
)

/** Sends the link that confirms a registration's address; null for an unknown login, as above. */
export const mailVerification = outgoing<{ user_id: number | null }>(
  'accounts.mail_verification',
  async (services, { user_id }) => {
    const { database, clock, origin } = services
    const signup = user_id === null ? undefined : await signupById(database.read, [user_id])
    const now = nowOf(clock)
    if (!signup || !(await isAddressAvailable(services, signup, now))) return
    const link = await database.write((db) =>
      createSignupLinkWithinLimit(db, signup, now, () => makeVerifyLink(db, signup.id, now, origin())),
    )
    if (!link) return
    const { about, send } = await recipient(services, signup, 'verify_email')
    const mail = verifyEmailMail({ ...about, url: link.url, validHours: VERIFY_HOURS })
    await sendLink(services, link, () => mailUnconfirmed(services, signup.email, () => send(signup.email, mail)))
  },
  RESET_ATTEMPTS,
)

export const mailPasswordChanged = outgoing<{ user_id: number; revoked?: Revoked }>(
  'accounts.mail_password_changed',
  async (services, { user_id, revoked }) => {
    const account = await accountById(services.database.read, [user_id])
    if (!account || account.status === 'deleted') return
    const { about, send } = await recipient(services, account, 'password_changed')
    await send(account.email, passwordChangedMail({ ...about, url: `${services.origin()}/forgot-password`, ...(revoked && { revoked }) }))
  },
)

interface PasswordCreated {
  readonly user_id: number
  readonly name: string
  /** IP address of the request; null if an operator created the password. */
  readonly from: string | null
  readonly at: string
}

export const mailApplicationPassword = outgoing<PasswordCreated>('accounts.mail_application_password', async (services, made) => {
  const account = await accountById(services.database.read, [made.user_id])
  if (account?.status !== 'active' || !isMailAddress(account.email)) return
  const { about, send } = await recipient(services, account)
  const mail = applicationPasswordMail({ ...about, ...made, url: `${services.origin()}/account/security` })
  await mailNewPassword(services, account.email, () => send(account.email, mail))
})

/** Sent to the new address. A change that was cancelled or replaced in the meantime sends nothing. */
export const mailNewAddress = outgoing<{ user_id: number; email: string }>(
  'accounts.mail_new_address',
  async (services, { user_id, email }) => {
    const { database, clock, origin } = services
    const account = await accountById(database.read, [user_id])
    if (account?.status !== 'active') return
    const now = nowOf(clock)
    const token = await database.write((db) => renewToken(db, { userId: user_id, purpose: 'email', email, now }))
    if (token === null) return
    const owner = await accountByEmail(database.read, [email])
    if (owner) return mailAddressInUse(services, owner)
    const { about, send } = await recipient(services, account)
    const mail = newAddressMail({ ...about, url: `${origin()}/confirm-email?token=${token}`, validHours: VERIFY_HOURS })
    await mailUnconfirmed(services, email, () => send(email, mail))
  },
  RESET_ATTEMPTS,
)

/** Sent to the replaced address, with a link that undoes the change. */
export const mailEmailChanged = outgoing<{ user_id: number; email: string; undo?: boolean }>(
  'accounts.mail_email_changed',
  async (services, { user_id, email, undo }) => {
    const { database, clock, origin } = services
    const account = await accountById(database.read, [user_id])
    if (!account || account.status === 'deleted' || !isMailAddress(email)) return
    const renewed = { userId: user_id, purpose: 'undo', email, now: nowOf(clock) } as const
    const token = undo ? await database.write((db) => renewToken(db, renewed)) : null
    const { about, send } = await recipient(services, account, 'email_changed')
    const link = token === null ? { url: origin() } : { url: `${origin()}/undo-email-change?token=${token}`, validDays: UNDO_DAYS }
    await send(email, emailChangedMail({ ...about, newEmail: account.email, ...link }))
  },
)

export const mailWelcome = outgoing<{ user_id: number; approver_id?: number }>(
  'accounts.mail_welcome',
  async (services, { user_id, approver_id }) => {
    const account = await accountById(services.database.read, [user_id])
    if (account?.status !== 'active' || !isMailAddress(account.email)) return
    const { about, send } = await recipient(services, account, 'welcome')
    const mail = welcomeMail({ ...about, url: services.origin(), approved: approver_id !== undefined })
    await mailUnconfirmed(services, account.email, () => send(account.email, mail))
  },
)

export const welcomeNewcomers = on('user.registered', 'accounts.welcome', (ctx, users) =>
  ctx.enqueueEach(
    mailWelcome.name,
    users.map(({ user_id, approver_id }) => ({ user_id, approver_id })),
  ),
)
