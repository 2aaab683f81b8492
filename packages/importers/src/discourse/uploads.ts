const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const BASE = BigInt(DIGITS.length)

/** The short name of an upload in texts: its SHA-1 in base 62. Null if the hash is invalid. */
export const shortNameOf = (sha1: string): string | null => {
  if (!/^[0-9a-f]{40}$/i.test(sha1)) return null
  let number = BigInt(`0x${sha1}`)
  let name = ''
  do {
    name = (DIGITS[Number(number % BASE)] as string) + name
    number /= BASE
  } while (number > 0n)
  return name
}

/** Path that serves the uploads that texts reference as `upload://…`. */
export const SHORT_URLS = '/uploads/short-url/'

const LOCAL = '/uploads/'

/** The path of a file below the uploads folder; null for other files. */
export const fileOfUrl = (url: string): string | null => {
  const local = url.indexOf(LOCAL)
  if (local >= 0) return url.slice(local + LOCAL.length) || null
  const stored = /^(?:https?:)?\/\/[^/]+\/(?:.*\/)?(original\/.+)$/.exec(url)
  return stored ? `default/${stored[1]}` : null
}

/** The SHA-1 that a short name encodes; null if the name is invalid. */
export const sha1OfShortName = (name: string): string | null => {
  if (name.length === 0 || name.length > 27) return null
  let number = 0n
  for (const char of name) {
    const digit = DIGITS.indexOf(char)
    if (digit < 0) return null
    number = number * BASE + BigInt(digit)
  }
  const sha1 = number.toString(16)
  return sha1.length > 40 ? null : sha1.padStart(40, '0')
}
