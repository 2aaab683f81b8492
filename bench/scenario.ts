import type { Request } from './load.ts'

/** What must be reached on SQLite: a share of the plain server's requests a second, or requests a second. */
export type Bar = { readonly ratio: number } | { readonly perSecond: number }

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly requests: readonly Request[]
  /** The same, asked of something small: how much slower the large one is. Such scenarios have shorter rounds. */
  readonly small?: readonly Request[]
  readonly bar?: Bar
}
