import type { Fields } from '../fields.ts'
import type { Staging } from '../staging/staging.ts'
import type { Category } from './categories.ts'

/** A forum whose rows are staged: what all readers of its records share. */
export interface Forum {
  readonly staging: Staging
  readonly origins: readonly string[]
  /** Path of the forum below its origin, such as `/forum`; empty for the root. */
  readonly base: string
  readonly format: 'markdown' | 'html'
  readonly config: Fields
  readonly categories: ReadonlyMap<number, Category>
  /** The categories that become spaces, in their order. */
  readonly spaces: readonly Category[]
  /** When the oldest post was written: the time of what has none. */
  readonly earliest: string
  readonly now: number
}

/** `5/workshop` → `workshop` */
export const slugAfterId = (slug: string): string => slug.replace(/^[^/]*\//, '')

export const spaceOfCategory = (cid: number): string => `category:${cid}`
export const spaceOfGroup = (name: string): string => `group:${name}`
