import type { Redis } from 'ioredis'
import type { Clock } from '../core/clock.ts'
import { withTimeout } from '../util/with-timeout.ts'
import { createMemoryWindows, type LimitResult, resultOf } from './memory-window.ts'

export type { LimitResult } from './memory-window.ts'

export interface Limiter {
  /**
   * Counts one hit, or `by` hits, and reports whether the key is within its limit: synchronously without Redis, as a promise with it. Never
   * throws or rejects. `key` names the counter, such as `api:user:7`. Refused hits count too, but do not extend the window.
   */
  hit(key: string, limit: number, windowSeconds: number, by?: number): LimitResult | Promise<LimitResult>
  /** Returns one hit. Count an attempt before it is made, so that parallel attempts cannot bypass the limit, and refund it on success. */
  refund(key: string, windowSeconds: number, by?: number): void
}

interface Options {
  /** Connection shared by the instances. Its owner connects it, handles its errors and closes it. */
  redis?: Redis
  clock: Clock
  /** Maximum number of counters of one window length in this process. */
  maxKeys?: number
}

interface Scripts {
  lyceumHit(key: string, windowMs: number, by: number): Promise<[count: number, msLeft: number]>
  lyceumRefund(key: string, by: number): Promise<number>
}

const PREFIX = 'lyceum:limit:'
const ANSWER_WITHIN = 50
const LEAVE_ALONE_FOR = 1000

const HIT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`

const REFUND = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local by = math.min(count, tonumber(ARGV[1]))
if by > 0 then return redis.call('DECRBY', KEYS[1], by) end
return 0`

/** Counters in Redis. A call returns null immediately while Redis is unavailable, or after 50 ms if it has just become unavailable. */
const sharedWindows = (redis: Redis, clock: Clock) => {
  redis.defineCommand('lyceumHit', { numberOfKeys: 1, lua: HIT })
  redis.defineCommand('lyceumRefund', { numberOfKeys: 1, lua: REFUND })
  const scripts = redis as unknown as Scripts
  let failing = false
  let leaveAloneUntil = 0

  const ask = async <T>(work: () => Promise<T>): Promise<T | null> => {
    const now = performance.now()
    if (redis.status !== 'ready' || now < leaveAloneUntil) return null
    // While Redis fails, one request per second tries it; the rest do not wait.
    if (failing) leaveAloneUntil = now + LEAVE_ALONE_FOR
    const answer = await withTimeout(work(), ANSWER_WITHIN, null).catch(() => null)
    failing = answer === null
    leaveAloneUntil = failing ? performance.now() + LEAVE_ALONE_FOR : 0
    return answer
  }

  return {
    async hit(key: string, limit: number, windowSeconds: number, by = 1): Promise<LimitResult | null> {
      const answer = await ask(() => scripts.lyceumHit(`${PREFIX}${windowSeconds}:${key}`, windowSeconds * 1000, by))
      if (!answer) return null
      const now = clock.now().getTime()
      return resultOf(answer[0], limit, now + answer[1], now)
    },
    async refund(key: string, windowSeconds: number, by = 1): Promise<void> {
      await ask(() => scripts.lyceumRefund(`${PREFIX}${windowSeconds}:${key}`, by))
    },
  }
}

/**
 * Fixed windows: at most `limit` hits of a key from its first hit until `windowSeconds` later. With Redis, instances count together. Each
 * process also counts on its own, so the limit still holds for what it has seen when Redis becomes unavailable or loses its data.
 */
export const createLimiter = ({ redis, clock, maxKeys = 100_000 }: Options): Limiter => {
  const local = createMemoryWindows(clock, maxKeys)
  if (!redis) return local
  const shared = sharedWindows(redis, clock)
  return {
    async hit(key, limit, windowSeconds, by) {
      const own = local.hit(key, limit, windowSeconds, by)
      const together = await shared.hit(key, limit, windowSeconds, by)
      return together && (own.allowed || !together.allowed) ? together : own
    },
    refund(key, windowSeconds, by) {
      local.refund(key, windowSeconds, by)
      void shared.refund(key, windowSeconds, by)
    },
  }
}
