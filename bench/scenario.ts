import type { Request } from './load.ts'

/** Targets on SQLite; all given figures must be reached. */
export interface Bar {
  /** Minimum ratio to the requests per second of the plain server. */
  readonly ratio?: number
  /** Minimum requests per second. */
  readonly perSecond?: number
  /** Maximum p99 in milliseconds. */
  readonly p99?: number
  /** Maximum ratio to the p99 of the small object. */
  readonly p99ToSmall?: number
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly requests: readonly Request[]
  /** The same requests for a small object on the same server, for comparison. Such scenarios have shorter rounds. */
  readonly small?: readonly Request[]
  /** Targets with 10,000 feeds or more, and with a million. */
  readonly bar?: { readonly at10k: Bar; readonly at1m?: Bar }
}
