import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../core/errors.ts'
import type { RequestScheduler } from './request-scheduler.ts'

/** When to come back, in seconds. */
const RETRY_AFTER = 1
const BODY = JSON.stringify(new ApiError('service_unavailable', { data: { retry_after: RETRY_AFTER } }).body())

/** Whoever looks after the server must see what it does when it has too much to do. */
const isExempt = (url = '') => url.startsWith('/health/') || url === '/metrics'

export interface AdmissionOptions {
  readonly turns: RequestScheduler
  /** Headers that every answer carries. */
  readonly headers: () => Readonly<Record<string, string>>
  /** Told of each request that is refused. */
  readonly refused: (request: IncomingMessage) => void
}

/** Lets a request run in its turn, or refuses it with as little work as can be: nothing of it is looked at but its address. */
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
    // Who has gone while he waited needs no answer.
    const begin = () => {
      if (!request.socket.destroyed) run()
    }
    if (!turns.admit(begin)) refuse(request, response)
  }
}
