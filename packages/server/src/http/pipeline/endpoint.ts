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
    /** Revision of the caches before authentication; access is decided as of this revision. */
    moment: number
    /** Start of the request by `performance.now()`. */
    startedAt: number
    /**
     * Path of the operation, and whether the response is a stream; null outside operations. Fastify would allocate a new object for this.
     */
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
 * Runs an operation from request to response: validates, opens a write (except for GET), runs the handler, and serializes by the allowlist
 * of the contract. Authentication, limits and access were checked before the body was read.
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
