import type { NodemailerError, SendMailOptions } from 'nodemailer'
import { type Clock, systemClock } from '../core/clock.ts'
import { lazy, library } from '../util/lazy.ts'
import { createOutbox, eraseInOutbox } from './file-transport.ts'

export interface MailMessage {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** http(s) address that takes a POST without sign-in (RFC 8058); for mail that can be unsubscribed from. */
  readonly unsubscribeUrl?: string
  /** Replaces parts of the configured sender. */
  readonly sender?: Sender
  /** What stands in Message-ID, without brackets: `notification-7@community.example`; made up when absent. */
  readonly messageId?: string
  /** The id of the conversation that the mail belongs to; readers show those with the same one together. */
  readonly thread?: string
}

export interface Sender {
  readonly name?: string
  readonly address?: string
  /** Where answers go, when not there. */
  readonly replyTo?: { readonly name: string; readonly address: string }
}

export interface Mailer {
  readonly kind: 'smtp' | 'outbox'
  /** Resolves when the mail server has accepted the mail, or the file is on disk. @throws MailError */
  send(message: MailMessage): Promise<void>
  /** Removes mails that lie in the outbox and hold one of these names or addresses. */
  forget(words: readonly string[]): Promise<number>
  /** Takes no more mail, lets what is under way end for a while, then breaks it off. */
  close(): Promise<void>
}

interface Options {
  /** `smtp://user:password@host:port` or `smtps://…`; none: the outbox. */
  smtpUrl?: string
  outboxDir: string
  /** `Name <address>` or an address. */
  from: string
  clock?: Clock
  /** Most time for one mail, connecting included. */
  timeoutMs?: number
  /** How long `close` waits for mail under way. */
  graceMs?: number
}

/** A mail that was not sent. `permanent`: another try cannot help, as with a refused recipient. */
export class MailError extends Error {
  override name = 'MailError'
  readonly permanent: boolean
  constructor(message: string, permanent: boolean, cause?: unknown) {
    super(message, { cause })
    this.permanent = permanent
  }
}

const TIMEOUT = 30_000
const GRACE = 3_000
const LONGEST_SUBJECT = 200

// Narrower than the standard on purpose: nothing that could be read as a second address, a comment or a header.
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[^\s\p{C}"(),:;<>@[\\\]]{1,255}$/u

/** Whether mail may be sent to this; decides form alone. */
export const isMailAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text)

const oneLine = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const parseSender = (from: string): { name: string; address: string } => {
  const [, name = '', address = from.trim()] = /^"?([^"<]*)(?:"\s*)?<([^<>]*)>$/.exec(from.trim()) ?? []
  if (!isMailAddress(address)) throw new Error('The sender of mail (LYCEUM_MAIL_FROM) must be an address or “Name <address>”.')
  return { name: oneLine(name), address }
}

const checkSmtpUrl = (smtpUrl: string) => {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : null
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol))
    throw new Error('LYCEUM_SMTP_URL must look like smtp://user:password@mail.example:587 or smtps://…')
}

const MESSAGE_ID = /^[A-Za-z0-9._-]{1,120}@[A-Za-z0-9.-]{1,120}$/

const requireId = (id: string): string => {
  if (!MESSAGE_ID.test(id)) throw new MailError('The id of the mail is not valid.', true)
  return `<${id}>`
}

const senderOf = ({ name, address }: Sender = {}, configured: { name: string; address: string }) => ({
  name: name ? oneLine(name) : configured.name,
  address: address && isMailAddress(address) ? address : configured.address,
})

