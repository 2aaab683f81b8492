import type { Staging } from '../staging/staging.ts'
import type { Category } from './categories.ts'

/** A staged community: state that all readers share. */
export interface Community {
  readonly staging: Staging
  readonly origins: readonly string[]
  /** Path of the site below its origin; empty for the root. */
  readonly base: string
  readonly categories: ReadonlyMap<number, Category>
  /** Creation time of the oldest topic, for rows without a valid time. */
  readonly earliest: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly now: string
}

export const spaceOfCategory = (id: number): string => `category:${id}`
export const spaceOfGroup = (id: number): string => `group:${id}`

/** Whether a PostgreSQL boolean is true. */
export const isTrue = (value: string | null): boolean => value === 't'

export const hasAccount = ({ staging }: Community, id: number): boolean =>
  staging.get('select 1 from account where id = ?', id) !== undefined

interface Permalink {
  readonly url: string
}

/** Permalinks of an object, for example from before the site itself was imported. */
export const permalinksOf = (
  { staging, base }: Community,
  column: 'topic_id' | 'post_id' | 'category_id' | 'tag_id',
  id: number,
): string[] =>
  [...staging.rows<Permalink>(`select url from permalinks where ${column} = ? order by id`, id)].map(
    ({ url }) => `${base}/${url.replace(/^\/+/, '')}`,
  )
