const MAX_URL_LENGTH = 2048

/** What no address may hold: spaces, control and invisible characters, lone surrogates, and what only markup or Windows paths need. */
const FORBIDDEN = /[\s\p{Cc}\p{Cf}\p{Cs}\\<>"]/u

const HTTP_START = /^https?:\/\/[^/?#]/i
const MAIL = /^mailto:[^@?]{1,256}@[^@?]{1,256}(?:\?[^?]*)?$/i

function isPlain(value: string): boolean {
  return value.length <= MAX_URL_LENGTH && !FORBIDDEN.test(value)
}

/** True for an absolute http or https URL without credentials, at most 2048 characters, without whitespace or backslashes. */
export function isHttpUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !HTTP_START.test(value) || !isPlain(value)) return false
  const url = URL.parse(value)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** True for what a link may lead to: an http(s) URL as above, or a mail address with the mailto scheme. */
export function isLinkUrl(value: string): boolean {
  return isHttpUrl(value) || (MAIL.test(value) && isPlain(value))
}

/** True for a path of this site. `//host` and what browsers read as it, a backslash or a control character, are none. */
export function isSitePath(value: string): boolean {
  return /^\/(?!\/)/.test(value) && isPlain(value)
}

/** Length in bytes as UTF-8, the unit of the limits on texts. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** The site that an http address leads to, as people are shown it: its host without `www.`; other alphabets stay in their ASCII form. */
export const siteOf = (url: string): string => new URL(url).hostname.replace(/^www\./, '')
