import { type Brand, layout, type MailContent } from './layout.ts'
import { textsIn } from './texts/index.ts'
import { spokenName } from './texts/names.ts'
import type { AccountMails, Language, Recipient, Report } from './texts/shape.ts'

export type { Language, Recipient } from './texts/shape.ts'

const filled = (template: string, { community, displayName, username }: Recipient): string => {
  const values: Readonly<Record<string, string>> = { community, username, name: spokenName(displayName) || username }
  return template.replace(/\{(community|username|name)\}/g, (_match, key: string) => values[key] ?? '')
}

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)

const accountMail =
  <Kind extends keyof AccountMails>(kind: Kind) =>
  (to: AccountMails[Kind]): MailContent => {
    const texts = textsIn(to.lang)
    const { subject, title, intro, more = [], button, footer = texts.accountFooter(to) } = texts.accountMails[kind](to)
    const { brand, lang, displayName, words = { subject: '', intro: '' }, url } = to as Recipient & { readonly url?: string }
    const main = words.intro.trim() ? paragraphsOf(filled(words.intro, to)) : intro
    return {
      subject: words.subject.trim() ? filled(words.subject, to) : subject,
      ...layout({
        ...(brand && { brand }),
        ...(lang && { lang }),
        title,
        paragraphs: [texts.greeting(spokenName(displayName)), ...main, ...more],
        ...(button && url && { action: { label: button, url } }),
        footer,
      }),
    }
  }

/** Sent on request; the link works once within `validMinutes`. */
export const resetPasswordMail = accountMail('resetPassword')
/** Sent after registration to confirm the email address; the link works once within `validHours`. */
export const verifyEmailMail = accountMail('verifyEmail')
/** Sent to administrators; `url` is the page of pending registrations. */
export const approvalRequestedMail = accountMail('approvalRequested')
/** Sent to administrators when a webhook is disabled after failed deliveries. */
export const webhookDisabledMail = accountMail('webhookDisabled')
/** Sent when a registration is rejected; the account no longer exists. */
export const rejectedMail = accountMail('rejected')
/** Sent to new members; `url` is the URL of the community. */
export const welcomeMail = accountMail('welcome')
/** Sent after the deletion of an account; `content` says what happens to its content. */
export const accountDeletedMail = accountMail('accountDeleted')
/** Sent when a data export is ready; `url` is its download page. */
export const exportReadyMail = accountMail('exportReady')
/** Sent to the owner of the account; `url` is the page to reset the password. */
export const passwordChangedMail = accountMail('passwordChanged')
/** Sent to the owner of the account; `url` is the page to revoke application passwords. */
export const applicationPasswordMail = accountMail('applicationPassword')
/** Sent to the new address of an account; the link works once within `validHours`. */
export const newAddressMail = accountMail('newAddress')
/** Sent to the previous address; `url` reverts the change within `validDays`. Without `validDays` it is the URL of the community. */
export const emailChangedMail = accountMail('emailChanged')
/** Sent to the owner of an account whose address was entered for another account; `url` is the page to reset the password. */
export const knownAddressMail = accountMail('knownAddress')
/** Sent to the author of a post that is due but must be published manually. */
export const postDueMail = accountMail('postDue')

/** The subject of a report, for mail and chat. */
export const reportTitle = (report: Report, lang?: Language): string => textsIn(lang).report.title(report)

/** Sent to moderators. It does not contain the reported content; `url` leads to the report. */
export const reportMail = (to: Recipient & { brand: Brand; url: string; report: Report }): MailContent => {
  const { brand, lang, displayName, url, report } = to
  const texts = textsIn(lang)
  const title = texts.report.title(report)
  return {
    subject: `${title} · ${brand.name}`,
    ...layout({
      brand,
      ...(lang && { lang }),
      title,
      paragraphs: [texts.greeting(spokenName(displayName)), texts.report.text],
      action: { label: texts.report.button, url, spelled: false },
      footer: texts.report.footer(brand.name),
    }),
  }
}

export const testMail = ({ brand, sentAt, lang }: { brand: Brand; sentAt: string; lang?: Language }): MailContent => {
  const { open, test } = textsIn(lang)
  return {
    subject: test.subject(brand.name),
    ...layout({
      brand,
      ...(lang && { lang }),
      title: test.title,
      paragraphs: test.paragraphs(brand.name, sentAt),
      action: { label: open(brand.name), url: brand.url },
      footer: test.footer,
    }),
  }
}
