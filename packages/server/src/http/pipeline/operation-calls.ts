import { lazy } from '@lyceum/content/lazy'
import type { Route } from '@lyceum/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SendResponse } from '../responses/send-response.ts'
import { createEndpoint, type EndpointTools } from './endpoint.ts'
import type { MountedRoute } from './route-handlers.ts'

type Parts = Parameters<SendResponse>[2]

const textOf = async ({ body }: Parts): Promise<string> => {
  if (!body.chunks) return String(body.text())
  const next = body.chunks.start()
  const chunks: Buffer[] = []
  for (let chunk = await next(); chunk; chunk = await next()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/**
 * Runs operations of the contract, such as `feeds.byId`, for requests that were admitted elsewhere: with all checks, but the response is
 * returned instead of sent. `checkOf`: what precedes an endpoint.
 */
export const createOperationCalls = (
  mounted: readonly MountedRoute[],
  tools: EndpointTools,
  checkOf: (route: Route) => (request: FastifyRequest) => Promise<void> | undefined,
) => {
  const sendResponse = (async (_request: FastifyRequest, _reply: FastifyReply, parts: Parts) => parts) as unknown as SendResponse
  const operations = new Map(
    mounted.map((entry) => [
      entry.id,
      lazy(() => ({ check: checkOf(entry.route), run: createEndpoint(entry, { ...tools, sendResponse }) })),
    ]),
  )
  return async (id: string, request: FastifyRequest, reply: FastifyReply): Promise<Pick<Parts, 'headers'> & { text: string }> => {
    const operation = operations.get(id)?.()
    if (!operation) throw new Error(`there is no operation ${id}`)
    await operation.check(request)
    const parts = (await tools.services.loop.during(id, () => operation.run(request, reply))) as unknown as Parts
    return { headers: parts.headers, text: await textOf(parts) }
  }
}

export type OperationCalls = ReturnType<typeof createOperationCalls>
