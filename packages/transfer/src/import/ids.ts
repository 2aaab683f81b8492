import { type Database, reserveIds } from '../../../server/src/db/index.ts'

/** Ids that are reserved at once. Reserving is a transaction of its own. */
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
      // Removed at once: a batch that is tried again takes ids while the next one does.
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

/** Ids for an import that writes nothing: no row has them. */
export const inventIds = (): Ids => {
  let last = 0
  return { take: async (_table, count) => Array.from({ length: count }, () => --last) }
}
