import { type Db, dialectOf } from '../database.ts'
import type { Value } from './statement.ts'

/**
 * SQL of a table: what `select` gives for each of these ids, one after the other, each in its own order. `select` takes the SQL of an id, `p`
 * gives placeholders. On PostgreSQL it is the same text for any number of ids, for a long one would be planned longer than it runs.
 */
export const rowsOfEach = (
  db: Db,
  ids: readonly number[],
  p: (value: Value) => string,
  select: (id: string) => string,
  alias: string,
): string => {
  if (dialectOf(db) === 'postgres') {
    const list = `unnest(${p(`{${ids.join(',')}}`)}::bigint[]) each_${alias}(id)`
    return `${list} cross join lateral (${select(`each_${alias}.id`)}) ${alias}`
  }
  return `(${ids.map((id, i) => `select * from (${select(p(id))}) as p${i}`).join(' union all ')}) ${alias}`
}
