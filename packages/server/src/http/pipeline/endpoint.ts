import type { Access, Route } from '@lyceum/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Writer } from '../../jobs/index.ts'
import type { Credential } from '../../realtime/types.ts'
import { createUploads } from '../requests/multipart.ts'
import type { OpenStream } from '../responses/event-stream.ts'
import type { LargeAnswers } from '../responses/large-responses.ts'
import type { SendResponse } from '../responses/send-response.ts'
import { compileOperation } from './operation.ts'
import { createReadEndpoint } from './read-endpoint.ts'
import type { Mounted } from './route-handlers.ts'
import { createWriteEndpoint } from './write-endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    credential: Credential | null
    /** The caches' moment before it was known who asks: what he may see is decided as of then. */
    moment: number
    /** When it began, by `performance.now()`. */
    startedAt: number
    /** The path of its operation, and whether its answer stays open; null outside of operations. Fastify makes a new object of all it knows. */
    place: { readonly url: string; readonly open: boolean } | null
  }
}

const allowed = (access: Access, actor: Actor | null): boolean => {
  if (access === 'public') return true
  if (!actor) return false
  if (access === 'member') return true
  return access === 'admin' ? actor.role === 'admin' : actor.permissions.has(access)
}

export const checkAccess = ({ access, forbidden = 'rest_forbidden' }: Route, actor: Actor | null) => {
  if (!allowed(access, actor)) throw new ApiError(forbidden)
}

export interface EndpointTools {
  readonly services: Services
  readonly write: Writer
  readonly sendResponse: SendResponse
  readonly openStream: OpenStream
  readonly large: LargeAnswers
  readonly checkAnswers: boolean
}

/**
 * One operation from request to answer: validate, open a write (anything but GET), run the handler, serialise by the contract's
 * allow-list. Credentials, limits and access have been checked before the body was read.
 */
export const createEndpoint = (mounted: Mounted, tools: EndpointTools) => {
  const { route } = mounted
  const operation = compileOperation(mounted, tools.services, tools.checkAnswers)
  const reads = route.method === 'GET' || route.write === false
  const run = reads ? createReadEndpoint(operation, tools) : createWriteEndpoint(operation, tools)
  if (route.consumes !== 'multipart') return (request: FastifyRequest, reply: FastifyReply) => run(request, reply, request.body)
  const withUpload = createUploads(tools.services.config)
  return (request: FastifyRequest, reply: FastifyReply) => withUpload(request, ({ fields, file }) => run(request, reply, fields, file))
}
