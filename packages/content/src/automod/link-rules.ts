import { domainToASCII } from 'node:url'
import { decodeBasic } from '../html-allowlist.ts'

const HREFS = /\s(?:href|src|poster)="([^"]*)"/g
const NOT_IN_HOST = /[^\p{L}\p{N}\-.]+/gu
const INVISIBLE = /\p{Cf}/gu
/** Maximum length of a host name; only the end of longer ones is checked. */
const MAX_HOST_LENGTH = 253

/** Normalizes a host for comparison: ASCII, lower case, without a trailing dot; empty if invalid. */
const normalizeHost = (text: string): string => {
  const host = text
    .normalize('NFKC')
    .replace(/[。｡]/g, '.')
    .replace(/^\.+|\.+$/g, '')
    .toLowerCase()
  if (!host.includes('.')) return ''
  return /^[a-z0-9.-]+$/.test(host) ? host : domainToASCII(host)
}

/** Normalizes an entered domain; empty if invalid. Strips a URL around it and a leading `*.` or `www.`. */
export const normalizeDomain = (text: string): string => {
  const trimmed = text.trim()
  const host = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? URL.canParse(trimmed)
      ? new URL(trimmed).hostname
      : ''
    : trimmed.replace(/[/?#].*$/s, '')
  const bare = normalizeHost(host.replace(/^\*\./, '')).replace(/^www\.(?=.*\.)/, '')
  return bare.length <= 253 && /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(bare) ? bare : ''
}

/** URLs of a text: link targets and sources in its HTML, and those among other strings. */
export const urlsIn = (html: string, others: readonly string[]): string[] => [
  ...Array.from(html.matchAll(HREFS), ([, href = '']) => decodeBasic(href)),
  ...others.filter((text) => /^\s*(https?:)?\/\//i.test(text)),
]

/** Browsers ignore these characters in URLs. */
const IGNORED_IN_URL = /[\t\n\r]/g

const hostOf = (address: string): string => {
  const text = address.replace(IGNORED_IN_URL, '').trim().replace(/^\/\//, 'https://')
  return URL.canParse(text) ? normalizeHost(new URL(text).hostname) : ''
}

const decodeUrl = (address: string): string => {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Spellings of a dot that readers understand: `spam . example`, `spam .example`, `spam[.]example`, `spam (dot) example`. */
const SPELLED_DOT =
  /[ \t]{0,3}[[({][ \t]{0,3}(?:\.|dot|punkt|punto|point)[ \t]{0,3}[\])}][ \t]{0,3}|[ \t]{1,3}(?:\.[ \t]{0,3}|dot[ \t]{1,3})(?=[\p{L}\p{N}])/giu

/** Everything in a text that looks like a host name. */
const hostsIn = (text: string): string[] =>
  text
    .replace(INVISIBLE, '')
    .replace(/[。｡．]/g, '.')
    .replace(SPELLED_DOT, '.')
    .split(NOT_IN_HOST)
    .flatMap((part) => (part.includes('.') ? normalizeHost(part.slice(-MAX_HOST_LENGTH)) || [] : []))

const blockedBy = (host: string, domains: ReadonlySet<string>): string | null => {
  for (let rest = host.slice(-MAX_HOST_LENGTH); rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1))
    if (domains.has(rest)) return rest
  return null
}

/** The hosts that a text links to or names. A URL that contains another one, as redirect pages do, counts for both. */
function* hostsOf(text: string, addresses: readonly string[]): Generator<string> {
  for (const address of addresses) {
    yield hostOf(address)
    yield* hostsIn(decodeUrl(address))
  }
  yield* hostsIn(text)
}

/** The blocked domain, or parent domain of a host, that a text links to or names; null if none. */
export const findBlockedDomain = (text: string, addresses: readonly string[], domains: ReadonlySet<string>): string | null => {
  for (const host of hostsOf(text, addresses)) {
    const found = blockedBy(host, domains)
    if (found) return found
  }
  return null
}

/** The number of different hosts linked to, other than this site. */
export const countExternal = (addresses: readonly string[], ownHost: string): number => {
  const foreign = (address: string) => {
    const host = /^\s*(https?:)?\/\//i.test(address) ? hostOf(address) : ''
    return host !== '' && host !== ownHost
  }
  return new Set(addresses.filter(foreign)).size
}
