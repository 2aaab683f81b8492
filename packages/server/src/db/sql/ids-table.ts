import { type Db, dialectOf } from '../database.ts'

/** SQL of a table with the column `value` and that alias: many ids as one parameter. `p` returns placeholders. */
export const idRows = (db: Db, ids: readonly number[], p: (value: string) => string, alias: string): string =>
  dialectOf(db) === 'sqlite'
    ? `json_each(${p(`[${ids.join(',')}]`)}) ${alias}`
    : `unnest(${p(`{${ids.join(',')}}`)}::bigint[]) ${alias}(value)`
