import { createHmac, createSecretKey } from 'node:crypto'
import { deriveKey } from './server-secret.ts'

/** One key per purpose, all derived from the secret of the server. */
export const deriveKeys = (secret: Buffer) => ({
  /** A key object, because a buffer would be converted for each request without a cached identity. */
  applicationPasswords: createSecretKey(deriveKey(secret, 'application-passwords')),
  nonces: deriveKey(secret, 'nonces'),
  encryption: deriveKey(secret, 'sealing'),
  cursors: deriveKey(secret, 'cursors'),
  unsubscribing: deriveKey(secret, 'unsubscribing'),
  /** Seed of the key pair that identifies this server to push services. */
  push: deriveKey(secret, 'push'),
  /** Key of `fingerprint`, in hex. */
  fingerprints: deriveKey(secret, 'fingerprints').toString('hex'),
  /** Signs the cookies of known browsers. */
  devices: deriveKey(secret, 'devices'),
  /** Key of the hashes of former usernames. */
  usernames: deriveKey(secret, 'usernames'),
})

export type Keys = Readonly<ReturnType<typeof deriveKeys>>

/** A name shared by the processes of this community only; it does not reveal the secret. */
export const scopeOf = ({ nonces }: Keys): string => createHmac('sha256', nonces).update('scope').digest('hex').slice(0, 16)
