import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidParameter } from '../errors.ts'

const isWellFormed = (url: string): boolean => {
  if (!url.includes('%')) return true
  try {
    decodeURI(url.split(/[?#]/, 1)[0] as string)
    return true
  } catch {
    return false
  }
}

/**
 * Fastify answers a path that cannot be decoded, such as `/%zz`, past every hook and in a shape of its own. So it is sent on as one that
 * leads nowhere, under the same API root, and meets credentials, limits and headers as every other request does.
 */
export const rewriteMalformed = (roots: readonly string[]) => (request: Pick<IncomingMessage, 'url'>) => {
  const url = request.url ?? '/'
  if (isWellFormed(url)) return url
  return `${roots.find((root) => url.startsWith(`${root}/`)) ?? ''}/-`
}

/** What a request that no route takes is told. */
export const noRoute = (request: FastifyRequest): ApiError =>
  isWellFormed(request.originalUrl) ? new ApiError('rest_no_route') : invalidParameter('path', 'is not well-formed')
