import { createHmac, type KeyObject, randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 24

/** A new application password in the form that is shown once: 24 letters and digits (142 bits) in six groups of four. */
export const generateApplicationPassword = (): string => {
  const plain = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return plain.replace(/.{4}(?=.)/g, '$& ')
}

/** The password as typed or pasted, without spaces. */
export const normalizeApplicationPassword = (input: string): string => input.replace(/\s+/g, '')

/** The stored form: HMAC-SHA-256 in hex. A fast hash is sufficient for 142 random bits, and every request computes it. */
export const hashApplicationPassword = (key: Buffer | KeyObject, input: string): string =>
  createHmac('sha256', key).update(normalizeApplicationPassword(input)).digest('hex')
