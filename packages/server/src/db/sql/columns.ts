import type { Value } from './statement.ts'

/** SQL of an insert of one row: the parameters are the values of the columns, in this order. */
export const insertSql = (table: string, columns: readonly string[]): string =>
  `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`

/** SQL of assignments: `assignments(['title', 'slug'])` is `title = $2, slug = $3`, which leaves `$1` for the id. */
export const assignments = (columns: readonly string[], from = 2): string =>
  columns.map((column, i) => `${column} = $${i + from}`).join(', ')

/** SQL of assignments after `on conflict … do update set`: the columns get the values of the rejected row. */
export const excluded = (columns: readonly string[]): string => columns.map((column) => `${column} = excluded.${column}`).join(', ')

/** The values of these columns, in order. */
export const valuesIn = <Column extends string>(row: Readonly<Record<Column, Value>>, columns: readonly Column[]): Value[] =>
  columns.map((column) => row[column])
