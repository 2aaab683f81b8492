import type { LockableTable } from '../../db/index.ts'

/** An invariant of the data. One query finds the violations, for the command and for tests. */
export interface Check {
  readonly name: string
  readonly about: string
  /** SQL that returns the `id` of each violation; `$1` is the current time if `timed` is set. */
  readonly find: string
  readonly timed?: true
  /** How to recompute a stored value: the table whose row is locked, and statements with the id as `$1`. */
  readonly repair?: { readonly hold: LockableTable; readonly run: readonly string[] }
}
