import { type Brand, type Layout, layout, type MailContent } from './layout.ts'

export interface Recipient {
  /** Name of the community, from the settings. */
  readonly community: string
  /** Logo and colors of the community. */
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

const footer = ({ community, username }: Recipient) => `You received this email because of your account “${username}” at ${community}.`

interface AccountMail extends Omit<Layout, 'brand' | 'footer'> {
  readonly subject: string
  readonly footer?: string
}

/** A mail to the owner of an account. It begins with a greeting. */
export const accountMail = (to: Recipient, { subject, paragraphs = [], ...rest }: AccountMail): MailContent => ({
  subject,
  ...layout({
    ...(to.brand && { brand: to.brand }),
    footer: footer(to),
    ...rest,
    paragraphs: [greeting(to.displayName), ...paragraphs],
  }),
})

/** `n…@example.org`: enough for owners to recognize their address. */
export const masked = (email: string) => email.replace(/^(.)[^@]*@/u, '$1…@')

const duration = (minutes: number) => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Sent on request; the link works once within `validMinutes`. */
export const resetPasswordMail = (to: Recipient & { url: string; validMinutes: number }): MailContent =>
  accountMail(to, {
    subject: subjectOf(to, `Reset your password for ${to.community}`),
    title: 'Reset your password',
    paragraphs: [
      ...introOf(
        to,
        `A password reset was requested for the account “${to.username}”. The link below works once, within ${duration(to.validMinutes)}.`,
        'If you did not request it, ignore this email. Your password stays unchanged.',
      ),
    ],
    action: { label: 'Choose a new password', url: to.url },
  })

/** Sent after registration to confirm the email address; the link works once within `validHours`. */
export const verifyEmailMail = (to: Recipient & { url: string; validHours: number }): MailContent =>
  accountMail(to, {
    subject: subjectOf(to, `Confirm your email address for ${to.community}`),
    title: 'Confirm your email address',
    paragraphs: [
      ...introOf(
        to,
        `The account “${to.username}” was registered with this email address. The link below works once, within ${to.validHours} hours.`,
        'If you did not register, ignore this email. The account will be removed automatically.',
      ),
    ],
    action: { label: 'Confirm email address', url: to.url },
  })

/** Sent to administrators; `url` is the page of pending registrations. */
export const approvalRequestedMail = (to: Recipient & { url: string; applicant: string }): MailContent =>
  accountMail(to, {
    subject: `New registration at ${to.community}`,
    title: 'New registration',
    paragraphs: [`The account “${to.applicant}” was registered and is waiting for your approval.`],
    action: { label: 'Review the registration', url: to.url },
  })

/** Sent to administrators when a webhook is disabled after failed deliveries. */
export const webhookGivenUpMail = (to: Recipient & { url: string; webhook: string }): MailContent =>
  accountMail(to, {
    subject: `A webhook of ${to.community} was disabled`,
    title: 'A webhook was disabled',
    paragraphs: [
      `All deliveries to the webhook “${to.webhook}” have failed for three days. Check its deliveries and enable it again when the problem is fixed.`,
    ],
    action: { label: 'View webhooks', url: to.url },
  })

/** Sent when a registration is rejected; the account no longer exists. */
export const rejectedMail = (to: Recipient & { reason: string }): MailContent =>
  accountMail(to, {
    subject: subjectOf(to, `Your registration at ${to.community}`),
    title: 'Your registration was not approved',
    paragraphs: [
      ...introOf(to, `The account “${to.username}” was not approved and was removed together with the data you entered.`),
      ...(to.reason ? [to.reason] : []),
    ],
    footer: `You received this email because this address was registered at ${to.community}.`,
  })

/** Sent to new members; `url` is the URL of the community. */
export const welcomeMail = (to: Recipient & { url: string; approved?: boolean }): MailContent =>
  accountMail(to, {
    subject: subjectOf(to, `Welcome to ${to.community}`),
    title: `Welcome to ${to.community}`,
    paragraphs: [
      ...introOf(
        to,
        to.approved ? `Your account “${to.username}” was approved. You can sign in now.` : `Your account “${to.username}” is ready.`,
        'Explore the spaces, follow other members and introduce yourself.',
      ),
    ],
    action: { label: `Open ${to.community}`, url: to.url },
    footer: `${footer(to)} If you did not register, you can ignore this email.`,
  })

/** Sent after the deletion of an account; `content` says what happens to its content. */
export const accountDeletedMail = (to: Recipient & { content: 'anonymise' | 'remove'; byAdmin: boolean }): MailContent =>
  accountMail(to, {
    subject: `Your account at ${to.community} was deleted`,
    title: 'Your account was deleted',
    paragraphs: [
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
    paragraphs: [
      `The data export of the account “${to.username}” is ready. Only you can download it, within ${to.validDays} days. You have to sign in first.`,
      'If neither you nor an administrator requested it, somebody else may know your password. Change it and check your application passwords.',
    ],
    action: { label: 'Download data export', url: to.url },
  })

/** A test message from the command line. */
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
