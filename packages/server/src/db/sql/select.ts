import type { Db } from '../database.ts'
import { type Placeholder, parameters, runText } from './statement.ts'

/** Runs a text that `text` assembles; `p` adds a parameter and returns its placeholder. No rows if there is no text. */
export const selectRows = async <Row>(db: Db, text: (p: Placeholder) => string | null): Promise<Row[]> => {
  const { values, p } = parameters()
  const assembled = text(p)
  return assembled === null ? [] : runText<Row>(db, assembled, values)
}

/** The value `n` that such a text selects; 0 if there is none. */
export const selectNumber = async (db: Db, text: (p: Placeholder) => string | null): Promise<number> =>
  (await selectRows<{ n: number }>(db, text))[0]?.n ?? 0

/** The number of rows of `from`: the SQL after `select count(*) from`. */
export const countRows = (db: Db, from: (p: Placeholder) => string): Promise<number> =>
  selectNumber(db, (p) => `select count(*) as n from ${from(p)}`)

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
