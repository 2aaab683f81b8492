import { type Letter, layout } from './layout.ts'
import { branded, footer, greeting, introOf, isPlainName, masked, plainName, type Recipient, subjectOf } from './messages.ts'

/** What was revoked, as a sentence; empty where nothing was. */
const revokedSentence = ({ sessions, application_passwords, exports }: Revoked): string => {
  const counted = (count: number, one: string, many: string) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`])
  const parts = [
    ...counted(sessions, 'session', 'sessions'),
    ...counted(application_passwords, 'application password', 'application passwords'),
    ...counted(exports, 'data export', 'data exports'),
  ]
  if (parts.length === 0) return ''
  return `Revoked with it: ${parts.join(', ')}.`
}

interface Revoked {
  readonly sessions: number
  readonly application_passwords: number
  readonly exports: number
}

/** To the owner of the account; `url` is where a forgotten password is reset. */
export const passwordChangedMail = (to: Recipient & { url: string; revoked?: Revoked }): Letter => ({
  subject: subjectOf(to, `Your password for ${to.community} was changed`),
  ...layout({
    ...branded(to),
    title: 'Your password was changed',
    paragraphs: [
      greeting(to.displayName),
      ...introOf(
        to,
        `The password of the account “${to.username}” was changed.`,
        'If it was you, there is nothing to do. If it was not you, reset your password now, and look through your application passwords afterwards.',
      ),
      ...(to.revoked ? [revokedSentence(to.revoked)].filter(Boolean) : []),
    ],
    action: { label: 'Reset my password', url: to.url },
    footer: footer(to),
  }),
})

/** A name that could become a link, or is a text of its own, is left out: the address may be a stranger's. */
const nameOf = (name: string) => (isPlainName(plainName(name)) ? ` named “${plainName(name)}”` : '')

/** To the owner of the account; `url` is where application passwords are revoked, `from` the network address, null for the operator. */
export const applicationPasswordMail = (to: Recipient & { url: string; name: string; from: string | null; at: string }): Letter => ({
  subject: `A new application password for ${to.community}`,
  ...layout({
    ...branded(to),
    title: 'A new application password',
    paragraphs: [
      greeting(to.displayName),
      `An application password${nameOf(to.name)} was made for the account “${to.username}” on ${to.at} UTC, ${
        to.from === null ? 'by whoever runs the server' : `from the address ${to.from}`
      }. An app that has it can act in your name.`,
      'If it was not you, revoke it now on the page about signing in, and change your password: that revokes all application passwords.',
    ],
    action: { label: 'View application passwords', url: to.url },
    footer: footer(to),
  }),
})

/** To the address that an account is to have; the link works once, for `validHours`. */
export const newAddressMail = (to: Recipient & { url: string; validHours: number }): Letter => ({
  subject: `Confirm your new e-mail address for ${to.community}`,
  ...layout({
    ...branded(to),
    title: 'Confirm your new e-mail address',
    paragraphs: [
      greeting(to.displayName),
      `The account “${to.username}” is to have this address. The link below works once, within ${to.validHours} hours; until then nothing changes.`,
      'If you have no such account, do not follow it, and ignore this mail.',
    ],
    action: { label: 'Confirm email address', url: to.url },
    footer: footer(to),
  }),
})

/** To the address that was replaced; `url` undoes the change, for `validDays`. Older changes cannot be undone: then it leads to the community. */
export const emailChangedMail = (to: Recipient & { newEmail: string; url: string; validDays?: number }): Letter => ({
  subject: subjectOf(to, `Your e-mail address for ${to.community} was changed`),
  ...layout({
    ...branded(to),
    title: 'Your e-mail address was changed',
    paragraphs: [
      greeting(to.displayName),
      ...introOf(
        to,
        `The account “${to.username}” now has the address ${masked(to.newEmail)}. Mail will no longer come to this one.`,
        to.validDays === undefined
          ? 'If it was not you, write to an administrator of the community at once: somebody else may have your password.'
          : 'If it was not you, undo the change: somebody else may have your password.',
      ),
      ...(to.validDays === undefined
        ? []
        : [
            `The link below works for ${to.validDays} days. It gives the account this address back, ends all sessions, revokes all application passwords, and lets you choose a new password.`,
          ]),
    ],
    action: { label: to.validDays === undefined ? `Open ${to.community}` : 'Undo the change', url: to.url },
    footer: footer(to),
  }),
})

/** To the owner of an account whose address somebody has registered, or wants for an account; `url` is where a forgotten password is reset. */
export const knownAddressMail = (to: Recipient & { url: string }): Letter => ({
  subject: `You already have an account at ${to.community}`,
  ...layout({
    ...branded(to),
    title: 'You already have an account',
    paragraphs: [
      greeting(to.displayName),
      `Somebody, most likely you, has entered this address at ${to.community} as that of another account. It belongs to the account “${to.username}”: sign in with that one, or choose a new password if you have forgotten it.`,
      'If it was not you, there is nothing to do.',
    ],
    action: { label: 'Choose a new password', url: to.url },
    footer: footer(to),
  }),
})
