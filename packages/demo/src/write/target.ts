import type { GeneratedCommunity } from '../generator.ts'
import type { Renaming } from './free-names.ts'
import type { Writer } from './writer.ts'

/** What every step of writing generated data needs. Its rows name one another by index; here are their ids. */
export interface Target {
  readonly generated: GeneratedCommunity
  readonly writer: Writer
  readonly renaming: Renaming
  /** Ids of the first user, feed and comment; the others follow. */
  readonly firsts: { readonly users: number; readonly feeds: number; readonly comments: number }
  readonly groups: number[]
  readonly spaces: number[]
  readonly topics: number[]
}

/** One step per portion of rows. */
export type Steps = AsyncGenerator<unknown>

export const itemAt = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`the generated data names row ${index} before it comes`)
  return found
}

/** The id of the space of a post. */
export const spaceOfPost = ({ generated, spaces }: Target, post: number): number | null => {
  const space = generated.scene.posts.space[post] ?? -1
  return space < 0 ? null : itemAt(spaces, space)
}
