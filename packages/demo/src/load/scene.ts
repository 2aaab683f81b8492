import type { BulkLoad } from '../bulk-load/index.ts'
import type { Renaming } from '../insert/free-names.ts'
import type { Plan } from '../plan.ts'

/** Where the rows of a plan begin in the database: each list has ids that follow one another. */
export interface Firsts {
  readonly users: number
  readonly feeds: number
  readonly comments: number
}

/** What every step of a load needs. */
export interface Loading {
  readonly load: BulkLoad
  readonly plan: Plan
  readonly renaming: Renaming
  readonly firsts: Firsts
  /** Ids of the spaces and topics of the plan. */
  readonly spaces: readonly number[]
  readonly topics: readonly number[]
  readonly moment: (seconds: number) => string
  /** Slugs that feeds have already. */
  readonly slugs: Set<string>
}

/** Rows go in some thousand at a time; each step tells how many they were. */
export type Steps = AsyncGenerator<number>
