import type { LockableTable } from '../../db/index.ts'

/** Something that always holds. What breaks it is found by one query, for people and for tests. */
export interface Check {
  readonly name: string
  readonly about: string
  /** SQL that gives `id` of whatever breaks it; `$1` is the present moment where `timed`. */
  readonly find: string
  readonly timed?: true
  /** How a kept figure is made right again: the row to hold meanwhile, and statements with the id as `$1`. */
  readonly repair?: { readonly hold: LockableTable; readonly run: readonly string[] }
}
