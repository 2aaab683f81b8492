import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey } from './server-secret.ts'

/** One key per purpose, all derived from the server's secret. */
export interface Keys {
  /** A key object: every request without a remembered identity computes with it, and a buffer would be wrapped anew each time. */
  readonly applicationPasswords: KeyObject
  readonly nonces: Buffer
  readonly sealing: Buffer
  readonly cursors: Buffer
  readonly unsubscribing: Buffer
  /** Seed of the key pair that push services know this server by. */
  readonly push: Buffer
  /** Key of `fingerprint`, in hex. */
  readonly fingerprints: string
  /** Signs the cookies of known browsers. */
  readonly devices: Buffer
  /** Key of the hashes of former usernames. */
  readonly usernames: Buffer
}

export const deriveKeys = (secret: Buffer): Keys => ({
  applicationPasswords: createSecretKey(deriveKey(secret, 'application-passwords')),
  nonces: deriveKey(secret, 'nonces'),
  sealing: deriveKey(secret, 'sealing'),
  cursors: deriveKey(secret, 'cursors'),
  unsubscribing: deriveKey(secret, 'unsubscribing'),
  push: deriveKey(secret, 'push'),
  fingerprints: deriveKey(secret, 'fingerprints').toString('hex'),
  devices: deriveKey(secret, 'devices'),
  usernames: deriveKey(secret, 'usernames'),
})

/** Names what the processes of this community share with nobody else; tells nothing of the secret. */
export const scopeOf = ({ nonces }: Keys): string => createHmac('sha256', nonces).update('scope').digest('hex').slice(0, 16)
