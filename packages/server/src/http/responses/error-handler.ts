import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { DatabaseUnavailable, isUniqueViolation } from '../../db/index.ts'
import type { Log } from '../../observability/log.ts'
import { StorageUnavailable } from '../../storage/index.ts'
import { BusyError } from '../../util/semaphore.ts'

const FASTIFY: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('invalid_json', { message: 'The body length does not match the Content-Length header.' }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new ApiError('invalid_json'),
  FST_ERR_NOT_FOUND: () => new ApiError('rest_no_route'),
}

/** Converts any error to one that the client may see; unexpected ones become a 500 with only the id of the request. */
export const toApiError = (error: unknown, requestId: string): ApiError => {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return new ApiError(error.storageFull ? 'storage_full' : 'service_unavailable')
  if (error instanceof StorageUnavailable) return new ApiError(error.full ? 'storage_full' : 'service_unavailable')
  // Two writes raced for a unique name. The statement that lost cannot tell which.
  if (isUniqueViolation(error)) return new ApiError('conflict')
  if (error instanceof BusyError) return new ApiError('service_unavailable', { data: { retry_after: 1 } })
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  const known = code && Object.hasOwn(FASTIFY, code) ? FASTIFY[code] : undefined
  if (known) return known()
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError('invalid_data', { status: statusCode })
  return new ApiError('internal_error', { data: { request_id: requestId } })
}

const problemJson = (error: ApiError, request: FastifyRequest) => ({
  type: 'about:blank',
  title: error.message,
  status: error.status,
  detail: error.message,
  instance: request.url.split('?')[0],
  code: error.code,
  ...error.data,
})

/** Default of Retry-After for temporary errors, in seconds. */
const AGAIN_AFTER_S = 1
/** While the database is unavailable, all requests fail alike. One is logged in this time, with the number of others. */
const QUIET_MS = 1000
const quiet = new WeakMap<Log, { until: number; more: number }>()

const logFailure = (error: unknown, request: FastifyRequest, log: Log) => {
  if (!(error instanceof DatabaseUnavailable))
    return log.error({ event: 'request_failed', request_id: request.id, err: error }, 'request failed')
  const now = performance.now()
  const known = quiet.get(log)
  if (known && now < known.until) {
    known.more += 1
    return
  }
  quiet.set(log, { until: now + QUIET_MS, more: 0 })
  log.error({ event: 'request_failed', request_id: request.id, err: error, ...(known && { others: known.more }) }, 'request failed')
}

/** Errors that code threw on purpose, after it logged their cause; and load shedding, which the metrics count. */
const isExpected = (error: unknown) => error instanceof ApiError || error instanceof BusyError

/** For fetches of a page: a challenge would make the browser open a dialog for Basic credentials. */
const isFromPage = ({ headers }: FastifyRequest) => headers['sec-fetch-dest'] === 'empty' || headers['x-requested-with'] !== undefined

export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log) => {
  const known = toApiError(error, request.id)
  if ((known.status >= 500 && !isExpected(error)) || isUniqueViolation(error)) logFailure(error, request, log)
  if (known.status === 401 && known.code === 'rest_forbidden' && known.challenge && !isFromPage(request))
    reply.header('www-authenticate', 'Basic realm="Lyceum"')
  const retryAfter = known.data.retry_after ?? (known.status === 503 ? AGAIN_AFTER_S : undefined)
  if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter))
  reply.code(known.status)
  if (request.headers.accept?.includes('application/problem+json')) {
    return reply.type('application/problem+json').send(JSON.stringify(problemJson(known, request)))
  }
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(known.body()))
}
