import type { Fields } from '../fields.ts'
import type { Staging } from '../staging/staging.ts'
import type { Category } from './categories.ts'

/** A staged forum: state that all readers share. */
export interface Forum {
  readonly staging: Staging
  readonly origins: readonly string[]
  /** Path of the forum below its origin, such as `/forum`; empty for the root. */
  readonly base: string
  readonly format: 'markdown' | 'html'
  readonly config: Fields
  readonly categories: ReadonlyMap<number, Category>
  /** Categories that become spaces, in order. */
  readonly spaces: readonly Category[]
  /** Time of the oldest post, for rows without a valid time. */
  readonly earliest: string
  readonly now: number
}

/** `5/workshop` → `workshop` */
export const slugAfterId = (slug: string): string => slug.replace(/^[^/]*\//, '')

export const spaceOfCategory = (cid: number): string => `category:${cid}`
export const spaceOfGroup = (name: string): string => `group:${name}`
