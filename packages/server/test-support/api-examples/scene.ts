import type { Person, Stage } from './stage.ts'

/** Who takes part: an administrator and three members. */
export interface Cast {
  readonly ines: Person
  readonly ben: Person
  readonly mara: Person
  readonly yuki: Person
}

/** One resource's part of the story: arranges through `api`, shows through `show()`. */
export type Scene = (stage: Stage, cast: Cast) => Promise<void>
