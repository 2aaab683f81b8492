import { type Db, dialectOf } from '../database.ts'
import type { Value } from './statement.ts'

/**
 * SQL of a table: the rows of `select` for each id, in the order of that query. `select` gets the SQL of an id, `p` returns placeholders. On
 * PostgreSQL the text is the same for any number of ids, since planning a long one would take longer than running it.
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
