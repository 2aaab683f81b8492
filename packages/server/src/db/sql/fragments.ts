import { type Db, dialectOf } from '../database.ts'
import type { Value } from './statement.ts'

/**
 * SQL of a page. For a limit in a parameter, PostgreSQL estimates a tenth of all rows, rejects the generic plan, and plans the statement at
 * each run, which costs several times more than running it. So there the text contains the number.
 */
export const limitTo = (db: Db, limit: number, offset: number, p: (value: number) => string): string => {
  const rows = dialectOf(db) === 'postgres' ? String(Math.trunc(limit)) : p(limit)
  return offset === 0 ? `limit ${rows}` : `limit ${rows} offset ${p(offset)}`
}

/** A LIKE pattern for texts that contain this one; use it with `escape '\'`. */
export const likeContaining = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** SQL condition: one of the columns contains the text, in any case. */
export const containsText = (text: string, p: (value: string) => string, ...columns: readonly string[]): string =>
  `(${columns.map((column) => `lower(${column}) like lower(${p(likeContaining(text))}) escape '\\'`).join(' or ')})`

/**
 * SQL condition: the query, which selects 1, has a row. It avoids `exists`, which PostgreSQL evaluates inside `or` and `case` with a hashed
 * subplan over all rows instead of an index lookup per row.
 */
export const exists = (query: string): string => `coalesce((${query} limit 1), 0) = 1`

/** SQL of a table with the column `value` and that alias: many ids as one parameter. `p` returns placeholders. */
export const idRows = (db: Db, ids: readonly number[], p: (value: string) => string, alias: string): string =>
  dialectOf(db) === 'sqlite'
    ? `json_each(${p(`[${ids.join(',')}]`)}) ${alias}`
    : `unnest(${p(`{${ids.join(',')}}`)}::bigint[]) ${alias}(value)`

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

/**
 * SQL of a version that changes with every update of a row. On PostgreSQL a query can find a row that was changed after the last poll for changes,
 * so its cache entry may be stale. Null on SQLite, where cache entries are never stale.
 */
export const rowVersion = (db: Db, alias: string): string => (dialectOf(db) === 'postgres' ? `${alias}.xmin::text` : 'null')
