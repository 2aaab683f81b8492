import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Method, Route } from '@lyceum/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, invalidField } from '../../core/errors.ts'
import { decodePath } from '../../util/decode-path.ts'

export interface InnerRequest {
  readonly method: Method
  /** Below the API root, with its query. */
  readonly path: string
  readonly body?: object
}

export interface InnerResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: unknown
}

export type InnerCall = (requests: readonly InnerRequest[]) => Promise<InnerResponse[]>

/** Headers that tell who sends a request, from where, and how it is to be handled. */
const KEPT = [
  'accept',
  'authorization',
  'cookie',
  'forwarded',
  'host',
  'prefer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-lyceum-nonce',
  'x-real-ip',
]
/** The server holds all responses of a batch in memory. Once they exceed this, no further request is run. */
const MAX_RESPONSE_BYTES = 4 << 20

/** Headers of the connection, and cookies, which scripts must not read. */
const DROPPED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'set-cookie', 'transfer-encoding'])

const headersFor = ({ id, headers }: FastifyRequest, index: number): IncomingHttpHeaders => {
  const key = headers['idempotency-key']
  return {
    ...Object.fromEntries(KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
    'x-request-id': `${id.slice(0, 60)}-${index + 1}`,
    // Each write of a batch is repeatable on its own.
    ...(typeof key === 'string' && { 'idempotency-key': hash('sha256', `${index} ${key}`) }),
  }
}

const parsed = (text: string, type = ''): unknown => (text === '' ? null : /\bjson\b/.test(type) ? JSON.parse(text) : text)

/**
 * Sends requests as their own requests through all of the server but the network: each is authenticated, limited, authorized and recorded
 * as if it had been sent alone.
 */
export const createInnerCalls = (app: FastifyInstance, mounted: readonly { readonly route: Route }[], root: string) => {
  const excluded = mounted
    .filter(({ route }) => route.calls || route.consumes === 'multipart' || route.produces === 'events')
    .map(({ route: { method, path } }) => ({ method, pattern: new RegExp(`^${path.replace(/\{[^{}]+\}/g, '[^/]+')}/?$`, 'i') }))

  const check = ({ method, path }: InnerRequest, index: number) => {
    const { pathname } = new URL(`http://host${path}`)
    if (pathname !== path.split(/[?#]/, 1)[0]) throw invalidField(`requests.${index}.path`, 'must not contain . or .. segments')
    const plain = decodePath(pathname)
    if (excluded.some((route) => route.method === method && route.pattern.test(plain)))
      throw invalidField(`requests.${index}.path`, 'must not be a batch, an upload or a stream')
  }

  return (request: FastifyRequest): InnerCall =>
    async (requests) => {
      requests.forEach(check)
      const responses: InnerResponse[] = []
      let size = 0
      for (const [index, { method, path, body }] of requests.entries()) {
        if (size > MAX_RESPONSE_BYTES) {
          const refused = new ApiError('batch_too_large')
          responses.push({ status: refused.status, headers: {}, body: refused.body() })
          continue
        }
        const answer = await app.inject({
          method,
          url: root + path,
          headers: headersFor(request, index) as Record<string, string>,
          remoteAddress: request.socket.remoteAddress ?? '',
          ...(body !== undefined && method !== 'GET' && { payload: body }),
        })
        const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined || DROPPED.has(name) ? [] : [[name, String(value)]],
        )
        const { statusCode: status, payload, rawPayload } = answer
        size += rawPayload.length
        responses.push({ status, headers: Object.fromEntries(headers), body: parsed(payload, String(answer.headers['content-type'])) })
      }
      return responses
    }
}