const compose = (
  { to, subject, text, html, unsubscribeUrl, sender, messageId, thread }: MailMessage,
  configured: { name: string; address: string },
  date: Date,
) => {
  if (!isMailAddress(to)) throw new MailError('The address of the recipient is not valid.', true)
  if (unsubscribeUrl !== undefined && !/^https?:\/\/[^\s\p{C}<>,"]+$/u.test(unsubscribeUrl))
    throw new MailError('The address to unsubscribe at is not valid.', true)
  return {
    from: senderOf(sender, configured),
    ...(messageId && { messageId: requireId(messageId) }),
    ...(thread && { inReplyTo: requireId(thread), references: requireId(thread) }),
    ...(sender?.replyTo && isMailAddress(sender.replyTo.address) && { replyTo: { ...sender.replyTo, name: oneLine(sender.replyTo.name) } }),
    to: { name: '', address: to },
    subject: [...oneLine(subject)].slice(0, LONGEST_SUBJECT).join(''),
    text,
    html,
    date,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl === undefined ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(unsubscribeUrl === undefined ? {} : { list: { unsubscribe: unsubscribeUrl } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions
}

const nodemailer = library<typeof import('nodemailer')>('nodemailer')

const smtpDelivery = (smtpUrl: string, timeoutMs: number) => {
  checkSmtpUrl(smtpUrl)
  const transport = lazy(() =>
    nodemailer().createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketCloseTimeout: 1000,
      maxResponseSize: 64 * 1024,
    }),
  )
  return async (mail: SendMailOptions, signal: AbortSignal) => {
    await transport().sendMail({ ...mail, signal })
  }
}

/** A part as it is, so that people and scripts can read the link in the file: quoted-printable would break it over lines. */
const unencoded = (type: 'plain' | 'html', content: SendMailOptions['text']) => ({
  raw: `Content-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`,
})

const outboxDelivery = (outboxDir: string) => {
  const build = lazy(() => nodemailer().createTransport({ streamTransport: true, buffer: true, newline: 'windows' }))
  const write = createOutbox(outboxDir)
  return async (mail: SendMailOptions & { date: Date }) => {
    const { message } = await build().sendMail({ ...mail, text: unencoded('plain', mail.text), html: unencoded('html', mail.html) })
    await write(message as Buffer, mail.date)
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Takes the password out of what a server has said: some repeat what they were told, as it was sent. */
const concealer = (smtpUrl = ''): ((text: string) => string) => {
  const { username, password } = URL.canParse(smtpUrl) ? new URL(smtpUrl) : { username: '', password: '' }
  if (password === '') return (text) => text
  const plain = decoded(password)
  const sent = [`\u0000${decoded(username)}\u0000${plain}`, plain].map((text) => Buffer.from(text).toString('base64'))
  const spellings = [...sent, plain, password, Buffer.from(plain).toString('latin1')]
  return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text)
}

const asMailError = (error: unknown, gaveUp: boolean, conceal: (text: string) => string): MailError => {
  if (error instanceof MailError) return error
  if (gaveUp) return new MailError('The mail server took too long.', false, error)
  const { message, permanent, code } = error as NodemailerError
  const told = conceal(message)
  // A refused login is final for the protocol, but the operator may correct it; a refused recipient or mail stays refused.
  return new MailError(told, permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE'), told === message ? error : undefined)
}

/**
 * Sends mail by SMTP, or, without an SMTP address, writes each mail into the outbox directory as an `.eml` file.
 * @throws Error when an address given here cannot be read
 */
export const createMailer = ({ smtpUrl, outboxDir, from, clock = systemClock, timeoutMs = TIMEOUT, graceMs = GRACE }: Options): Mailer => {
  const sender = parseSender(from)
  const conceal = concealer(smtpUrl)
  const deliver = smtpUrl ? smtpDelivery(smtpUrl, timeoutMs) : outboxDelivery(outboxDir)
  const closing = new AbortController()
  const underWay = new Set<Promise<void>>()
  let closed = false

  const attempt = async (message: MailMessage) => {
    const mail = compose(message, sender, clock.now())
    // One deadline for the whole conversation: a server that drips a byte a second would pass every other timeout.
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), closing.signal])
    await deliver(mail, signal).catch((error: unknown) => {
      throw asMailError(error, signal.aborted, conceal)
    })
  }

  return {
    kind: smtpUrl ? 'smtp' : 'outbox',
    forget: (words) => eraseInOutbox(outboxDir, words),

    async send(message) {
      if (closed) throw new MailError('The mailer is closed.', false)
      const sending = attempt(message)
      underWay.add(sending)
      try {
        await sending
      } finally {
        underWay.delete(sending)
      }
    },

    async close() {
      closed = true
      const grace = setTimeout(() => closing.abort(), graceMs)
      await Promise.allSettled(underWay)
      clearTimeout(grace)
    },
  }
}
