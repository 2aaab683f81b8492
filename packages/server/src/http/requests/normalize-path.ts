import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidParameter } from '../../core/errors.ts'

/** The absolute form of a request target, `http://community.example/feeds`, which every server must accept. */
const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/** Path and query of the target; null if it is malformed. */
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
 * Fastify responds to malformed URLs such as `/%zz` without running hooks and in its own format. They are rewritten to an unknown path
 * under the same API root, so that authentication, limits and headers apply.
 */
export const rewriteMalformed = (roots: readonly string[]) => (request: Pick<IncomingMessage, 'url'>) => {
  const url = request.url ?? '/'
  return ownPart(url) ?? `${roots.find((root) => url.startsWith(`${root}/`)) ?? ''}/-`
}

/** The error for unknown paths. */
export const noRoute = (request: FastifyRequest): ApiError =>
  ownPart(request.originalUrl) === null ? invalidParameter('path', 'is not well-formed') : new ApiError('rest_no_route')
