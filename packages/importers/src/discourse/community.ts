import type { Staging } from '../staging/staging.ts'
import type { Category } from './categories.ts'

/** A community whose rows are staged: what all readers of its records share. */
export interface Community {
  readonly staging: Staging
  readonly origins: readonly string[]
  /** Path of the site below its origin; empty for the root. */
  readonly base: string
  readonly categories: ReadonlyMap<number, Category>
  /** When the oldest topic was created: the time of what has none. */
  readonly earliest: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly now: string
}

export const spaceOfCategory = (id: number): string => `category:${id}`
export const spaceOfGroup = (id: number): string => `group:${id}`

/** A flag as PostgreSQL writes it. */
export const isTrue = (value: string | null): boolean => value === 't'

export const hasAccount = ({ staging }: Community, id: number): boolean =>
  staging.get('select 1 from account where id = ?', id) !== undefined

interface Permalink {
  readonly url: string
}

/** Further addresses of an object, from before it was moved or the site was imported itself. */
export const permalinksOf = (
  { staging, base }: Community,
  column: 'topic_id' | 'post_id' | 'category_id' | 'tag_id',
  id: number,
): string[] =>
  [...staging.rows<Permalink>(`select url from permalinks where ${column} = ? order by id`, id)].map(
    ({ url }) => `${base}/${url.replace(/^\/+/, '')}`,
  )
