import { deriveKey } from './secret.ts'

/** One key per purpose, all derived from the server's secret. */
export interface Keys {
  readonly applicationPasswords: Buffer
  readonly nonces: Buffer
  readonly sealing: Buffer
  readonly cursors: Buffer
}

export const deriveKeys = (secret: Buffer): Keys => ({
  applicationPasswords: deriveKey(secret, 'application-passwords'),
  nonces: deriveKey(secret, 'nonces'),
  sealing: deriveKey(secret, 'sealing'),
  cursors: deriveKey(secret, 'cursors'),
})
