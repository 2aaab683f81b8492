import type { ReadRequest, Services } from '../../core/context.ts'
import { type Budget, DAY_S, HOUR_S } from '../../limits/budgets.ts'
import { networkOf, wideNetworkOf } from '../../limits/ip-prefix.ts'

/** Public email providers: many registrations at one of them are not suspicious. */
const PUBLIC_PROVIDERS = new Set(
  (
    '163.com 126.com aol.com bluewin.ch btinternet.com comcast.net fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.de gmx.net ' +
    'googlemail.com hey.com hotmail.com hotmail.de hotmail.fr icloud.com laposte.net libero.it live.com mac.com mail.com mail.ru mailbox.org ' +
    'me.com msn.com naver.com o2.pl orange.fr outlook.com outlook.de outlook.fr posteo.de proton.me protonmail.com qq.com rediffmail.com ' +
    't-online.de tutanota.com uol.com.br verizon.net web.de wp.pl yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.ru ' +
    'ymail.com zoho.com'
  ).split(' '),
)

const partsOf = (email: string): readonly [local: string, domain: string] => {
  const at = email.lastIndexOf('@')
  return [email.slice(0, at).toLowerCase(), email.slice(at + 1).toLowerCase()]
}

/** The mailbox behind an address, used as a rate-limit key only: many providers ignore dots and everything after a plus sign. */
export const mailboxOf = (email: string): string => {
  const [local, domain] = partsOf(email)
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@${domain}`
}

/**
 * Counts a registration against the IP address, its network and the domain of the email address. Returns a function that refunds it.
 * @throws rate_limit_exceeded
 */
export const spendRegistration = async (
  { request, services, snapshot }: Pick<ReadRequest, 'request' | 'services' | 'snapshot'>,
  email: string,
) => {
  const { budgets } = services
  if (!budgets.on) return () => {}
  const limits = await budgets.read(snapshot)
  const [, domain] = partsOf(email)
  const of = (kind: string, key: string, limit: number): Budget => ({ kind, key, limit, windowS: HOUR_S })
  const spent = [
    of('registrations_address', networkOf(request.ip), limits.registrations_per_address_per_hour),
    of('registrations_network', wideNetworkOf(request.ip), limits.registrations_per_network_per_hour),
    of('registrations_domain', domain, PUBLIC_PROVIDERS.has(domain) ? 0 : limits.registrations_per_mail_domain_per_hour),
  ]
  await budgets.spend(spent)
  return () => budgets.giveBack(spent)
}

type BudgetContext = Pick<ReadRequest, 'services' | 'actor'>

/** Each change sends mail to an address that may belong to somebody else. @throws rate_limit_exceeded */
export const spendEmailChange = async ({ services, actor }: BudgetContext): Promise<void> =>
  services.budgets.spend([{ kind: 'email_changes', key: actor.id, limit: 3, windowS: DAY_S }])

/** Each rename reserves the former name for a year. @throws rate_limit_exceeded */
export const spendRename = async ({ services, actor }: BudgetContext): Promise<void> =>
  services.budgets.spend([{ kind: 'renames', key: actor.id, limit: 10, windowS: DAY_S }])

/** The owner gets an email about each one. @throws rate_limit_exceeded */
export const spendApplicationPassword = async ({ services, actor }: BudgetContext): Promise<void> =>
  services.budgets.spend([{ kind: 'application_passwords', key: actor.id, limit: 60, windowS: HOUR_S }])

/** Sends a mail unless the mailbox has used up its budget for this kind. A failed attempt is refunded. */
const mailWithin = async ({ budgets, log }: Services, budget: Budget, send: () => Promise<void>): Promise<void> => {
  const spent = [budget]
  try {
    await budgets.spend(spent)
  } catch {
    log.warn({ event: 'mail_rate_limited', kind: budget.kind }, 'mail not sent: rate limit of the mailbox exceeded')
    return
  }
  try {
    await send()
  } catch (error) {
    budgets.giveBack(spent)
    throw error
  }
}

/**
 * Sends a mail to an address that its owner has not confirmed, within the mailbox's budget: anybody may enter any address. Every such mail
 * must go through this function.
 */
export const mailUnconfirmed = async (services: Services, email: string, send: () => Promise<void>): Promise<void> => {
  const { budgets, caches } = services
  if (!budgets.on) return send()
  const { unconfirmed_mails_per_day: limit } = await budgets.read(caches.unpolled())
  await mailWithin(services, { kind: 'unconfirmed_mails', key: mailboxOf(email), limit, windowS: DAY_S }, send)
}

/** Per hour: reset links for address variants of one mailbox, and mails to one account about new application passwords. */
const SHARED_LINKS = 12
const PASSWORD_MAILS = 6

/**
 * Sends a password reset link. Accounts whose addresses are variants of one address (`name+1@`, `na.me@`) share a limit, since they may
 * have been created to flood that mailbox. The plain address has a limit of its own.
 */
export const mailReset = async (services: Services, email: string, send: () => Promise<void>): Promise<void> => {
  const mailbox = mailboxOf(email)
  if (mailbox === email) return send()
  await mailWithin(services, { kind: 'shared_reset_links', key: mailbox, limit: SHARED_LINKS, windowS: HOUR_S }, send)
}

/** Notifies the owner of a new application password, a few times per hour. The limit is per account, not per mailbox. */
export const mailNewPassword = (services: Services, email: string, send: () => Promise<void>): Promise<void> =>
  mailWithin(services, { kind: 'password_mails', key: email, limit: PASSWORD_MAILS, windowS: HOUR_S }, send)
