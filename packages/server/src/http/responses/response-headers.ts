import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimitState, RateLimits } from '../overload/rate-limits.ts'

/** Alternating names and values of headers. */
export type HeaderList = (string | number)[]

/** The headers of every response. */
export const commonHeaders = (request: FastifyRequest, { limit, remaining, resetAt }: RateLimitState): HeaderList => [
  'x-request-id',
  request.id,
  'x-content-type-options',
  'nosniff',
  'x-ratelimit-limit',
  limit,
  'x-ratelimit-remaining',
  remaining,
  'x-ratelimit-reset',
  resetAt,
]

/** Sets them on a response that is not sent by `sendResponse`. */
export const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply, limits: RateLimits) => {
  const list = commonHeaders(request, reply.standing ?? limits.unlimited())
  for (let i = 0; i < list.length; i += 2) reply.raw.setHeader(String(list[i]), String(list[i + 1]))
}
