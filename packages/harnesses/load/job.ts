import type { Times } from './histogram.ts'

/** A job for a generator. */
export interface Job {
  /** Requests per second, independent of the responses; 0: each connection sends its next request when the response arrives. */
  readonly rate: number
  readonly seconds: number
  /** All connections are open before the start. A request without a free connection waits, and its duration counts from its due time. */
  readonly connections: number
}

/** The result of a job. */
export interface Report {
  readonly sent: number
  /** When the first request was due, in ms of the clock that all processes share. */
  readonly begunAt: number
  /** From the first request to the last response. */
  readonly seconds: number
  /** Successful responses. */
  readonly served: Times
  /** 429 or 503 with Retry-After. */
  readonly refused: Times
  /** Other responses by kind, status and code. */
  readonly failed: Readonly<Record<string, number>>
  /** No response within the timeout. */
  readonly unanswered: number
  /** Responses per interval; `at` is its end, in ms of the clock that all processes share. */
  readonly windows: readonly { readonly at: number; readonly count: number; readonly p99: number }[]
}

export const WINDOW_MS = 500
/** How long after the last request its response is awaited. */
export const TIMEOUT_MS = 20_000
