import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const CIPHER = 'aes-256-gcm'
const IV = 12
const TAG = 16

const bound = (context: string) => Buffer.from(`${VERSION}:${context}`)

/**
 * Encrypts a text for storage: `v1.` and base64url of initialization vector, tag and ciphertext. `context` names the place of storage, such
 * as `idempotency:7:abc`; decryption requires the same one.
 */
export const encrypt = (key: Buffer, plain: string, context: string): string => {
  const iv = randomBytes(IV)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG }).setAAD(bound(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** The decrypted text; null if it was modified, belongs to another context, or was encrypted with another key. */
export const decrypt = (key: Buffer, encrypted: string, context: string): string | null => {
  if (!encrypted.startsWith(`${VERSION}.`)) return null
  const bytes = Buffer.from(encrypted.slice(VERSION.length + 1), 'base64url')
  if (bytes.length < IV + TAG) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV), { authTagLength: TAG })
  decipher.setAAD(bound(context)).setAuthTag(bytes.subarray(IV, IV + TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
