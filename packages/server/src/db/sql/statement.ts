import { remember } from '@lyceum/content/lazy'
import { CompiledQuery } from 'kysely'
import { type Db, dialectOf } from '../database.ts'

export type Value = string | number | null

/** Adds a value to the parameters of a statement and returns its placeholder, such as `$3`. */
export type Placeholder = (value: Value) => string

/**
 * The text for SQLite, and the index of the value of each placeholder (null: in order). Placeholders are `+?`, because SQLite prepares a
 * statement again at every run if a bare one can influence its plan, which costs several times more than running it.
 */
const forSqlite = (text: string) => {
  const order: number[] = []
  const plain = text.replace(/\$(\d+)/g, (_match, digits: string) => {
    order.push(Number(digits) - 1)
    return '+?'
  })
  return { plain, order: order.every((value, index) => value === index) ? null : order }
}

/** The fields of a compiled query that the SQLite connection ignores. */
const AS_TEXT = CompiledQuery.raw('')

const raw = (text: string) => {
  const { plain, order } = forSqlite(text)
  return (db: Db, values: readonly Value[]) => {
    if (dialectOf(db) === 'postgres') return db.executeQuery(CompiledQuery.raw(text, values as unknown[]))
    const inOrder = order ? order.map((index) => values[index]) : values
    return db.executeQuery({ ...AS_TEXT, sql: plain, parameters: inOrder })
  }
}

const rawOnce = remember(raw, 2000)

const prepared = <Row, Result>(text: string, resultOf: (rows: Row[]) => Result) => {
  const run = raw(text)
  return async (db: Db, values: readonly Value[] = []): Promise<Result> => resultOf((await run(db, values)).rows as Row[])
}

/**
 * A prepared statement as SQL text with parameters `$1`…, without the compile time of the query builder. The text must mean the same on both
 * databases.
 */
export const statement = <Row>(text: string) => prepared(text, (rows: Row[]) => rows)

/** Like `statement`, for at most one row. */
export const statementOne = <Row>(text: string) => prepared(text, (rows: Row[]) => rows[0])

/** Like `statement`, for the values of its only column. */
export const statementValues = <T extends Value>(text: string) =>
  prepared(text, (rows: Record<string, T>[]) => rows.map((row) => Object.values(row)[0] as T))

/** Like `statement`, for whether there is a row. */
export const statementExists = (text: string) => prepared(text, (rows) => rows.length > 0)

/** Like `statement`, for the number of rows; for a delete or an update it needs a `returning`. */
export const statementRowCount = (text: string) => prepared(text, (rows) => rows.length)

/** Like `statement`, for the number in the column `n` of the first row; 0 if it is missing or null. */
export const statementNumber = (text: string) => prepared(text, ([row]: { n: number | null }[]) => row?.n ?? 0)

/**
 * An insert of one row that returns its `id`. On SQLite it uses `last_insert_rowid`, since `returning` creates a temporary table. Statements that
 * may insert nothing must use `returning`.
 */
export const insertReturningId = (text: string) => {
  const [asking, telling] = [raw(`${text} returning id`), raw(text)]
  return async (db: Db, values: readonly Value[]): Promise<number> =>
    dialectOf(db) === 'sqlite' ? Number((await telling(db, values)).insertId) : ((await asking(db, values)).rows[0] as { id: number }).id
}

const LONGEST_LIST = 256

/** Splits a list into parts whose lengths are powers of 2, filled up with the last value, so that few texts are prepared. */
export const paddedParts = (list: readonly Value[]): Value[][] =>
  Array.from({ length: Math.ceil(list.length / LONGEST_LIST) }, (_, i) => {
    const part = list.slice(i * LONGEST_LIST, (i + 1) * LONGEST_LIST)
    return Array.from({ length: 2 ** Math.ceil(Math.log2(part.length)) }, (_, at) => part[at] ?? (part.at(-1) as Value))
  })

/**
 * A statement with a list of any length, for `in (${list})`. Further parameters are `$1`…. Without a list it finds nothing; a long list takes
 * several runs, so the text must not depend on the whole list, for example in its order or in a limit.
 */
export const statementIn = <Row>(text: (list: string) => string) => {
  const first = Math.max(0, ...[...text('').matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits))) + 1
  const known = new Map<number, ReturnType<typeof statement<Row>>>()
  return async (db: Db, list: readonly Value[], values: readonly Value[] = []): Promise<Row[]> => {
    const parts = paddedParts(list).map((part) => {
      const run = known.get(part.length) ?? statement<Row>(text(part.map((_, i) => `$${first + i}`).join(', ')))
      known.set(part.length, run)
      return run(db, [...values, ...part])
    })
    return (await Promise.all(parts)).flat()
  }
}

/**
 * Runs a text that is assembled from constants; values must be parameters. The same shape yields the same text, which both databases keep
 * prepared.
 */
export const runText = async <Row>(db: Db, text: string, values: readonly Value[]): Promise<Row[]> =>
  (await rawOnce(text)(db, values)).rows as Row[]

/** Collects parameters while a text is assembled: `p(value)` returns the placeholder. */
export const parameters = () => {
  const values: Value[] = []
  return { values, p: (value: Value) => `$${values.push(value)}` }
}

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
export const idsTable = (db: Db, ids: readonly number[], p: (value: string) => string, alias: string): string =>
  dialectOf(db) === 'sqlite'
    ? `json_each(${p(`[${ids.join(',')}]`)}) ${alias}`
    : `unnest(${p(`{${ids.join(',')}}`)}::bigint[]) ${alias}(value)`

/**
 * SQL of a table: the rows of `select` for each id, in the order of that query. `select` gets the SQL of an id, `p` returns placeholders. On
 * PostgreSQL the text is the same for any number of ids, since planning a long one would take longer than running it.
 */
export const lateralRows = (
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
  return `(${ids.map((id, i) => `select p${i}.* from (${select(p(id))}) as p${i}`).join(' union all ')}) ${alias}`
}

/**
 * SQL of a version that changes with every update of a row. On PostgreSQL a query can find a row that was changed after the last poll for changes,
 * so its cache entry may be stale. Null on SQLite, where cache entries are never stale.
 */
export const rowVersion = (db: Db, alias: string): string => (dialectOf(db) === 'postgres' ? `${alias}.xmin::text` : 'null')

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
