import { createHmac } from 'node:crypto'
import { equalInConstantTime } from './timing-safe-equal.ts'

const TICK = 12 * 60 * 60 * 1000

const nonceOf = (key: Buffer, sessionId: string, tick: number): string =>
  createHmac('sha256', key).update(`${tick}:${sessionId}`).digest('base64url').slice(0, 24)

const tickOf = (now: Date) => Math.floor(now.getTime() / TICK)

/** Proof that a request comes from a page of this site, for one session. It is valid for 12 to 24 hours and grants no permission. */
export const issueNonce = (key: Buffer, sessionId: string, now: Date): string => nonceOf(key, sessionId, tickOf(now))

/** Whether the nonce was issued for this session in the current or the previous period. */
export const checkNonce = (key: Buffer, sessionId: string, nonce: string, now: Date): boolean => {
  const tick = tickOf(now)
  const present = equalInConstantTime(nonceOf(key, sessionId, tick), nonce)
  const previous = equalInConstantTime(nonceOf(key, sessionId, tick - 1), nonce)
  return present || previous
}
