import { createHash } from 'node:crypto'
import { api, type Route } from '@lyceum/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fields, Input } from './operations.ts'

export interface CallTools {
  /** Runs an operation with path, query and body, including its checks. */
  readonly run: (
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<{ readonly headers: readonly (readonly [name: string, value: string])[]; readonly text: string }>
  /** Counts a further call against the rate limit, and makes changes of earlier calls visible to it. */
  readonly countAgain: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

const routeOf = (id: string): Route => {
  const [group = '', name = ''] = id.split('.')
  const route = (api as Readonly<Record<string, Readonly<Record<string, Route>>>>)[group]?.[name]
  if (!route) throw new Error(`there is no operation ${id}`)
  return route
}

/** Parameters as text, as the path and the query contain them. Values that are absent or lists are omitted. */
const textsOf = (values: Fields = {}) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null || typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  )

/** Response headers that refer to the operation's parameters and fields, which differ from those of the request. */
const OWN_HEADERS = new Set(['link', 'x-lyceum-unknown-fields', 'preference-applied'])

/** Each write gets its own idempotency key, so that each can be retried separately. */
const headersOf = ({ headers }: FastifyRequest, writes: number) => {
  const key = headers['idempotency-key']
  if (writes < 2 || typeof key !== 'string') return headers
  return { ...headers, 'idempotency-key': createHash('sha256').update(`${writes} ${key}`).digest('hex') }
}

/** Calls operations with the identity and headers of an admitted request. */
export const callsFor = ({ run, countAgain }: CallTools, request: FastifyRequest, reply: FastifyReply) => {
  let calls = 0
  let writes = 0
  return async (id: string, { params, query, body }: Input = {}): Promise<unknown> => {
    const { method, csv } = routeOf(id)
    calls += 1
    if (calls > 1) await countAgain(request, reply)
    if (method !== 'GET') {
      // The session's nonce is checked only for methods that may write.
      if (request.method === 'GET' || request.method === 'HEAD') throw new Error(`${id} writes, and the request reads`)
      writes += 1
    }
    const texts = textsOf(csv === undefined ? query : { ...query, format: 'json' })
    const search = new URLSearchParams(texts).toString()
    const own = Object.create(request, {
      method: { value: method },
      headers: { value: headersOf(request, writes) },
      params: { value: textsOf(params) },
      query: { value: texts },
      url: { value: request.url.split('?', 1)[0] + (search && `?${search}`) },
      body: { value: body },
    }) as FastifyRequest
    const { headers, text } = await run(id, own, reply)
    for (const [name, value] of headers) if (!OWN_HEADERS.has(name)) reply.header(name, value)
    return JSON.parse(text)
  }
}
