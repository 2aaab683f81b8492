import type { FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Preference-Applied',
  'Retry-After',
  'X-Lyceum-Unknown-Fields',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]
const ACCEPTED = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'Range',
  'X-HTTP-Method-Override',
  'X-Request-Id',
]
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': ACCEPTED.join(', '),
  'access-control-max-age': '7200',
}

type Headers = readonly (readonly [name: string, value: string])[]
const NONE: Headers = []

/**
 * Cross-origin access to the API and to files, by pages of the allowed origins (`*`: any). Credentials are never allowed, so browsers send
 * no session cookie. `headersOf`: for every response. `answered`: whether the request is an allowed preflight, which is answered. Null if no
 * origin is allowed.
 */
export const createCors = (origins: readonly string[], paths: readonly string[]) => {
  if (origins.length === 0) return null
  const any = origins.includes('*')
  const covers = (url: string) => paths.some((path) => url.startsWith(`${path}/`))

  const headersOf = ({ url, headers: { origin } }: FastifyRequest): Headers => {
    if (!covers(url)) return NONE
    const vary: Headers = any ? NONE : [['vary', 'origin']]
    if (origin === undefined || !(any || origins.includes(origin))) return vary
    return [['access-control-allow-origin', any ? '*' : origin], ['access-control-expose-headers', EXPOSED.join(', ')], ...vary]
  }

  return {
    headersOf,
    answered: (request: FastifyRequest, reply: FastifyReply): boolean => {
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
      if (!headersOf(request).some(([name]) => name === 'access-control-allow-origin')) return false
      reply.code(204).headers(PREFLIGHT).send()
      return true
    },
  }
}

export type Cors = ReturnType<typeof createCors>
