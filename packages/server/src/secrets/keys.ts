import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey } from './server-secret.ts'

/** One key per purpose, all derived from the secret of the server. */
export interface Keys {
  /** A key object, because a buffer would be converted for each request without a cached identity. */
  readonly applicationPasswords: KeyObject
  readonly nonces: Buffer
  readonly sealing: Buffer
  readonly cursors: Buffer
  readonly unsubscribing: Buffer
  /** Seed of the key pair that identifies this server to push services. */
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

/** A name shared by the processes of this community only; it does not reveal the secret. */
export const scopeOf = ({ nonces }: Keys): string => createHmac('sha256', nonces).update('scope').digest('hex').slice(0, 16)
