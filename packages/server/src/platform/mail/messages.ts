import { type Brand, type Letter, layout } from './template.ts'

interface Recipient {
  /** Name of the community, as its settings say. */
  readonly community: string
  /** Its look. */
  readonly brand?: Brand
  readonly displayName: string
  readonly username: string
}

/**
 * Anyone can register a stranger's address with a name that advertises something, so a name that could become a link,
 * or is a text rather than a name, is left out.
 */
export const greeting = (name: string): string => {
  const plain = name.replace(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' || plain.length > 60 || /[:/\\@<>]|\.\S|www/i.test(plain) ? 'Hello,' : `Hello ${plain},`
}

const branded = ({ brand }: Recipient) => (brand ? { brand } : {})

const footer = ({ community, username }: Recipient) => `You receive this mail because of your account “${username}” at ${community}.`

/** `n…@example.org`: enough to recognise one's own address. */
const masked = (email: string) => email.replace(/^(.)[^@]*@/u, '$1…@')

const duration = (minutes: number) => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** To somebody who asked for it; the link works once, for `validMinutes`. */
export const resetPasswordMail = (to: Recipient & { url: string; validMinutes: number }): Letter => ({
  subject: `Reset your password for ${to.community}`,
  ...layout({
    ...branded(to),
    title: 'Reset your password',
    paragraphs: [
      greeting(to.displayName),
      `Somebody, most likely you, asked for a new password for the account “${to.username}”. The link below works once, within ${duration(to.validMinutes)}.`,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url: to.url },
    footer: footer(to),
  }),
})

/** To a new member; `url` is the community's address. */
export const welcomeMail = (to: Recipient & { url: string }): Letter => ({
  subject: `Welcome to ${to.community}`,
  ...layout({
    ...branded(to),
    title: `Welcome to ${to.community}`,
    paragraphs: [
      greeting(to.displayName),
      `Your account “${to.username}” is ready. Have a look at the spaces, follow people whose posts you like, and say hello.`,
    ],
    action: { label: `Open ${to.community}`, url: to.url },
    footer: `${footer(to)} If you did not register, you can ignore it.`,
  }),
})

/** To the address that was replaced; `url` is the community's address. */
export const emailChangedMail = (to: Recipient & { newEmail: string; url: string }): Letter => ({
  subject: `Your e-mail address for ${to.community} was changed`,
  ...layout({
    ...branded(to),
    title: 'Your e-mail address was changed',
    paragraphs: [
      greeting(to.displayName),
      `The account “${to.username}” now has the address ${masked(to.newEmail)}. Mail will no longer come to this one.`,
      'If it was not you, write to an administrator of the community at once: somebody else may have your password.',
    ],
    action: { label: `Open ${to.community}`, url: to.url },
    footer: footer(to),
  }),
})

/** To the owner of the account; `url` is where a forgotten password is reset. */
export const passwordChangedMail = (to: Recipient & { url: string }): Letter => ({
  subject: `Your password for ${to.community} was changed`,
  ...layout({
    ...branded(to),
    title: 'Your password was changed',
    paragraphs: [
      greeting(to.displayName),
      `The password of the account “${to.username}” was changed.`,
      'If it was you, there is nothing to do. If it was not you, reset your password now, and look through your application passwords afterwards.',
    ],
    action: { label: 'Reset my password', url: to.url },
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
