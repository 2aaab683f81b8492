import { cssProblem } from '@lyceum/content'
import { Parser } from 'htmlparser2'
import { unsafeParts } from '#test/html-oracle.ts'
import { textsOf } from '../xss/shown.ts'
import type { Received } from './received.ts'

type Mail = Extract<Received, { channel: 'mail' }>
type Page = Extract<Received, { channel: 'page' }>

/** Characters that can disrupt a line: line breaks, control characters and text direction overrides. */
const IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

const MAIL_HEADERS = new Set([
  ...['from', 'to', 'reply-to', 'subject', 'date', 'message-id', 'in-reply-to', 'references', 'mime-version', 'content-type'],
  ...['auto-submitted', 'x-auto-response-suppress', 'list-unsubscribe', 'list-unsubscribe-post'],
])
const MAIL_TAGS = new Set('html head meta title style body div table tr td h1 h2 p a br span tbody'.split(' '))
/** Attributes that load or run something. */
const LOADS = /^(?:src|srcset|poster|data|background|action|formaction|ping|manifest|cite|on.*)$/
const CSS_LOADS = /url\s*\(|@import|image-set|\\|expression/i

/** The To, From and Reply-To addresses. */
const peopleIn = (value: Mail['mail']['from'] | Mail['mail']['to']) => [value ?? []].flat()

function* troublesOfHeaders({ mail, source }: Mail): Generator<string> {
  const names = mail.headers.map(({ key }) => key)
  for (const name of names) if (!MAIL_HEADERS.has(name)) yield `header ${name}`
  if (new Set(names).size !== names.length) yield 'a header twice'
  for (const value of [mail.subject ?? '', mail.from?.name ?? '', ...peopleIn(mail.replyTo?.[0]).map(({ name }) => name)])
    if (IN_A_LINE.test(value)) yield `a line that is none: ${JSON.stringify(value)}`
  const [to, ...more] = peopleIn(mail.to)
  if (!to?.address || more.length > 0 || mail.cc?.length || mail.bcc?.length) yield 'another recipient'
  if ((mail.replyTo?.length ?? 0) > 1) yield 'several addresses for answers'
  if (mail.attachments.length > 0) yield 'an attachment'
  const head = source.slice(0, source.search(/\r?\n\r?\n/))
  if (/[^\r]\n|\r[^\n]/.test(head)) yield 'a bare line break in the head'
}

function* troublesOfMailHtml(html: string, origin: string): Generator<string> {
  const troubles: string[] = []
  let inStyle = false
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      inStyle = tag === 'style'
      if (!MAIL_TAGS.has(tag)) troubles.push(`tag ${tag}`)
      for (const [name, value] of Object.entries(attributes)) {
        if (LOADS.test(name)) troubles.push(`attribute ${tag}.${name}`)
        if (name === 'style' && CSS_LOADS.test(value)) troubles.push('a style that loads')
        if (name === 'href' && !(value === origin || value.startsWith(`${origin}/`))) troubles.push(`a link to ${value}`)
        if (tag === 'meta' && name === 'http-equiv') troubles.push('a refresh')
      }
    },
    ontext: (text) => {
      if (inStyle && CSS_LOADS.test(text)) troubles.push('a style sheet that loads')
    },
    onclosetag: () => {
      inStyle = false
    },
    oncomment: () => troubles.push('a comment'),
  })
  parser.write(html)
  parser.end()
  yield* troubles
}

const PUSH_MEMBERS = 'body id tag title type unread_count url'

function* troublesOfPush(message: Readonly<Record<string, unknown>>, origin: string): Generator<string> {
  if (Object.keys(message).sort().join(' ') !== PUSH_MEMBERS) yield `members ${Object.keys(message)}`
  if (!String(message['url']).startsWith(`${origin}/`)) yield `leads to ${message['url']}`
  for (const name of ['title', 'body']) if (IN_A_LINE.test(String(message[name]))) yield `${name} ${JSON.stringify(message[name])}`
}

