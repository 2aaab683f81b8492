import type { FEED_ORDERS } from '@lyceum/contract'
import { type FeedHit, POPULARITY, type SortColumn } from '../feed-row.ts'

export type OrderName = (typeof FEED_ORDERS)[number]

/** A sort order of feed lists: the SQL sort keys (the id breaks ties, so pages never overlap) and how to read their values from a row. */
export interface Order {
  readonly name: string
  readonly keys: readonly string[]
  readonly descending: boolean
  readonly types: readonly ('string' | 'number')[]
  /** Columns of a row that hold the values of the keys; the id is always selected. */
  readonly columns: readonly SortColumn[]
  readonly valuesOf: (row: FeedHit) => readonly (string | number)[]
  /** An additional condition that belongs to the order. */
  readonly only?: string
}

const newest: Order = {
  name: 'newest',
  keys: ['f.published_at', 'f.id'],
  descending: true,
  types: ['string', 'number'],
  columns: ['published_at'],
  valuesOf: (row) => [row.published_at ?? '', row.id],
}

const ORDERS: Readonly<Record<OrderName, Order>> = {
  latest: newest,
  recent: newest,
  published: newest,
  oldest: { ...newest, name: 'oldest', descending: false },
  unanswered: { ...newest, name: 'unanswered', only: 'f.comments_count = 0' },
  new_activity: {
    name: 'new_activity',
    keys: ['f.active_at', 'f.id'],
    descending: true,
    types: ['string', 'number'],
    columns: ['active_at'],
    valuesOf: (row) => [row.active_at ?? '', row.id],
  },
  likes: {
    name: 'likes',
    keys: ['f.reactions_count', 'f.id'],
    descending: true,
    types: ['number', 'number'],
    columns: ['reactions_count'],
    valuesOf: (row) => [row.reactions_count ?? 0, row.id],
  },
  popular: {
    name: 'popular',
    keys: [POPULARITY, 'f.id'],
    descending: true,
    types: ['number', 'number'],
    columns: ['popularity'],
    valuesOf: (row) => [row.popularity ?? 0, row.id],
  },
  alphabetical: {
    name: 'alphabetical',
    keys: ['f.title', 'f.slug', 'f.id'],
    descending: false,
    types: ['string', 'string', 'number'],
    columns: ['title', 'slug'],
    valuesOf: (row) => [row.title ?? '', row.slug ?? '', row.id],
  },
}

export const orderOf = (name: OrderName | undefined): Order => ORDERS[name ?? 'latest']

export const orderBy = ({ keys, descending }: Order): string => keys.map((key) => (descending ? `${key} desc` : key)).join(', ')

/**
 * SQL condition for the rows after a cursor. Repeats the first key on its own, because SQLite cannot use a row comparison that starts with
 * an expression to seek in the index.
 */
export const afterCursor = ({ keys, descending }: Order, placeholders: readonly string[]): string => {
  const sign = descending ? '<' : '>'
  return `${keys[0]} ${sign}= ${placeholders[0]} and (${keys.join(', ')}) ${sign} (${placeholders.join(', ')})`
}
