import type { Request } from './load.ts'

/** What must be reached on SQLite; every figure that is given. */
export interface Bar {
  /** At least this share of the plain server's requests a second. */
  readonly ratio?: number
  /** At least so many requests a second. */
  readonly perSecond?: number
  /** 99 of 100 answers within so many milliseconds. */
  readonly p99?: number
  /** At most so many times the p99 of the same asked of something small. */
  readonly p99ToSmall?: number
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly requests: readonly Request[]
  /** The same, asked of something small on the same server: how much slower the large one is. Such scenarios have shorter rounds. */
  readonly small?: readonly Request[]
  /** What must be reached with 10,000 feeds and more, and with a million. */
  readonly bar?: { readonly at10k: Bar; readonly at1m?: Bar }
}
