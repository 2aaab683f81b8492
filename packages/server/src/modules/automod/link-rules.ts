import { domainToASCII } from 'node:url'
import { decodeBasic } from '../../content/html-allowlist.ts'

const HREFS = /\s(?:href|src|poster)="([^"]*)"/g
const NOT_IN_HOST = /[^\p{L}\p{N}\-.]+/gu
const INVISIBLE = /\p{Cf}/gu
/** Characters of the longest name of a host; what stands before them in a longer one is not looked at. */
const LONGEST_HOST = 253

/** A host as it is compared: ASCII, lower case, without the dot at its end; empty when it is none. */
export const normalizeHost = (text: string): string => {
  const host = text
    .normalize('NFKC')
    .replace(/[。｡]/g, '.')
    .replace(/^\.+|\.+$/g, '')
    .toLowerCase()
  if (!host.includes('.')) return ''
  return /^[a-z0-9.-]+$/.test(host) ? host : domainToASCII(host)
}

/** What somebody entered as a domain, as it is stored; empty when it is none. Addresses, `*.` and `www.` before it are taken off. */
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

/** Addresses of a text: of what its HTML links to and shows, and those among other strings. */
export const addressesIn = (html: string, others: readonly string[]): string[] => [
  ...Array.from(html.matchAll(HREFS), ([, href = '']) => decodeBasic(href)),
  ...others.filter((text) => /^\s*(https?:)?\/\//i.test(text)),
]

/** Browsers ignore these in an address. */
const IGNORED_IN_ADDRESS = /[\t\n\r]/g

const hostOf = (address: string): string => {
  const text = address.replace(IGNORED_IN_ADDRESS, '').trim().replace(/^\/\//, 'https://')
  return URL.canParse(text) ? normalizeHost(new URL(text).hostname) : ''
}

const decoded = (address: string): string => {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Spellings of a dot that a reader understands: `spam . example`, `spam .example`, `spam[.]example`, `spam (dot) example`. */
const SPELLED_DOT =
  /[ \t]{0,3}[[({][ \t]{0,3}(?:\.|dot|punkt|punto|point)[ \t]{0,3}[\])}][ \t]{0,3}|[ \t]{1,3}(?:\.[ \t]{0,3}|dot[ \t]{1,3})(?=[\p{L}\p{N}])/giu

/** Everything in a text that looks like the name of a host. */
const hostsIn = (text: string): string[] =>
  text
    .replace(INVISIBLE, '')
    .replace(/[。｡．]/g, '.')
    .replace(SPELLED_DOT, '.')
    .split(NOT_IN_HOST)
    .flatMap((part) => (part.includes('.') ? normalizeHost(part.slice(-LONGEST_HOST)) || [] : []))

const blockedBy = (host: string, domains: ReadonlySet<string>): string | null => {
  for (let rest = host.slice(-LONGEST_HOST); rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1))
    if (domains.has(rest)) return rest
  return null
}

/**
 * The blocked domain that a text leads to or names, by itself or by a subdomain; null: none. An address that carries another one in it
 * (as pages that lead on do) counts for both.
 */
export const findBlockedDomain = (text: string, addresses: readonly string[], domains: ReadonlySet<string>): string | null => {
  for (const address of addresses) {
    const found = blockedBy(hostOf(address), domains)
    if (found) return found
    for (const host of hostsIn(decoded(address))) {
      const carried = blockedBy(host, domains)
      if (carried) return carried
    }
  }
  for (const host of hostsIn(text)) {
    const found = blockedBy(host, domains)
    if (found) return found
  }
  return null
}

/** How many different addresses of other sites there are. */
export const countForeign = (addresses: readonly string[], ownHost: string): number => {
  const foreign = (address: string) => {
    const host = /^\s*(https?:)?\/\//i.test(address) ? hostOf(address) : ''
    return host !== '' && host !== ownHost
  }
  return new Set(addresses.filter(foreign)).size
}
