import { createHmac } from 'node:crypto'
import { shift } from '../../core/clock.ts'
import { ApiError, invalidParameter } from '../../core/errors.ts'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { decrypt, encrypt } from '../../secrets/encryption.ts'

/** Retention of a response for replay, in seconds. */
export const RETENTION_S = 24 * 3600
const SHAPE = /^[\x21-\x7e]{1,255}$/

const stored = statementOne<{ request_hash: string; status: number; body: string }>(
  'select request_hash, status, body from idempotency_keys where scope = $1 and key = $2 and created_at > $3',
)
const keep = statementOne(
  `insert into idempotency_keys (scope, key, request_hash, status, body, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (scope, key) do update set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
   created_at = excluded.created_at`,
)

export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON; bytes if parts of it were cached as bytes. */
  readonly text: string | Buffer
}

interface Described {
  /** The caller. Callers never share keys. */
  readonly scope: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** The response contains a secret. Only the fact that the request completed is stored. */
  readonly secret: boolean
}

export interface IdempotentRequest extends Pick<Described, 'scope' | 'secret'> {
  readonly key: string
  readonly hash: string
  readonly encryptionKey: Buffer
}

/** What identifies a repeatable request; null if the client sent no key. */
export const idempotentRequest = (
  header: unknown,
  { scope, method, path, body, secret }: Described,
  encryptionKey: Buffer,
): IdempotentRequest | null => {
  if (header === undefined) return null
  if (typeof header !== 'string' || !SHAPE.test(header)) throw invalidParameter('Idempotency-Key', 'must be 1 to 255 printable characters')
  // Keyed, because a body may contain a password: a plain hash could be guessed from a copy of the table.
  const hash = createHmac('sha256', encryptionKey)
    .update(`${method} ${path}\n${JSON.stringify(body ?? {})}`)
    .digest('hex')
  return { scope, key: header, hash, encryptionKey, secret }
}

const contextOf = ({ scope, key }: IdempotentRequest) => `${scope}\n${key}`

/**
 * The stored response of an earlier request with this key, if any.
 * @throws idempotency_mismatch if that request was a different one, conflict if its response contained a secret
 */
export const replay = async (db: Db, request: IdempotentRequest, now: string): Promise<Answer | null> => {
  const earlier = await stored(db, [request.scope, request.key, shift(now, -RETENTION_S)])
  if (!earlier) return null
  if (earlier.request_hash !== request.hash) throw new ApiError('idempotency_mismatch')
  if (request.secret) {
    throw new ApiError('conflict', {
      message: 'This request was already processed. Its response contained a secret, which is returned only once.',
    })
  }
  const decrypted = decrypt(request.encryptionKey, earlier.body, contextOf(request))
  return decrypted === null ? null : { status: earlier.status, ...(JSON.parse(decrypted) as Pick<Answer, 'headers' | 'text'>) }
}

/**
 * Returns the stored response of an earlier request with this key, or runs `work` and stores its response in the same transaction. If
 * `work` fails, nothing is stored, so the request can be repeated. Responses are stored encrypted, and secret ones not at all.
 */
export const once = async (
  db: Db,
  request: IdempotentRequest,
  now: string,
  work: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> => {
  const context = contextOf(request)
  if (!(await tryLockName(db, context))) {
    throw new ApiError('conflict', { message: 'A request with this idempotency key is still in progress.' })
  }
  const earlier = await replay(db, request, now)
  if (earlier) return { ...earlier, replayed: true }
  const answer = await work()
  const { status, text } = request.secret ? { ...answer, text: '' } : answer
  // Cookies are credentials.
  const headers = request.secret ? [] : answer.headers.filter(([name]) => name !== 'set-cookie')
  await keep(db, [
    request.scope,
    request.key,
    request.hash,
    status,
    encrypt(request.encryptionKey, JSON.stringify({ headers, text: String(text) }), context),
    now,
  ])
  return { ...answer, replayed: false }
}
