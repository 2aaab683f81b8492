import { createHmac, hash } from 'node:crypto'
import type { Keys } from '../../../server/src/secrets/keys.ts'

/** 96 bits: enough to tell versions of a record apart. */
const LENGTH = 16

const short = (text: string): string => hash('sha256', text, 'base64url').slice(0, LENGTH)

/** Hash that identifies a version of a record. */
export const recordHash = (json: string): string => short(json)

/** The origin of a file URL, which changes with the URL of the community. */
const FILE_ORIGIN = /https?:\/\/[^\s"'<>()\\/]+(?:\/[^\s"'<>()\\:]*?)?(?=\/media\/[0-9a-f]{32}\/)/g

/** Hash of the values of a stored row. */
export const fingerprintOf = (values: readonly unknown[]): string => short(JSON.stringify(values).replace(FILE_ORIGIN, ''))

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const SUFFIX = 6

/**
 * Derives random-looking values that are the same each time a record is imported, so that an interrupted import continues with the same slugs and
 * file URLs. They cannot be guessed without the server's secret.
 */
export const createDerived = (keys: Pick<Keys, 'usernames'>, source: string) => {
  const bytes = (purpose: string, kind: string, id: string): Buffer =>
    createHmac('sha256', keys.usernames).update(`import\n${purpose}\n${source}\n${kind}\n${id}`).digest()
  return {
    /** Suffix of a slug. */
    suffix: (kind: string, id: string): string =>
      Array.from(bytes('slug', kind, id).subarray(0, SUFFIX), (byte) => BASE32[byte & 31]).join(''),
    /** Key of a file, code of a certificate, or name in a placeholder address: 128 bits in hexadecimal. */
    code: (purpose: 'file' | 'certificate' | 'address', kind: string, id: string): string =>
      bytes(purpose, kind, id).toString('hex').slice(0, 32),
  }
}

export type Derived = ReturnType<typeof createDerived>
