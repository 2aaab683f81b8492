import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidParameter } from '../../core/errors.ts'

/** The address of a proxied request, `http://community.example/feeds`, which every server must take. */
const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/** Path and query of the address; null when it is not one. */
const ownPart = (url: string): string | null => {
  if (url.startsWith('/') && !url.includes('%')) return url
  const part = url.replace(ABSOLUTE, '')
  if (!part.startsWith('/')) return null
  if (!part.includes('%')) return part
  try {
    decodeURI(part.split(/[?#]/, 1)[0] as string)
    return part
  } catch {
    return null
  }
}

/**
 * Fastify answers an address that cannot be read, such as `/%zz`, past every hook and in a shape of its own. So it is sent on as one that
 * leads nowhere, under the same API root, and meets credentials, limits and headers as every other request does.
 */
export const rewriteMalformed = (roots: readonly string[]) => (request: Pick<IncomingMessage, 'url'>) => {
  const url = request.url ?? '/'
  return ownPart(url) ?? `${roots.find((root) => url.startsWith(`${root}/`)) ?? ''}/-`
}

/** What a request that no route takes is told. */
export const noRoute = (request: FastifyRequest): ApiError =>
  ownPart(request.originalUrl) === null ? invalidParameter('path', 'is not well-formed') : new ApiError('rest_no_route')
