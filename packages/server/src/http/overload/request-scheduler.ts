import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../core/errors.ts'
import { refusalHeaders } from '../node-server.ts'

/**
 * After this time within one turn of the event loop, requests wait for the next turn, so that new connections are accepted and can be
 * refused. Node accepts one connection per turn; long turns would lock new clients out.
 */
const TURN_MS = 10
/** Waiting requests get as much time as was spent on new ones, up to this limit. */
const LONGEST_TURN_MS = 100

interface SchedulerOptions {
  /** Maximum number of waiting requests, here and elsewhere; further ones are refused. */
  readonly most: number
  /** Returns the number of started requests that wait for a database connection or for the next commit. */
  readonly elsewhere: () => number
  /** Milliseconds. */
  readonly now?: () => number
}

/**
 * Schedules requests. While the main thread keeps up, they run immediately. Beyond that, they wait in order, and if too many wait, new ones
 * are refused: refusing costs a twentieth of answering, and the client can retry elsewhere.
 */
export const createRequestScheduler = ({ most, elsewhere, now = () => performance.now() }: SchedulerOptions) => {
  const queue: (() => void)[] = []
  let head = 0
  /** When the first request of this turn arrived; 0 if none has. */
  let began = 0
  /** When waiting requests had their last turn, and the end of the current one. */
  let left = 0
  let until = 0

  const waiting = () => queue.length - head

  const next = (): (() => void) | undefined => {
    const found = queue[head]
    head += 1
    // The queue may never become empty, so processed entries are removed from time to time.
    if (head >= most || head === queue.length) {
      queue.splice(0, head)
      head = 0
    }
    return found
  }

  const pump = () => {
    left = now()
    if (waiting() === 0 || left >= until) return
    next()?.()
    // Starts the next request after the synchronous part of this one, so that its time is counted.
    queueMicrotask(() => process.nextTick(pump))
  }

  const begin = () => {
    began = now()
    const since = began
    setImmediate(() => {
      // Refusing many requests takes time, too. Waiting requests get the same amount, or they would hardly progress.
      const spent = now() - Math.max(since, left)
      began = 0
      if (waiting() === 0) return
      begin()
      until = began + Math.min(LONGEST_TURN_MS, Math.max(TURN_MS, spent))
      pump()
    })
  }

  return {
    /** Runs the task now or in its turn. False if too many wait; the task will not run. */
    admit: (run: () => void): boolean => {
      if (waiting() + elsewhere() >= most) return false
      if (began === 0) begin()
      if (waiting() === 0 && now() - began < TURN_MS) run()
      else queue.push(run)
      return true
    },
    waiting,
  }
}

type RequestScheduler = ReturnType<typeof createRequestScheduler>

/** Value of Retry-After in seconds. */
const RETRY_AFTER = 1
const BODY = JSON.stringify(new ApiError('service_unavailable', { data: { retry_after: RETRY_AFTER } }).body())

/** Health checks and metrics must work during overload. */
const isExempt = (url = '') => url.startsWith('/health/') || url === '/metrics'

interface LoadSheddingOptions {
  readonly turns: RequestScheduler
  /** Headers of every response. */
  readonly headers: () => Readonly<Record<string, string>>
  /** Called for each refused request. */
  readonly refused: (request: IncomingMessage) => void
}

/** Runs a request in its turn, or refuses it with as little work as possible: only its path is examined. */
export const createLoadShedding = ({ turns, headers, refused }: LoadSheddingOptions) => {
  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(503, { ...refusalHeaders(BODY, headers()), 'retry-after': String(RETRY_AFTER) })
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
