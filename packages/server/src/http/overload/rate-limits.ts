import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Services } from '../../core/context.ts'
import { tooMany } from '../../core/errors.ts'
import type { LimitResult } from '../../limits/fixed-window.ts'
import { networkOf } from '../../limits/ip-prefix.ts'
import type { Unsent } from '../responses/unsent-bytes.ts'

const MINUTE = 60
const ANONYMOUS = 100
const MEMBER = 1000
/** Rate limit headers of clients without a limit. */
const UNLIMITED = 1_000_000_000

/** State of the rate limit of a caller, which every response reports. */
export type RateLimitState = Pick<LimitResult, 'limit' | 'remaining' | 'resetAt'>

declare module 'fastify' {
  interface FastifyReply {
    rateLimit: RateLimitState | null
  }
}

export const createRateLimits = ({ limiter, config, clock }: Services, unsent: Unsent) => {
  const off = config.rateLimit === 'off'
  const endOfMinute = () => (Math.floor(clock.now().getTime() / 1000 / MINUTE) + 1) * MINUTE
  let free: RateLimitState = { limit: UNLIMITED, remaining: UNLIMITED, resetAt: 0 }
  const unlimited = (): RateLimitState => {
    const resetAt = endOfMinute()
    if (free.resetAt !== resetAt) free = { limit: UNLIMITED, remaining: UNLIMITED, resetAt }
    return free
  }

  const applyLimit = (reply: FastifyReply, result: LimitResult) => {
    reply.rateLimit = result
    if (!result.allowed) throw tooMany(result.retryAfter)
  }

  return {
    unlimited,

    /** Headers of a response that does not belong to a request of the app. */
    uncounted: () => ({
      'x-ratelimit-limit': String(UNLIMITED),
      'x-ratelimit-remaining': String(UNLIMITED),
      'x-ratelimit-reset': String(endOfMinute()),
    }),

    /** For responses that do not count against a limit (health checks, files). */
    announce: (reply: FastifyReply) => {
      reply.rateLimit = unlimited()
    },

    /**
     * Counts the request for its account, or for its address if it is anonymous. Returns a promise only if the counters are shared.
     * @throws rate_limit_exceeded, also if too many response bytes are unread; service_unavailable
     */
    count: (request: FastifyRequest, reply: FastifyReply, actor: Actor | null): Promise<void> | undefined => {
      unsent.admit(actor?.id ?? networkOf(request.ip))
      if (off || actor?.role === 'admin') {
        reply.rateLimit = unlimited()
        return undefined
      }
      const hit = actor ? limiter.hit(`user:${actor.id}`, MEMBER, MINUTE) : limiter.hit(`ip:${networkOf(request.ip)}`, ANONYMOUS, MINUTE)
      if (hit instanceof Promise) return hit.then((result) => applyLimit(reply, result))
      applyLimit(reply, hit)
      return undefined
    },
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>
