import type { Times } from './histogram.ts'

/** What a generator is to do. */
export interface Job {
  /** Requests a second, whatever becomes of them; 0: every connection sends its next one when the answer has come. */
  readonly rate: number
  readonly seconds: number
  /** All are open before it begins. What finds none free waits, and its time counts from when it was due. */
  readonly connections: number
}

/** What has become of it. */
export interface Report {
  readonly sent: number
  /** When the first request was due, in ms of the clock that all processes share. */
  readonly begunAt: number
  /** From the first request to the last answer. */
  readonly seconds: number
  /** Answered as it deserved. */
  readonly served: Times
  /** Answered with 429 or 503 and a time to come back. */
  readonly refused: Times
  /** Anything else, by kind, status and code. */
  readonly failed: Readonly<Record<string, number>>
  /** No answer within patience. */
  readonly unanswered: number
  /** What was served in each piece of time; `at` is its end, in ms of the clock that all processes share. */
  readonly windows: readonly { readonly at: number; readonly count: number; readonly p99: number }[]
}

export const WINDOW_MS = 500
/** How long after the last request its answer is waited for. */
export const PATIENCE_MS = 20_000
