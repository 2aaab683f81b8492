import { type Db, dialectOf } from '../database.ts'

/**
 * SQL of a page. For a limit in a parameter, PostgreSQL estimates a tenth of all rows, rejects the generic plan, and plans the statement at
 * each run, which costs several times more than running it. So there the text contains the number.
 */
export const limitTo = (db: Db, limit: number, offset: number, p: (value: number) => string): string => {
  const rows = dialectOf(db) === 'postgres' ? String(Math.trunc(limit)) : p(limit)
  return offset === 0 ? `limit ${rows}` : `limit ${rows} offset ${p(offset)}`
}
