import type { Db } from '../database.ts'
import { countRows, type Placeholder, selectRows } from './statement.ts'

export interface PageWindow {
  readonly limit: number
  readonly offset: number
}

interface ListSql {
  readonly columns: string | ((p: Placeholder) => string)
  readonly tables: string | ((p: Placeholder) => string)
  /** Joins that only add columns, so that counting does not need them. */
  readonly joins?: string
  readonly where: (p: Placeholder) => string
  readonly order: string
}

/** A page of a list, and the number of rows on all pages. */
export const selectPage = async <Row>(db: Db, list: ListSql, { limit, offset }: PageWindow): Promise<{ rows: Row[]; total: number }> => {
  const { joins = '', where, order } = list
  const sql = (part: ListSql['columns'], p: Placeholder) => (typeof part === 'string' ? part : part(p))
  const [rows, total] = await Promise.all([
    selectRows<Row>(
      db,
      (p) => `select ${sql(list.columns, p)} from ${sql(list.tables, p)} ${joins} where ${where(p)}
        order by ${order} limit ${p(limit)} offset ${p(offset)}`,
    ),
    countRows(db, (p) => `${sql(list.tables, p)} where ${where(p)}`),
  ])
  return { rows, total }
}