const ADDRESS = /^(?:https?:\/\/|\/(?!\/))[^\s"<>\\]*$/i

/** How clients interpret the texts in a response, according to the contract. */
function* troublesOfJson(body: unknown, route: Extract<Received, { route: unknown }>['route']): Generator<string> {
  const isTicker = route?.path === '/activities'
  for (const { path, kind, value } of textsOf(body, route)) {
    if (value === '') continue
    if (kind === 'html')
      for (const part of unsafeParts(value)) if (!(isTicker && part === 'link without rel')) yield `${part} in ${path}: ${value}`
    if (kind === 'style' && cssProblem(value) !== null) yield `a sheet that loads: ${value}`
    if (kind === 'address' && !ADDRESS.test(value)) yield `address ${path}: ${value}`
  }
}

const WEBHOOK_HEADERS = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'],
  ...['webhook-id', 'webhook-signature', 'webhook-timestamp', 'x-lyceum-signature'],
])

/** Directives, and the sources a policy may allow besides the server itself. */
const POLICY: readonly (readonly [directive: string, allowed: RegExp])[] = [
  ['default-src', /^'none'$/],
  ['script-src', /^(?:'self'|'none'|'sha256-[\w+/=]+')$/],
  ['style-src', /^(?:'self'|'none'|'sha256-[\w+/=]+'|'unsafe-inline')$/],
  ['img-src', /^(?:'self'|'none'|data:|blob:)$/],
  ['connect-src', /^(?:'self'|'none')$/],
  ['font-src', /^(?:'self'|'none'|data:)$/],
  ['base-uri', /^'none'$/],
  ['frame-ancestors', /^'none'$/],
]

/** What a policy allows to load from elsewhere, or fails to restrict. */
const policyProblems = (policy: string): string[] => {
  const stated = new Map(policy.split(';').map((part) => [part.trim().split(/\s+/)[0] ?? '', part.trim().split(/\s+/).slice(1)]))
  return POLICY.flatMap(([directive, allowed]) => {
    const sources = stated.get(directive) ?? (/-src$/.test(directive) ? stated.get('default-src') : undefined)
    if (!sources) return [`no ${directive}`]
    return sources.filter((source) => !allowed.test(source)).map((source) => `${directive} ${source}`)
  })
}

/** A page of the server itself: user input appears only as text, and the policy is the usual one. */
function* troublesOfPage({ headers, html }: Page): Generator<string> {
  if (IN_A_LINE.test([...headers].map(([name, value]) => name + value).join(''))) yield 'a header that is none'
  if (/eyes\d+x/.test([...headers].join())) yield 'somebody’s words in a header'
  if (!/html/.test(headers.get('content-type') ?? '')) return
  yield* policyProblems(headers.get('content-security-policy') ?? '')
  const troubles: string[] = []
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      for (const [name, value] of Object.entries(attributes)) {
        if (/^on/.test(name)) troubles.push(`attribute ${tag}.${name}`)
        if (/^(?:src|href|action|srcset|data|style)$/.test(name) && /eyes\d+x|javascript:/i.test(value))
          troubles.push(`${tag}.${name} ${value}`)
      }
    },
  })
  parser.write(html)
  parser.end()
  yield* troubles
}

/** The problems in a received item. */
export const problemsOf = (one: Received, origin: string): string[] => {
  switch (one.channel) {
    case 'mail':
      return [...troublesOfHeaders(one), ...troublesOfMailHtml(one.mail.html ?? '', origin)]
    case 'push':
      return [...troublesOfPush(one.message, origin)]
    case 'webhook':
      return [
        ...Object.keys(one.headers).flatMap((name) => (WEBHOOK_HEADERS.has(name) ? [] : [`header ${name}`])),
        ...troublesOfJson(one.body, undefined),
      ]
    case 'stream':
      return [...troublesOfJson(one.event, undefined)]
    case 'page':
      return [...troublesOfPage(one)]
    default:
      return [...troublesOfJson(one.body, one.route)]
  }
}
