import { type Database, reserveRange } from '../../../server/src/db/index.ts'

/** Ids that are reserved at once. Reserving is a transaction of its own. */
const RANGE = 5000

/** Reserves ids for rows whose ids must be known before they are written. */
export interface Ids {
  readonly take: (table: string, count: number) => Promise<number[]>
}

export const reserveIds = (database: Database): Ids => {
  const ranges = new Map<string, { next: number; end: number }>()
  return {
    take: async (table, count) => {
      const ids: number[] = []
      while (ids.length < count) {
        let range = ranges.get(table)
        if (!range || range.next === range.end) {
          const size = Math.max(count - ids.length, ranges.has(table) ? RANGE : count)
          const first = await database.write((db) => reserveRange(db, table, size))
          range = { next: first, end: first + size }
          ranges.set(table, range)
        }
        while (ids.length < count && range.next < range.end) ids.push(range.next++)
      }
      return ids
    },
  }
}

/** Ids for an import that writes nothing: no row has them. */
export const inventIds = (): Ids => {
  let last = 0
  return { take: async (_table, count) => Array.from({ length: count }, () => --last) }
}
