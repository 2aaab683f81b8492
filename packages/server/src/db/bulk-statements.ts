import { type Db, dialectOf } from './database.ts'
import { isPortable, type Table } from './schema/table-catalog.ts'
import { runText, statement, statementOne, statementValues, type Value } from './sql/statement.ts'

/** SQLite allows 32,766 parameters, PostgreSQL 65,535. */
const MAX_PARAMETERS = 30_000
const MAX_ROWS = 512

/** Rows per statement: a power of two, so that few different texts are prepared. */
const batchSize = (rows: number, columns: number) => {
  const most = Math.min(rows, MAX_ROWS, Math.floor(MAX_PARAMETERS / columns))
  return 2 ** Math.floor(Math.log2(most))
}

const placeholders = (columns: number, rows: number) =>
  Array.from(
    { length: rows },
    (_, row) => `(${Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`).join(', ')})`,
  ).join(', ')

const texts = new Map<string, string>()

const insertText = (table: string, columns: readonly string[], rows: number) => {
  const key = `${table} ${columns.join()} ${rows}`
  const known = texts.get(key)
  if (known) return known
  const text = `insert into ${table} (${columns.join(', ')}) values ${placeholders(columns.length, rows)}`
  texts.set(key, text)
  return text
}

/** Inserts many rows, up to 512 per statement. Table and column names must not come from users. */
export const insertRows = async (db: Db, table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> => {
  for (let at = 0; at < rows.length; ) {
    const count = batchSize(rows.length - at, columns.length)
    await runText(db, insertText(table, columns, count), rows.slice(at, at + count).flat())
    at += count
  }
}

type ValueColumns = Readonly<Record<string, 'bigint' | 'text'>>

/**
 * Updates many rows with values given per row, up to 512 per statement: `set` and `where` are SQL on the table and the values `d`.
 * `updateRows(db, 'feeds', { id: 'bigint', n: 'bigint' }, 'comments_count = comments_count + d.n', 'feeds.id = d.id', [[7, 2]])`
 */
export const updateRows = async (
  db: Db,
  table: string,
  columns: ValueColumns,
  set: string,
  where: string,
  rows: readonly (readonly Value[])[],
): Promise<void> => {
  const types = Object.values(columns)
  for (let at = 0; at < rows.length; ) {
    const count = batchSize(rows.length - at, types.length)
    // Casting the first row determines the types of all rows.
    const values = placeholders(types.length, count).replace(/\$\d+(?=[,)])/g, (parameter) => {
      const column = Number(parameter.slice(1)) - 1
      return column < types.length ? `cast(${parameter} as ${types[column]})` : parameter
    })
    const text = `with d(${Object.keys(columns).join(', ')}) as (values ${values}) update ${table} set ${set} from d where ${where}`
    await runText(db, text, rows.slice(at, at + count).flat())
    at += count
  }
}

const lastId = statementOne<{ seq: number }>('update sqlite_sequence set seq = seq + $2 where name = $1 returning seq')
const startIds = statement('insert into sqlite_sequence (name, seq) values ($1, $2)')
const takeId = statementOne<{ id: number }>(`select nextval(pg_get_serial_sequence($1, 'id')) as id`)

const skipTo = statement(`select setval(pg_get_serial_sequence($1, 'id'), $2)`)

/**
 * Reserves consecutive ids, for rows whose ids must be known before the insert, and returns the first. On PostgreSQL, inserts of others wait
 * until the transaction ends, so reserve in a short one.
 */
export const reserveRange = async (db: Db, table: string, count: number): Promise<number> => {
  if (count === 0) return 1
  if (dialectOf(db) === 'postgres') {
    await runText(db, `lock table ${table} in share row exclusive mode`, [])
    const first = (await takeId(db, [table]))?.id ?? 1
    await skipTo(db, [table, first + count - 1])
    return first
  }
  const last = (await lastId(db, [table, count]))?.seq
  if (last === undefined) await startIds(db, [table, count])
  return (last ?? count) - count + 1
}

const nextIds = statementValues<number>(`select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)`)

/** Reserves ids, which need not be consecutive, so that nobody has to wait. */
export const reserveIds = async (db: Db, table: string, count: number): Promise<number[]> => {
  if (dialectOf(db) === 'postgres') return nextIds(db, [table, count])
  const first = await reserveRange(db, table, count)
  return Array.from({ length: count }, (_, i) => first + i)
}

/** Reads a table in pages of `size` rows, in the order of its key, as lists of column values. Only one page is in memory at a time. */
export async function* readRows(db: Db, { name, columns, key }: Table, size = 1000): AsyncGenerator<Value[][]> {
  const order = key.join(', ')
  const selected = `select ${columns.join(', ')} from ${name}`
  let last: Value[] | null = null
  for (;;) {
    const behind: string = last ? ` where (${order}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})` : ''
    const found: Record<string, Value>[] = await runText(db, `${selected}${behind} order by ${order} limit ${size}`, last ?? [])
    if (found.length > 0) yield found.map((row) => columns.map((column) => row[column] ?? null))
    const end = found.at(-1)
    if (!end || found.length < size) return
    last = key.map((column) => end[column] ?? null)
  }
}

const sqliteSequences = statement<{ name: string; last: number }>('select name, seq as last from sqlite_sequence where seq > 0')
const postgresSequences = statement<{ name: string; last: number }>(
  `select d.refobjid::regclass::text as name, s.last_value as last from pg_sequences s
   join pg_depend d on d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass and d.deptype in ('a', 'i')
   where s.schemaname = current_schema() and s.last_value is not null`,
)

/** The highest id that each table has assigned, so that a restored database does not reuse ids. */
export const readSequences = async (db: Db): Promise<Record<string, number>> => {
  const rows = await { sqlite: sqliteSequences, postgres: postgresSequences }[dialectOf(db)](db)
  return Object.fromEntries(rows.filter(({ name }) => isPortable(name)).map(({ name, last }) => [name, last]))
}

const removeSequence = statement('delete from sqlite_sequence where name = $1')
export const writeSequences = async (db: Db, sequences: Readonly<Record<string, number>>): Promise<void> => {
  for (const [table, last] of Object.entries(sequences)) {
    if (last < 1) continue
    if (dialectOf(db) === 'postgres') await skipTo(db, [table, last])
    else {
      await removeSequence(db, [table])
      await startIds(db, [table, last])
    }
  }
}
