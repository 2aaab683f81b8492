import type { Person, Stage } from './stage.ts'

/** The accounts of the examples: an administrator and three members. */
export interface Cast {
  readonly ines: Person
  readonly ben: Person
  readonly mara: Person
  readonly yuki: Person
}

/** The examples of one resource: `api` prepares data, `show()` records an example. */
export type Scene = (stage: Stage, cast: Cast) => Promise<void>
