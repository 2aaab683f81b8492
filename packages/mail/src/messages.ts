import { type Brand, layout, type MailContent } from './layout.ts'

export interface Recipient {
  readonly community: string
  readonly brand?: Brand
  readonly displayName: string
  readonly username: string
  /** Configured subject and main paragraphs, with the placeholders {community}, {name} and {username}. Empty: the default. */
  readonly words?: { readonly subject: string; readonly intro: string }
}

/**
 * Anyone can register somebody else's address with a name that advertises something. Names that could become a link or that are
 * longer texts are omitted.
 */
export const greeting = (name: string): string => {
  const plain = plainName(name)
  return isPlainName(plain) ? `Hello ${plain},` : 'Hello,'
}

/** Whether a name can be used in a sentence: it is short and contains no URL. */
const isPlainName = (plain: string) => plain !== '' && plain.length <= 60 && !/[:/\\@<>]|\.\S|www/i.test(plain)
const plainName = (name: string) => name.replace(/[\p{C}\s]+/gu, ' ').trim()

const filled = (template: string, { community, displayName, username }: Recipient): string => {
  const name = plainName(displayName)
  const values: Readonly<Record<string, string>> = { community, username, name: isPlainName(name) ? name : username }
  return template.replace(/\{(community|username|name)\}/g, (_match, key: string) => values[key] ?? '')
}

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)

interface AccountMail {
  readonly subject: string
  readonly title: string
  /** The paragraphs between the greeting and the button; the configured ones replace them. */
  readonly intro: readonly string[]
  /** Further paragraphs, which are not configurable. */
  readonly more?: readonly string[]
  /** The label of a button that leads to `url`. */
  readonly button?: string
  readonly footer?: string
}

const footerOf = ({ community, username }: Recipient) => `You received this email because of your account “${username}” at ${community}.`

/** A mail to the owner of an account. It begins with a greeting. */
const accountMail = (to: Recipient & { readonly url?: string }, mail: AccountMail): MailContent => {
  const { subject, title, intro, more = [], button, footer = footerOf(to) } = mail
  const { brand, url, displayName, words = { subject: '', intro: '' } } = to
  const main = words.intro.trim() ? paragraphsOf(filled(words.intro, to)) : intro
  return {
    subject: words.subject.trim() ? filled(words.subject, to) : subject,
    ...layout({
      ...(brand && { brand }),
      title,
      paragraphs: [greeting(displayName), ...main, ...more],
      ...(button && url && { action: { label: button, url } }),
      footer,
    }),
  }
}

/** `n…@example.org`: enough for owners to recognize their address. */
const masked = (email: string) => email.replace(/^(.)[^@]*@/u, '$1…@')

/** A number and its noun, such as `2 hours`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const duration = (minutes: number) => (minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute'))

/** Sent on request; the link works once within `validMinutes`. */
export const resetPasswordMail = (to: Recipient & { url: string; validMinutes: number }): MailContent =>
  accountMail(to, {
    subject: `Reset your password for ${to.community}`,
    title: 'Reset your password',
    intro: [
      `A password reset was requested for the account “${to.username}”. The link below works once, within ${duration(to.validMinutes)}.`,
      'If you did not request it, ignore this email. Your password stays unchanged.',
    ],
    button: 'Choose a new password',
  })

/** Sent after registration to confirm the email address; the link works once within `validHours`. */
export const verifyEmailMail = (to: Recipient & { url: string; validHours: number }): MailContent =>
  accountMail(to, {
    subject: `Confirm your email address for ${to.community}`,
    title: 'Confirm your email address',
    intro: [
      `The account “${to.username}” was registered with this email address. The link below works once, within ${to.validHours} hours.`,
      'If you did not register, ignore this email. The account will be removed automatically.',
    ],
    button: 'Confirm email address',
  })

