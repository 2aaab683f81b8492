import { createHmac, hash } from 'node:crypto'
import type { Keys } from '../../../server/src/secrets/keys.ts'

/** 96 bits: enough to tell versions of a record apart. */
const LENGTH = 16

const short = (text: string): string => hash('sha256', text, 'base64url').slice(0, LENGTH)

/** Identifies the version of a record. */
export const recordHash = (json: string): string => short(json)

/** The origin in the address of a file, which changes with the address of the community. */
const FILE_ORIGIN = /https?:\/\/[^\s"'<>()\\/]+(?:\/[^\s"'<>()\\:]*?)?(?=\/media\/[0-9a-f]{32}\/)/g

/** Identifies the values of a stored row. */
export const fingerprintOf = (values: readonly unknown[]): string => short(JSON.stringify(values).replace(FILE_ORIGIN, ''))

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const SUFFIX = 6

/**
 * Values that look random but are the same each time a record is imported: an import that was interrupted continues with the same slugs and
 * file addresses. Nobody can guess them without the secret of the server.
 */
export const createDerived = (keys: Pick<Keys, 'usernames'>, source: string) => {
  const bytes = (purpose: string, kind: string, id: string): Buffer =>
    createHmac('sha256', keys.usernames).update(`import\n${purpose}\n${source}\n${kind}\n${id}`).digest()
  return {
    /** The end of a slug. */
    suffix: (kind: string, id: string): string =>
      Array.from(bytes('slug', kind, id).subarray(0, SUFFIX), (byte) => BASE32[byte & 31]).join(''),
    /** The key of a file, or the code of a certificate: 128 bits in hexadecimal digits. */
    code: (purpose: 'file' | 'certificate', kind: string, id: string): string => bytes(purpose, kind, id).toString('hex').slice(0, 32),
  }
}

export type Derived = ReturnType<typeof createDerived>
