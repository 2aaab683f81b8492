import type { Person, Recorder } from './recorder.ts'

/** The accounts of the examples: an administrator and three members. */
export interface Accounts {
  readonly ines: Person
  readonly ben: Person
  readonly mara: Person
  readonly yuki: Person
}

/** The examples of one resource: `api` prepares data, `show()` records an example. */
export type Recording = (recorder: Recorder, accounts: Accounts) => Promise<void>