/** Sent to administrators; `url` is the page of pending registrations. */
export const approvalRequestedMail = (to: Recipient & { url: string; applicant: string }): MailContent =>
  accountMail(to, {
    subject: `New registration at ${to.community}`,
    title: 'New registration',
    intro: [`The account “${to.applicant}” was registered and is waiting for your approval.`],
    button: 'Review the registration',
  })

/** Sent to administrators when a webhook is disabled after failed deliveries. */
export const webhookGivenUpMail = (to: Recipient & { url: string; webhook: string }): MailContent =>
  accountMail(to, {
    subject: `A webhook of ${to.community} was disabled`,
    title: 'A webhook was disabled',
    intro: [
      `All deliveries to the webhook “${to.webhook}” have failed for three days. Check its deliveries and enable it again when the problem is fixed.`,
    ],
    button: 'View webhooks',
  })

/** Sent when a registration is rejected; the account no longer exists. */
export const rejectedMail = (to: Recipient & { reason: string }): MailContent =>
  accountMail(to, {
    subject: `Your registration at ${to.community}`,
    title: 'Your registration was not approved',
    intro: [`The account “${to.username}” was not approved and was removed together with the data you entered.`],
    more: [to.reason].filter(Boolean),
    footer: `You received this email because this address was registered at ${to.community}.`,
  })

/** Sent to new members; `url` is the URL of the community. */
export const welcomeMail = (to: Recipient & { url: string; approved?: boolean }): MailContent =>
  accountMail(to, {
    subject: `Welcome to ${to.community}`,
    title: `Welcome to ${to.community}`,
    intro: [
      to.approved ? `Your account “${to.username}” was approved. You can sign in now.` : `Your account “${to.username}” is ready.`,
      'Explore the spaces, follow other members and introduce yourself.',
    ],
    button: `Open ${to.community}`,
    footer: `${footerOf(to)} If you did not register, you can ignore this email.`,
  })

/** Sent after the deletion of an account; `content` says what happens to its content. */
export const accountDeletedMail = (to: Recipient & { content: 'anonymise' | 'remove'; byAdmin: boolean }): MailContent =>
  accountMail(to, {
    subject: `Your account at ${to.community} was deleted`,
    title: 'Your account was deleted',
    intro: [
      `The account “${to.username}” ${to.byAdmin ? 'was deleted by an administrator' : 'was deleted at your request'}. It can no longer be used, and your data is being removed.`,
      to.content === 'remove'
        ? 'Your feeds and comments are removed too.'
        : 'Your feeds and comments stay without your name, as those of a deleted member.',
      'Copies in backups of the community are removed when the backups are replaced. This is the last email to this address.',
    ],
  })

/** Sent when a data export is ready; `url` is its download page. */
export const exportReadyMail = (to: Recipient & { url: string; validDays: number }): MailContent =>
  accountMail(to, {
    subject: `Your data from ${to.community} is ready`,
    title: 'Your data is ready',
    intro: [
      `The data export of the account “${to.username}” is ready. Only you can download it, within ${to.validDays} days. You have to sign in first.`,
      'If neither you nor an administrator requested it, somebody else may know your password. Change it and check your application passwords.',
    ],
    button: 'Download data export',
  })

/** What was revoked, as a paragraph; none if nothing was. */
const revokedSentence = ({ sessions, application_passwords, exports }: Revoked): string[] => {
  const parts = [
    counted(sessions, 'session'),
    counted(application_passwords, 'application password'),
    counted(exports, 'data export'),
  ].filter((part) => !part.startsWith('0 '))
  return parts.length === 0 ? [] : [`Also revoked: ${parts.join(', ')}.`]
}

interface Revoked {
  readonly sessions: number
  readonly application_passwords: number
  readonly exports: number
}

