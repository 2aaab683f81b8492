import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../core/errors.ts'
import type { RequestScheduler } from './request-scheduler.ts'

/** Value of Retry-After in seconds. */
const RETRY_AFTER = 1
const BODY = JSON.stringify(new ApiError('service_unavailable', { data: { retry_after: RETRY_AFTER } }).body())

/** Health checks and metrics must work during overload. */
const isExempt = (url = '') => url.startsWith('/health/') || url === '/metrics'

export interface AdmissionOptions {
  readonly turns: RequestScheduler
  /** Headers of every response. */
  readonly headers: () => Readonly<Record<string, string>>
  /** Called for each refused request. */
  readonly refused: (request: IncomingMessage) => void
}

/** Runs a request in its turn, or refuses it with as little work as possible: only its path is examined. */
export const createAdmission = ({ turns, headers, refused }: AdmissionOptions) => {
  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(503, {
      'x-request-id': randomUUID(),
      'x-content-type-options': 'nosniff',
      ...headers(),
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(BODY.length),
    })
    response.end(BODY)
    refused(request)
  }
  return (request: IncomingMessage, response: ServerResponse, run: () => void): void => {
    if (isExempt(request.url)) {
      run()
      return
    }
    // The client disconnected while the request waited.
    const begin = () => {
      if (!request.socket.destroyed) run()
    }
    if (!turns.admit(begin)) refuse(request, response)
  }
}
