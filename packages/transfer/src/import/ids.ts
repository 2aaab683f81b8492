import { type Database, reserveIds } from '../../../server/src/db/index.ts'

/** Number of ids to reserve at once. Each reservation is a separate transaction. */
const STOCK = 5000

/** Reserves ids for rows whose ids must be known before they are written. */
export interface Ids {
  readonly take: (table: string, count: number) => Promise<number[]>
}

export const stockIds = (database: Database): Ids => {
  const stocks = new Map<string, number[]>()
  return {
    take: async (table, count) => {
      const stock = stocks.get(table)
      // Removed synchronously, because a retried batch and the next one may take ids concurrently.
      const ids = stock?.splice(0, count) ?? []
      const missing = count - ids.length
      if (missing === 0) return ids
      const fresh = await database.write((db) => reserveIds(db, table, stock ? Math.max(missing, STOCK) : missing))
      ids.push(...fresh.splice(0, missing))
      stocks.set(table, [...(stocks.get(table) ?? []), ...fresh])
      return ids
    },
  }
}

/** Unused ids for a dry run. */
export const inventIds = (): Ids => {
  let last = 0
  return { take: async (_table, count) => Array.from({ length: count }, () => --last) }
}