/** Sent to the owner of the account; `url` is the page to reset the password. */
export const passwordChangedMail = (to: Recipient & { url: string; revoked?: Revoked }): MailContent =>
  accountMail(to, {
    subject: `Your password for ${to.community} was changed`,
    title: 'Your password was changed',
    intro: [
      `The password of the account “${to.username}” was changed.`,
      'If you changed it, ignore this email. Otherwise, reset your password now and check your application passwords.',
    ],
    more: to.revoked ? revokedSentence(to.revoked) : [],
    button: 'Reset my password',
  })

/** The name, unless it could become a link or is a longer text; see `greeting`. */
const nameOf = (name: string) => (isPlainName(plainName(name)) ? ` named “${plainName(name)}”` : '')

/** Sent to the owner of the account; `url` is the page to revoke application passwords, `from` the IP address or null for the operator. */
export const applicationPasswordMail = (to: Recipient & { url: string; name: string; from: string | null; at: string }): MailContent =>
  accountMail(to, {
    subject: `A new application password for ${to.community}`,
    title: 'A new application password',
    intro: [
      `An application password${nameOf(to.name)} was created for the account “${to.username}” on ${to.at} UTC, ${
        to.from === null ? 'by the operator of the server' : `from the IP address ${to.from}`
      }. An application with this password can act on your behalf.`,
      'If you did not create it, revoke it now in your sign-in settings and change your password, which revokes all application passwords.',
    ],
    button: 'View application passwords',
  })

/** Sent to the new address of an account; the link works once within `validHours`. */
export const newAddressMail = (to: Recipient & { url: string; validHours: number }): MailContent =>
  accountMail(to, {
    subject: `Confirm your new email address for ${to.community}`,
    title: 'Confirm your new email address',
    intro: [
      `The account “${to.username}” requested to use this email address. The link below works once, within ${to.validHours} hours. The address changes when you open it.`,
      'If this is not your account, ignore this email and do not open the link.',
    ],
    button: 'Confirm email address',
  })

/** Sent to the previous address; `url` reverts the change within `validDays`. Without `validDays` it is the URL of the community. */
export const emailChangedMail = (to: Recipient & { newEmail: string; url: string; validDays?: number }): MailContent =>
  accountMail(to, {
    subject: `Your email address for ${to.community} was changed`,
    title: 'Your email address was changed',
    intro: [
      `The account “${to.username}” now has the address ${masked(to.newEmail)}. Emails are no longer sent to this one.`,
      to.validDays === undefined
        ? 'If you did not change it, contact an administrator of the community immediately: somebody else may know your password.'
        : 'If you did not change it, undo the change: somebody else may know your password.',
    ],
    more:
      to.validDays === undefined
        ? []
        : [
            `The link below works for ${to.validDays} days. It restores this address, ends all sessions, revokes all application passwords and lets you choose a new password.`,
          ],
    button: to.validDays === undefined ? `Open ${to.community}` : 'Undo the change',
  })

/** Sent to the owner of an account whose address was entered for another account; `url` is the page to reset the password. */
export const knownAddressMail = (to: Recipient & { url: string }): MailContent =>
  accountMail(to, {
    subject: `You already have an account at ${to.community}`,
    title: 'You already have an account',
    intro: [
      `This email address was entered for another account at ${to.community}, but it already belongs to the account “${to.username}”. Sign in with that account, or choose a new password if you have forgotten it.`,
      'If you did not do this, ignore this email.',
    ],
    button: 'Choose a new password',
  })

export const testMail = ({ brand, sentAt }: { brand: Brand; sentAt: string }): MailContent => ({
  subject: `Test email from ${brand.name}`,
  ...layout({
    brand,
    title: 'Email works',
    paragraphs: [
      `This is a test email from ${brand.name}, sent at ${sentAt} UTC.`,
      'Check that it arrived in the inbox and not in the spam folder, and that the sender is correct.',
    ],
    action: { label: `Open ${brand.name}`, url: brand.url },
    footer: 'It was sent with “lyceum mail test” by somebody with access to the server.',
  }),
})
