const MAX_URL_LENGTH = 2048

/**
 * Characters that no URL may contain: spaces, control and invisible characters, lone surrogates, and those used only in markup or Windows
 * paths.
 */
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

/** True for a valid link target: an http(s) URL as above, or a mailto address. */
export function isLinkUrl(value: string): boolean {
  return isHttpUrl(value) || (MAIL.test(value) && isPlain(value))
}

/** True for a path of this site. `//host` is not one, nor what browsers interpret as it: a backslash or a control character. */
export function isSitePath(value: string): boolean {
  return /^\/(?!\/)/.test(value) && isPlain(value)
}

/** The displayed site of a URL: its host without `www.`, in ASCII form. */
export const siteOf = (url: string): string => new URL(url).hostname.replace(/^www\./, '')
