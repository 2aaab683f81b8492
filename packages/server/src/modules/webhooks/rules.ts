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

const HOUR = 3600
/** Seconds before each retry. The first is soon; three retries outlast an outage of two hours, ten one of three days. */
const DELAYS = [5, 10 * 60, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 12 * HOUR, 14 * HOUR, 16 * HOUR] as const
const JITTER = 0.2
export const LONGEST_DELAY_S = 20 * HOUR

/** 2³² divided by the golden ratio: its multiples are evenly spread. */
const GOLDEN = 0x9e3779b1
const spread = ({ event_id, webhook_id }: DeliveryRef, tries: number): number =>
  (Math.imul((event_id * 31 + webhook_id) * 31 + tries, GOLDEN) >>> 0) / 2 ** 32

interface DeliveryRef {
  readonly event_id: number
  readonly webhook_id: number
}

/**
 * Seconds to wait after failed attempt number `tries` (from 1), with jitter against bursts. The jitter is a hash of the delivery, so it is
 * deterministic.
 */
export const delayAfter = (tries: number, delivery: DeliveryRef): number => {
  const delay = DELAYS[Math.min(tries, DELAYS.length) - 1] ?? DELAYS[0]
  return delay + Math.floor(spread(delivery, tries) * (Math.ceil(delay * JITTER) + 1))
}

/** A failed attempt slower than `SLOW_MS` occupies a sender; after `SLOW_FAILURES` in a row the webhook is paused. */
export const SLOW_MS = 2000
export const SLOW_FAILURES = 4
const SHORTEST_PAUSE_S = 15
export const LONGEST_PAUSE_S = 15 * 60

/** Seconds to pause after this many slow failures in a row; 0: no pause. */
export const pauseAfter = (failures: number): number =>
  failures < SLOW_FAILURES ? 0 : Math.min(LONGEST_PAUSE_S, SHORTEST_PAUSE_S * 2 ** Math.min(20, failures - SLOW_FAILURES))

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
/** Headers of the connection, and those we set ourselves. */
const OWN_HEADERS =
  /^(host|connection|content-(length|type|encoding)|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*|webhook-.*|x-lyceum-.*)$/i
const CREDENTIALS = /auth|cookie|secret|token|password|key/i
const MASK = '••••••••'

/** Why custom headers are refused; null if they are valid. */
export const headersProblem = (headers: Readonly<Record<string, string>>): string | null => {
  const names = Object.keys(headers)
  const bad = names.find((name) => !HEADER_NAME.test(name) || OWN_HEADERS.test(name))
  if (bad !== undefined) return `must not hold ${JSON.stringify(bad.slice(0, 100))}`
  const odd = names.find((name) => !HEADER_VALUE.test(headers[name] ?? '') && headers[name] !== MASK)
  if (odd !== undefined) return `must hold printable characters only: ${odd}`
  return new Set(names.map((name) => name.toLowerCase())).size < names.length ? 'must hold each name once' : null
}

export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, CREDENTIALS.test(name) ? MASK : value]))

/** The headers that may be sent to another host than they were entered for. */
export const withoutCredentials = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.test(name)))

/** Replaces masked values by the stored ones. */
export const unmaskHeaders = (given: Readonly<Record<string, string>>, kept: Readonly<Record<string, string>>): Record<string, string> => {
  const known = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const real = value === MASK ? known.get(name.toLowerCase()) : value
      return real === undefined ? [] : [[name, real]]
    }),
  )
}
