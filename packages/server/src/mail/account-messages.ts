import type { MailContent } from './layout.ts'
import { accountMail, introOf, isPlainName, masked, plainName, type Recipient, subjectOf } from './messages.ts'

/** What was revoked, as a sentence; empty if nothing was. */
const revokedSentence = ({ sessions, application_passwords, exports }: Revoked): string => {
  const counted = (count: number, one: string, many: string) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`])
  const parts = [
    ...counted(sessions, 'session', 'sessions'),
    ...counted(application_passwords, 'application password', 'application passwords'),
    ...counted(exports, 'data export', 'data exports'),
  ]
  if (parts.length === 0) return ''
  return `Also revoked: ${parts.join(', ')}.`
}

interface Revoked {
  readonly sessions: number
  readonly application_passwords: number
  readonly exports: number
}

/** Sent to the owner of the account; `url` is the page to reset the password. */
export const passwordChangedMail = (to: Recipient & { url: string; revoked?: Revoked }): MailContent =>
  accountMail(to, {
    subject: subjectOf(to, `Your password for ${to.community} was changed`),
    title: 'Your password was changed',
    paragraphs: [
      ...introOf(
        to,
        `The password of the account “${to.username}” was changed.`,
        'If you changed it, ignore this email. Otherwise, reset your password now and check your application passwords.',
      ),
      ...(to.revoked ? [revokedSentence(to.revoked)].filter(Boolean) : []),
    ],
    action: { label: 'Reset my password', url: to.url },
  })

/** The name, unless it could become a link or is a longer text; see `greeting`. */
const nameOf = (name: string) => (isPlainName(plainName(name)) ? ` named “${plainName(name)}”` : '')

/** Sent to the owner of the account; `url` is the page to revoke application passwords, `from` the IP address or null for the operator. */
export const applicationPasswordMail = (to: Recipient & { url: string; name: string; from: string | null; at: string }): MailContent =>
  accountMail(to, {
    subject: `A new application password for ${to.community}`,
    title: 'A new application password',
    paragraphs: [
      `An application password${nameOf(to.name)} was created for the account “${to.username}” on ${to.at} UTC, ${
        to.from === null ? 'by the operator of the server' : `from the IP address ${to.from}`
      }. An application with this password can act on your behalf.`,
      'If you did not create it, revoke it now in your sign-in settings and change your password, which revokes all application passwords.',
    ],
    action: { label: 'View application passwords', url: to.url },
  })

/** Sent to the new address of an account; the link works once within `validHours`. */
export const newAddressMail = (to: Recipient & { url: string; validHours: number }): MailContent =>
  accountMail(to, {
    subject: `Confirm your new email address for ${to.community}`,
    title: 'Confirm your new email address',
    paragraphs: [
      `The account “${to.username}” requested to use this email address. The link below works once, within ${to.validHours} hours. The address changes when you open it.`,
      'If this is not your account, ignore this email and do not open the link.',
    ],
    action: { label: 'Confirm email address', url: to.url },
  })

/** Sent to the previous address; `url` reverts the change within `validDays`. Without `validDays` it is the URL of the community. */
export const emailChangedMail = (to: Recipient & { newEmail: string; url: string; validDays?: number }): MailContent =>
  accountMail(to, {
    subject: subjectOf(to, `Your email address for ${to.community} was changed`),
    title: 'Your email address was changed',
    paragraphs: [
      ...introOf(
        to,
        `The account “${to.username}” now has the address ${masked(to.newEmail)}. Emails are no longer sent to this one.`,
        to.validDays === undefined
          ? 'If you did not change it, contact an administrator of the community immediately: somebody else may know your password.'
          : 'If you did not change it, undo the change: somebody else may know your password.',
      ),
      ...(to.validDays === undefined
        ? []
        : [
            `The link below works for ${to.validDays} days. It restores this address, ends all sessions, revokes all application passwords and lets you choose a new password.`,
          ]),
    ],
    action: { label: to.validDays === undefined ? `Open ${to.community}` : 'Undo the change', url: to.url },
  })

/** Sent to the owner of an account whose address was entered for another account; `url` is the page to reset the password. */
export const knownAddressMail = (to: Recipient & { url: string }): MailContent =>
  accountMail(to, {
    subject: `You already have an account at ${to.community}`,
    title: 'You already have an account',
    paragraphs: [
      `This email address was entered for another account at ${to.community}, but it already belongs to the account “${to.username}”. Sign in with that account, or choose a new password if you have forgotten it.`,
      'If you did not do this, ignore this email.',
    ],
    action: { label: 'Choose a new password', url: to.url },
  })
