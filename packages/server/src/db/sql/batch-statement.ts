import { type Db, dialectOf } from '../database.ts'
import type { LockMode } from './row-locks.ts'
import { statement, type Value } from './statement.ts'

/** Name and type of the columns of rows that a statement is given. */
type Columns = Readonly<Record<string, 'bigint' | 'text'>>

/** Rows as lists of column values; a statement with a single column also takes the values themselves. */
type Rows = readonly Value[] | readonly (readonly Value[])[]

/**
 * A statement on many rows, which are passed as one parameter, `$1`: it is one prepared text for any number of rows. `text` gets the SQL of a
 * table with these columns; further parameters start with `$2`. `lock` is a locking clause, such as `for no key update of f`; SQLite needs none,
 * since it has a single writer.
 */
export const batchStatement = <Row>(columns: Columns, text: (rows: string) => string, lock = '') => {
  const selected = Object.entries(columns).map(([name, type], i) => `cast(e.value ->> ${i} as ${type}) as ${name}`)
  const from = (elements: string, suffix = '') => statement<Row>(text(`(select ${selected.join(', ')} from ${elements} e)`) + suffix)
  const run = { sqlite: from('json_each($1)'), postgres: from('json_array_elements(cast($1 as json))', lock && ` ${lock}`) }
  return async (db: Db, rows: Rows, values: readonly Value[] = []): Promise<Row[]> =>
    rows.length === 0
      ? []
      : run[dialectOf(db)](db, [JSON.stringify(Array.isArray(rows[0]) ? rows : rows.map((value) => [value])), ...values])
}

/** Like `batchStatement`, for a query that only locks rows of `alias`. SQLite needs no locks. */
export const batchLock = (columns: Columns, alias: string, mode: LockMode, text: (rows: string) => string) => {
  const run = batchStatement(columns, text, `for ${mode} of ${alias}`)
  return async (db: Db, rows: Rows): Promise<void> => {
    if (dialectOf(db) === 'postgres') await run(db, rows)
  }
}
