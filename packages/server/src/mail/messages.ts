import { type Brand, type Letter, layout } from './layout.ts'

export interface Recipient {
  /** Name of the community, as its settings say. */
  readonly community: string
  /** Its look. */
  readonly brand?: Brand
  readonly displayName: string
  readonly username: string
  /** Subject and main paragraphs in place of the mail's own; {community}, {name} and {username} are filled in. Empty: its own. */
  readonly words?: { readonly subject: string; readonly intro: string }
}

/**
 * Anyone can register a stranger's address with a name that advertises something, so a name that could become a link,
 * or is a text rather than a name, is left out.
 */
export const greeting = (name: string): string => {
  const plain = plainName(name)
  return isPlainName(plain) ? `Hello ${plain},` : 'Hello,'
}

/** Whether a name can stand in a sentence: it is none itself, and leads nowhere. */
export const isPlainName = (plain: string) => plain !== '' && plain.length <= 60 && !/[:/\\@<>]|\.\S|www/i.test(plain)
export const plainName = (name: string) => name.replace(/[\p{C}\s]+/gu, ' ').trim()

const filled = (template: string, { community, displayName, username }: Recipient): string => {
  const name = plainName(displayName)
  const values: Readonly<Record<string, string>> = { community, username, name: isPlainName(name) ? name : username }
  return template.replace(/\{(community|username|name)\}/g, (_match, key: string) => values[key] ?? '')
}

export const subjectOf = (to: Recipient, own: string): string => (to.words?.subject.trim() ? filled(to.words.subject, to) : own)
/** The paragraphs between the greeting and the button. */
export const introOf = (to: Recipient, ...own: readonly string[]): readonly string[] =>
  to.words?.intro.trim()
    ? filled(to.words.intro, to)
        .split(/\n\s*\n/)
        .map((text) => text.trim())
        .filter(Boolean)
    : own

export const branded = ({ brand }: Recipient) => (brand ? { brand } : {})

export const footer = ({ community, username }: Recipient) => `You receive this mail because of your account “${username}” at ${community}.`

/** `n…@example.org`: enough to recognise one's own address. */
export const masked = (email: string) => email.replace(/^(.)[^@]*@/u, '$1…@')

const duration = (minutes: number) => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** To somebody who asked for it; the link works once, for `validMinutes`. */
export const resetPasswordMail = (to: Recipient & { url: string; validMinutes: number }): Letter => ({
  subject: subjectOf(to, `Reset your password for ${to.community}`),
  ...layout({
    ...branded(to),
    title: 'Reset your password',
    paragraphs: [
      greeting(to.displayName),
      ...introOf(
        to,
        `Somebody, most likely you, asked for a new password for the account “${to.username}”. The link below works once, within ${duration(to.validMinutes)}.`,
        'If it was not you, there is nothing to do: your password stays as it is.',
      ),
    ],
    action: { label: 'Choose a new password', url: to.url },
    footer: footer(to),
  }),
})

/** To somebody who has registered: confirms that the address is theirs; the link works once, for `validHours`. */
export const verifyEmailMail = (to: Recipient & { url: string; validHours: number }): Letter => ({
  subject: subjectOf(to, `Confirm your e-mail address for ${to.community}`),
  ...layout({
    ...branded(to),
    title: 'Confirm your e-mail address',
    paragraphs: [
      greeting(to.displayName),
      ...introOf(
        to,
        `Somebody, most likely you, has registered the account “${to.username}” with this address. The link below works once, within ${to.validHours} hours.`,
        'If it was not you, there is nothing to do: the account is removed by itself.',
      ),
    ],
    action: { label: 'Confirm email address', url: to.url },
    footer: footer(to),
  }),
})

/** To an administrator; `url` is where those who wait are decided about. */
export const approvalRequestedMail = (to: Recipient & { url: string; applicant: string }): Letter => ({
  subject: `Somebody waits to join ${to.community}`,
  ...layout({
    ...branded(to),
    title: 'Somebody waits to join',
    paragraphs: [greeting(to.displayName), `The account “${to.applicant}” has registered, and can be used as soon as you approve it.`],
    action: { label: 'Review the registration', url: to.url },
    footer: footer(to),
  }),
})

