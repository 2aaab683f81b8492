import { createHash } from 'node:crypto'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { shift } from '../clock.ts'
import { ApiError, invalidParameter } from '../errors.ts'
import { open, seal } from '../secrets/seal.ts'

/** How long an answer is replayed, in seconds. */
export const KEPT_S = 24 * 3600
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
  readonly text: string
}

export interface IdempotentRequest {
  readonly scope: string
  readonly key: string
  readonly hash: string
}

/** What identifies a repeatable request, or null when the client sent no key. */
export const idempotentRequest = (header: unknown, scope: string, method: string, path: string, body: unknown): IdempotentRequest | null => {
  if (header === undefined) return null
  if (typeof header !== 'string' || !SHAPE.test(header)) throw invalidParameter('Idempotency-Key', 'must be 1 to 255 printable characters')
  const hash = createHash('sha256').update(`${method} ${path}\n${JSON.stringify(body ?? {})}`).digest('hex')
  return { scope, key: header, hash }
}

/**
 * Gives the stored answer of an earlier request with that key, or runs `work` and keeps its answer in the same transaction.
 * An error of `work` leaves nothing behind, so that the request may be sent again. Answers are kept sealed: some hold a secret.
 */
export const once = async (
  db: Db,
  request: IdempotentRequest,
  sealing: Buffer,
  now: string,
  work: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> => {
  const { scope, key, hash } = request
  const context = `${scope}\n${key}`
  if (!(await tryLockName(db, context))) {
    throw new ApiError('conflict', { message: 'A request with this idempotency key is still running.' })
  }
  const earlier = await stored(db, [scope, key, shift(now, -KEPT_S)])
  if (earlier && earlier.request_hash !== hash) throw new ApiError('idempotency_mismatch')
  const text = earlier && open(sealing, earlier.body, context)
  if (earlier && text !== null && text !== undefined) return { status: earlier.status, text, replayed: true }
  const answer = await work()
  await keep(db, [scope, key, hash, answer.status, seal(sealing, answer.text, context), now])
  return { ...answer, replayed: false }
}
