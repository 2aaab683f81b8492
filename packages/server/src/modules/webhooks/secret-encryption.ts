import type { Services } from '../../core/context.ts'
import { decrypt, encrypt } from '../../secrets/encryption.ts'
import type { Webhook } from './queries.ts'

type EncryptionContext = Pick<Services, 'keys'>
type Part = 'secret' | 'headers'

const context = (id: number, part: Part) => `webhook:${id}:${part}`

export const encryptPart = ({ keys }: EncryptionContext, id: number, part: Part, plain: string): string =>
  encrypt(keys.encryption, plain, context(id, part))

const decryptPart = ({ keys }: EncryptionContext, id: number, part: Part, encrypted: string): string => {
  const plain = decrypt(keys.encryption, encrypted, context(id, part))
  if (plain === null) throw new Error(`the ${part} of webhook ${id} cannot be decrypted: it was encrypted with another server secret`)
  return plain
}

/** The secrets that sign at `now`, the current one first. */
export const secretsOf = (services: EncryptionContext, webhook: Webhook, now: string): string[] => {
  const { id, secret, previous_secret, previous_until } = webhook
  const before = previous_secret !== null && previous_until !== null && previous_until > now ? [previous_secret] : []
  return [secret, ...before].map((encrypted) => decryptPart(services, id, 'secret', encrypted))
}

export const headersOf = (services: EncryptionContext, { id, headers }: Pick<Webhook, 'id' | 'headers'>): Record<string, string> =>
  JSON.parse(decryptPart(services, id, 'headers', headers)) as Record<string, string>