/** To an administrator, about another system that no longer takes what it is sent. */
export const webhookGivenUpMail = (to: Recipient & { url: string; webhook: string }): Letter => ({
  subject: `A webhook of ${to.community} was switched off`,
  ...layout({
    ...branded(to),
    title: 'A webhook was switched off',
    paragraphs: [
      greeting(to.displayName),
      `Nothing could be delivered to the webhook “${to.webhook}” for three days. Look at its deliveries, and switch it on again when it works.`,
    ],
    action: { label: 'View webhooks', url: to.url },
    footer: footer(to),
  }),
})

/** To whoever registered, and is not taken in; the account is gone by now. */
export const rejectedMail = (to: Recipient & { reason: string }): Letter => ({
  subject: subjectOf(to, `Your registration at ${to.community}`),
  ...layout({
    ...branded(to),
    title: 'Your registration was not approved',
    paragraphs: [
      greeting(to.displayName),
      ...introOf(to, `The account “${to.username}” was not approved, and was removed together with what you had entered.`),
      ...(to.reason ? [to.reason] : []),
    ],
    footer: `You receive this mail because this address was registered at ${to.community}.`,
  }),
})

/** To a new member; `url` is the community's address. */
export const welcomeMail = (to: Recipient & { url: string; approved?: boolean }): Letter => ({
  subject: subjectOf(to, `Welcome to ${to.community}`),
  ...layout({
    ...branded(to),
    title: `Welcome to ${to.community}`,
    paragraphs: [
      greeting(to.displayName),
      ...introOf(
        to,
        to.approved ? `Your account “${to.username}” is approved: you can sign in now.` : `Your account “${to.username}” is ready.`,
        'Have a look at the spaces, follow people whose posts you like, and say hello.',
      ),
    ],
    action: { label: `Open ${to.community}`, url: to.url },
    footer: `${footer(to)} If you did not register, you can ignore it.`,
  }),
})

/** To the address of an account that was deleted just now; `content` is what becomes of what it wrote. */
export const accountDeletedMail = (to: Recipient & { content: 'anonymise' | 'remove'; byAdmin: boolean }): Letter => ({
  subject: `Your account at ${to.community} is deleted`,
  ...layout({
    ...branded(to),
    title: 'Your account is deleted',
    paragraphs: [
      greeting(to.displayName),
      `The account “${to.username}” ${to.byAdmin ? 'was deleted by an administrator' : 'was deleted as you asked'}. It can no longer be used, and what was stored about you is being removed.`,
      to.content === 'remove'
        ? 'What you published is removed as well.'
        : 'What you published stays as that of a deleted member, without your name.',
      'Copies in the backups of the community go as these are replaced. This is the last mail to this address.',
    ],
    footer: footer(to),
  }),
})

/** To a member whose archive can be fetched; `url` is where. */
export const exportReadyMail = (to: Recipient & { url: string; validDays: number }): Letter => ({
  subject: `Your data from ${to.community} are ready`,
  ...layout({
    ...branded(to),
    title: 'Your data are ready',
    paragraphs: [
      greeting(to.displayName),
      `An archive of what is stored about the account “${to.username}” has been made. It can be downloaded for ${to.validDays} days, by you alone: sign in first.`,
      'If you did not ask for it, an administrator has, or somebody else may have your password: change it, and look through your application passwords.',
    ],
    action: { label: 'Download archive', url: to.url },
    footer: footer(to),
  }),
})

/** To whoever runs the community, to see whether mail arrives. */
export const testMail = ({ brand, sentAt }: { brand: Brand; sentAt: string }): Letter => ({
  subject: `Test mail from ${brand.name}`,
  ...layout({
    brand,
    title: 'Mail works',
    paragraphs: [
      `This mail was sent by ${brand.name} at ${sentAt} UTC to see whether mail arrives.`,
      'Look also whether it landed in the inbox rather than among the spam, and whether the sender is the one you want.',
    ],
    action: { label: `Open ${brand.name}`, url: brand.url },
    footer: 'Somebody with access to the server sent it with “lyceum mail test”.',
  }),
})
