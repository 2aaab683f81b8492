import type { Services } from '../../core/context.ts'
import { open, seal } from '../../secrets/encryption.ts'
import type { Webhook } from './queries.ts'

type EncryptionContext = Pick<Services, 'keys'>
type Part = 'secret' | 'headers'

const context = (id: number, part: Part) => `webhook:${id}:${part}`

export const sealPart = ({ keys }: EncryptionContext, id: number, part: Part, plain: string): string =>
  seal(keys.sealing, plain, context(id, part))

const decrypt = ({ keys }: EncryptionContext, id: number, part: Part, sealed: string): string => {
  const plain = open(keys.sealing, sealed, context(id, part))
  if (plain === null) throw new Error(`the ${part} of webhook ${id} cannot be decrypted: it was encrypted with another server secret`)
  return plain
}

/** The secrets that sign at `now`, the current one first. */
export const secretsOf = (services: EncryptionContext, webhook: Webhook, now: string): string[] => {
  const { id, secret, previous_secret, previous_until } = webhook
  const before = previous_secret !== null && previous_until !== null && previous_until > now ? [previous_secret] : []
  return [secret, ...before].map((sealed) => decrypt(services, id, 'secret', sealed))
}

export const headersOf = (services: EncryptionContext, { id, headers }: Pick<Webhook, 'id' | 'headers'>): Record<string, string> =>
  JSON.parse(decrypt(services, id, 'headers', headers)) as Record<string, string>
