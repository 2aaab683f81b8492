import MarkdownIt, { type StateInline } from 'markdown-it'

/**
 * The server's Markdown dialect: the same parser with the same settings, so that the editor parses a text as the server renders it. The
 * property tests next to this file compare both.
 */
export const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 24 })

const MAX_URL_LENGTH = 2048
const FORBIDDEN_IN_URL = /[\s\p{Cc}\p{Cf}\p{Cs}\\<>"]/u
const MAIL = /^mailto:[^@?]{1,256}@[^@?]{1,256}(?:\?[^?]*)?$/i
const PATH = /^\/(?!\/)/

const isPlain = (url: string): boolean => url.length <= MAX_URL_LENGTH && !FORBIDDEN_IN_URL.test(url)

const isHttp = (url: string): boolean => {
  if (!/^https?:\/\/[^/?#]/i.test(url) || !isPlain(url) || !URL.canParse(url)) return false
  const { hostname, username, password } = new URL(url)
  return hostname !== '' && username === '' && password === ''
}

markdown.validateLink = (url) => isHttp(url) || (isPlain(url) && (MAIL.test(url) || PATH.test(url)))

const normalizeLink = markdown.normalizeLink.bind(markdown)
markdown.normalizeLink = (url) => (/[\s\p{Cc}\p{Cf}\p{Cs}\\]/u.test(url) ? '' : normalizeLink(url))

markdown.linkify.add('ftp:', null)
markdown.linkify.add('//', null)
markdown.linkify.add('www.', {
  validate(text, pos, self) {
    const host = self.re.get_relative_proto_validator()
    host.lastIndex = pos
    return host.exec(text)?.[0].length ?? 0
  },
  normalize(match) {
    match.url = `http://${match.url}`
  },
})

/** A mention: an @ and a username that is not part of a URL or email address. */
export const MENTION = /(?<![A-Za-z0-9/@])@[A-Za-z0-9_-]{3,30}(?![A-Za-z0-9_@-]|\p{Script=Latin}|\p{M})/gu
const MENTION_HERE = new RegExp(MENTION.source, 'uy')

markdown.inline.ruler.before('emphasis', 'mention', (state: StateInline, silent: boolean): boolean => {
  if (state.src.charCodeAt(state.pos) !== 0x40 || state.linkLevel > 0) return false
  MENTION_HERE.lastIndex = state.pos
  const name = MENTION_HERE.exec(state.src)?.[0]
  if (!name) return false
  if (!silent) state.push('mention', '', 0).content = name
  state.pos += name.length
  return true
})

/** Whether the server renders this URL as a link. */
export const isLink = (href: string): boolean => markdown.validateLink(markdown.normalizeLink(href))

/** Whether the server renders an image of this URL. */
export const isPicture = (src: string): boolean => isHttp(markdown.normalizeLink(src))

/** Whether a text is the URL of its own link, so that it is autolinked anyway. */
export const isAutolink = (text: string, href: string): boolean =>
  [text, `http://${text}`, `mailto:${text}`].some((url) => markdown.normalizeLink(url) === href)

export interface FoundUrl {
  readonly from: number
  readonly to: number
  readonly url: string
  /** With an explicit scheme, so that it is recognized in any position. */
  readonly hasScheme: boolean
  /** The link text the server renders. */
  readonly shown: string
}

const shownOf = (text: string, schema: string): string => {
  if (!schema) return markdown.normalizeLinkText(`http://${text}`).replace(/^http:\/\//, '')
  if (schema === 'mailto:' && !/^mailto:/i.test(text)) return markdown.normalizeLinkText(`mailto:${text}`).replace(/^mailto:/, '')
  return markdown.normalizeLinkText(text)
}

/** URLs in a text that the server's linkifier recognizes, including those it then rejects. */
export const urlsIn = (text: string): readonly FoundUrl[] =>
  (markdown.linkify.test(text) ? (markdown.linkify.match(text) ?? []) : []).map(({ index, lastIndex, url, text: raw, schema }) => ({
    from: index,
    to: lastIndex,
    url,
    hasScheme: /^https?:\/\//i.test(raw),
    shown: shownOf(raw, schema),
  }))
