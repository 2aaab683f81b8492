import { type Db, dialectOf } from '../database.ts'

/**
 * SQL of a page. Of a limit that it does not know PostgreSQL expects a tenth of all rows, so that it never trusts its general plan and plans
 * the statement anew at each run, which costs several times the run: there the number stands in the text.
 */
export const limitTo = (db: Db, limit: number, offset: number, p: (value: number) => string): string => {
  const rows = dialectOf(db) === 'postgres' ? String(Math.trunc(limit)) : p(limit)
  return offset === 0 ? `limit ${rows}` : `limit ${rows} offset ${p(offset)}`
}
