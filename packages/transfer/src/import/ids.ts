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
      const missing = count - (stock?.length ?? 0)
      if (missing <= 0) return stock?.splice(0, count) ?? []
      const fresh = await database.write((db) => reserveIds(db, table, stock ? Math.max(missing, STOCK) : missing))
      const ids = [...(stock ?? []), ...fresh]
      stocks.set(table, ids.splice(count))
      return ids
    },
  }
}

/** Ids for an import that writes nothing: no row has them. */
export const inventIds = (): Ids => {
  let last = 0
  return { take: async (_table, count) => Array.from({ length: count }, () => --last) }
}
