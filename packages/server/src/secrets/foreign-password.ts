import { createHash, createHmac, hash, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcryptjs'

/** A hash that another platform made, in parts. */
type ForeignHash =
  | { readonly of: 'phpass'; readonly log2: number; readonly salt: string; readonly digest: string }
  | { readonly of: 'bcrypt'; readonly wrap: 'none' | 'wordpress' | 'sha512'; readonly stored: string }
  | { readonly of: 'pbkdf2'; readonly iterations: number; readonly salt: string; readonly digest: string }
  | { readonly of: 'md5'; readonly digest: string }

const PHPASS = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/
const BCRYPT = /^(\$wp|sha512\+)?(\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53})$/
/** Iterations, salt and key of Discourse; the salt is used as it is written. */
const PBKDF2 = /^pbkdf2-sha256\$([1-9]\d{0,6})\$([0-9A-Za-z]{1,128})\$([0-9a-f]{64})$/i
const MD5 = /^md5:([0-9a-f]{32})$/i

const ITOA64 = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** log2 of the rounds. A check takes about a second at most; a hash with more rounds matches nothing. */
const PHPASS_COST = [7, 19] as const
const BCRYPT_COST = [4, 14] as const
const PBKDF2_ITERATIONS = [1000, 1_200_000] as const
const SHA256_BYTES = 32

const isWithin = (cost: number, [least, most]: readonly [number, number]): boolean => cost >= least && cost <= most

/** Null for anything that is not such a hash, or that costs too much. */
export const parseForeign = (stored: string): ForeignHash | null => {
  const [, log2 = '', salt = '', digest = ''] = PHPASS.exec(stored) ?? []
  if (log2 !== '') return isWithin(ITOA64.indexOf(log2), PHPASS_COST) ? { of: 'phpass', log2: ITOA64.indexOf(log2), salt, digest } : null
  const [, prefix, plain = '', cost = ''] = BCRYPT.exec(stored) ?? []
  if (cost !== '') {
    const wrap = prefix === '$wp' ? 'wordpress' : prefix === 'sha512+' ? 'sha512' : 'none'
    return isWithin(Number(cost), BCRYPT_COST) ? { of: 'bcrypt', wrap, stored: plain } : null
  }
  const [, iterations = '', pbkdf2Salt = '', key = ''] = PBKDF2.exec(stored) ?? []
  if (iterations !== '')
    return isWithin(Number(iterations), PBKDF2_ITERATIONS)
      ? { of: 'pbkdf2', iterations: Number(iterations), salt: pbkdf2Salt, digest: key.toLowerCase() }
      : null
  const md5 = MD5.exec(stored)?.[1]
  return md5 === undefined ? null : { of: 'md5', digest: md5.toLowerCase() }
}

/** The base64 of phpass: groups of three bytes, the lowest bits first. */
const encode64 = (bytes: Buffer): string => {
  let out = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3)
    const bits = a | ((b ?? 0) << 8) | ((c ?? 0) << 16)
    const length = b === undefined ? 2 : c === undefined ? 3 : 4
    for (let i = 0; i < length; i++) out += ITOA64[(bits >> (6 * i)) & 63]
  }
  return out
}

const phpass = (password: string, salt: string, log2: number): string => {
  const bytes = Buffer.from(password)
  let digest = createHash('md5').update(salt).update(bytes).digest()
  const input = Buffer.concat([digest, bytes])
  for (let left = 2 ** log2; left > 0; left--) {
    digest.copy(input)
    digest = hash('md5', input, 'buffer')
  }
  return encode64(digest)
}

const isSame = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const WRAPS = {
  none: (password: string) => password,
  wordpress: (password: string) => createHmac('sha384', 'wp-sha384').update(trimmed(password)).digest('base64'),
  sha512: (password: string) => hash('sha512', password, 'hex'),
} as const

/** Without the characters that PHP trims. */
const trimmed = (password: string): string => password.replace(/^[ \n\r\t\v\0]+|[ \n\r\t\v\0]+$/g, '')

const isMatch = (password: string, foreign: ForeignHash): boolean => {
  if (foreign.of === 'bcrypt') return bcrypt.compareSync(WRAPS[foreign.wrap](password), foreign.stored)
  if (foreign.of === 'md5') return isSame(hash('md5', password, 'hex'), foreign.digest)
  if (foreign.of === 'pbkdf2')
    return isSame(pbkdf2Sync(password, foreign.salt, foreign.iterations, SHA256_BYTES, 'sha256').toString('hex'), foreign.digest)
  return isSame(phpass(password, foreign.salt, foreign.log2), foreign.digest)
}

/** Verifies a password. Takes long: call it on a thread of its own. */
export const matchesForeign = (password: string, stored: string): boolean => {
  const foreign = parseForeign(stored)
  if (foreign === null || password === '') return false
  // WordPress trims passwords when it makes a hash, and again when someone signs in; other platforms do not.
  const candidates = new Set([trimmed(password), password])
  return [...candidates].some((candidate) => candidate !== '' && isMatch(candidate, foreign))
}
