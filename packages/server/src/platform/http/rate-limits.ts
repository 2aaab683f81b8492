import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooMany } from '../auth/tries.ts'
import type { Actor, Services } from '../context.ts'
import { networkOf } from '../limits/network.ts'

const MINUTE = 60
const ANONYMOUS = 100
const MEMBER = 1000
/** What the headers say to those who have no limit. */
const UNLIMITED = 1_000_000_000

interface Standing {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

const setHeaders = (reply: FastifyReply, { limit, remaining, resetAt }: Standing) => {
  reply.raw.setHeader('x-ratelimit-limit', String(limit))
  reply.raw.setHeader('x-ratelimit-remaining', String(remaining))
  reply.raw.setHeader('x-ratelimit-reset', String(resetAt))
}

export const createRateLimits = ({ limiter, config, clock }: Services) => {
  const off = config.rateLimit === 'off'
  const endOfMinute = () => (Math.floor(clock.now().getTime() / 1000 / MINUTE) + 1) * MINUTE
  const unlimited = (): Standing => ({ limit: UNLIMITED, remaining: UNLIMITED, resetAt: endOfMinute() })

  return {
    /** The headers of an answer that is no request's of the app. */
    uncounted: () => ({
      'x-ratelimit-limit': String(UNLIMITED),
      'x-ratelimit-remaining': String(UNLIMITED),
      'x-ratelimit-reset': String(endOfMinute()),
    }),

    /** Headers for answers that count against no limit (health, files). */
    announce: (reply: FastifyReply) => setHeaders(reply, unlimited()),

    /** Counts the request against its account, or against its address when it has none. */
    count: async (request: FastifyRequest, reply: FastifyReply, actor: Actor | null) => {
      if (off || actor?.role === 'admin') return setHeaders(reply, unlimited())
      const hit = actor ? limiter.hit(`user:${actor.id}`, MEMBER, MINUTE) : limiter.hit(`ip:${networkOf(request.ip)}`, ANONYMOUS, MINUTE)
      const standing = hit instanceof Promise ? await hit : hit
      setHeaders(reply, standing)
      if (!standing.allowed) throw tooMany(standing.retryAfter)
    },
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>
