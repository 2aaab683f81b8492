import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** Shows just enough to tell two secrets apart. */
export const maskSecret = (secret: string): string => {
  const prefix = secret.startsWith(PREFIX) ? PREFIX : ''
  return `${prefix}…${secret.length - prefix.length >= 16 ? secret.slice(-4) : ''}`
}

/**
 * The signing keys of a secret. Standard Webhooks secrets are base64 after `whsec_`. A custom secret may be meant as text or as base64, so
 * it yields both keys if it is valid base64; receivers accept any of several signatures.
 */
const keysOf = (secret: string): Buffer[] => {
  const bare = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const decoded = BASE64.test(bare) ? [Buffer.from(bare, 'base64')] : []
  return secret.startsWith(PREFIX) && decoded.length > 0 ? decoded : [Buffer.from(secret), ...decoded]
}

const simple = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

interface Signed {
  /** Stable across attempts. */
  readonly messageId: string
  /** Unix time. */
  readonly seconds: number
  readonly body: string
  /** The current secret first. */
  readonly secrets: readonly string[]
}

/** Headers that prove the origin of a delivery. */
export const signatureHeaders = ({ messageId, seconds, body, secrets }: Signed): Record<string, string> => {
  const signed = `${messageId}.${seconds}.${body}`
  const signatures = secrets.flatMap(keysOf).map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const [present = '', previous] = secrets
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
    'x-lyceum-signature': simple(present, body),
    ...(previous !== undefined && { 'x-lyceum-signature-previous': simple(previous, body) }),
  }
}
