import { memoize } from '@lyceum/content/lazy'
import type { ErrorCode } from '@lyceum/contract'
import { failuresOf } from '@lyceum/contract/openapi'
import type { FastifyRequest } from 'fastify'
import { toApiError } from '../responses/error-handler.ts'
import type { MountedRoute } from './route-handlers.ts'

/** Errors that do not depend on the operation: invalid bodies and hosts. */
const UNREADABLE: readonly ErrorCode[] = ['invalid_json', 'invalid_data', 'body_too_large', 'unsupported_media_type', 'misdirected_request']

const declaredOf = memoize(failuresOf)

/** Replaces an error that its operation does not declare by a 500. Tests enable this so that the API document lists every error. */
export const errorChecker = (mounted: readonly MountedRoute[]) => {
  const routes = new Map(mounted.map(({ id, route }) => [id, route]))
  return (error: unknown, request: FastifyRequest): unknown => {
    const { id } = request.routeOptions.config as { id?: string }
    const route = id === undefined ? undefined : routes.get(id)
    const failures = route && declaredOf(route)
    const { status, code } = toApiError(error, request.id)
    if (!failures || UNREADABLE.includes(code) || failures.get(status)?.includes(code)) return error
    return new Error(`${id} answers ${status} ${code}, which it does not declare`, { cause: error })
  }
}
