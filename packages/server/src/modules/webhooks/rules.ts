import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** Enough to tell two secrets apart. */
export const maskSecret = (secret: string): string => {
  const prefix = secret.startsWith(PREFIX) ? PREFIX : ''
  return `${prefix}…${secret.length - prefix.length >= 16 ? secret.slice(-4) : ''}`
}

/**
 * The keys that a Standard Webhooks secret stands for: base64 behind `whsec_`. What an administrator has made up may be taken as text or,
 * where it can be read so, as base64 too; receivers take one signature of several.
 */
const keysOf = (secret: string): Buffer[] => {
  const bare = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const decoded = BASE64.test(bare) ? [Buffer.from(bare, 'base64')] : []
  return secret.startsWith(PREFIX) && decoded.length > 0 ? decoded : [Buffer.from(secret), ...decoded]
}

const simple = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export interface Signed {
  /** The same in every attempt. */
  readonly messageId: string
  /** Seconds since 1970. */
  readonly seconds: number
  readonly body: string
  /** The present secret first. */
  readonly secrets: readonly string[]
}

/** What proves to the receiver where a delivery comes from. */
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
/** Seconds before each further attempt. The first is soon; three of them outlast an outage of two hours, ten one of three days. */
const DELAYS = [5, 10 * 60, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 12 * HOUR, 14 * HOUR, 16 * HOUR] as const
const JITTER = 0.2
export const LONGEST_DELAY_S = 20 * HOUR

/** The golden ratio of 32 bits: multiples of it lie evenly between 0 and 1, however many there are. */
const GOLDEN = 0x9e3779b1
const spread = ({ event_id, webhook_id }: Addressed, tries: number): number =>
  (Math.imul((event_id * 31 + webhook_id) * 31 + tries, GOLDEN) >>> 0) / 2 ** 32

/** What is told, and to whom. */
export interface Addressed {
  readonly event_id: number
  readonly webhook_id: number
}

/**
 * Seconds before the attempt that follows the failure of number `tries`, counted from 1, spread a little so that not all deliveries come at
 * once. The same for each delivery whenever it is asked: what one does depends on no other.
 */
export const delayAfter = (tries: number, delivery: Addressed): number => {
  const delay = DELAYS[Math.min(tries, DELAYS.length) - 1] ?? DELAYS[0]
  return delay + Math.floor(spread(delivery, tries) * (Math.ceil(delay * JITTER) + 1))
}

/** A failure that took longer keeps a sender from other work; so many in a row pause the webhook. */
export const SLOW_MS = 2000
export const SLOW_FAILURES = 4
const SHORTEST_PAUSE_S = 15
export const LONGEST_PAUSE_S = 15 * 60

/** Seconds to leave a webhook alone after that many slow failures in a row; 0: go on. */
export const pauseAfter = (failures: number): number =>
  failures < SLOW_FAILURES ? 0 : Math.min(LONGEST_PAUSE_S, SHORTEST_PAUSE_S * 2 ** Math.min(20, failures - SLOW_FAILURES))

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
/** What belongs to the connection, or to what we say ourselves. */
const OWN_HEADERS =
  /^(host|connection|content-(length|type|encoding)|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*|webhook-.*|x-lyceum-.*)$/i
const CREDENTIALS = /auth|cookie|secret|token|password|key/i
const MASK = '••••••••'

/** What is wrong with headers that an administrator has entered, in words. */
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

/** What may go to another host than the one that the headers were entered for. */
export const withoutCredentials = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.test(name)))

/** Headers as they were sent back: a masked value stands for the one that is kept, if there is one. */
export const unmaskHeaders = (given: Readonly<Record<string, string>>, kept: Readonly<Record<string, string>>): Record<string, string> => {
  const known = new Map(Object.entries(kept).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const real = value === MASK ? known.get(name.toLowerCase()) : value
      return real === undefined ? [] : [[name, real]]
    }),
  )
}
