import { hash } from 'node:crypto'

/**
 * A keyed hash for looking up secrets in memory or Redis, so that a dump of either contains no credentials. A single OpenSSL call (0.5 µs),
 * because every request computes it. Not a MAC: never compare it with client input.
 */
export const fingerprint = (key: string, secret: string): string => hash('sha256', key + secret, 'base64url')
