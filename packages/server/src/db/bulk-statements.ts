import { type Db, dialectOf } from './database.ts'
import { isPortable, type Table } from './schema/table-catalog.ts'
import { runText, statement, statementOne, type Value } from './sql/statement.ts'

/** SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const MOST_PARAMETERS = 30_000
const MOST_ROWS = 512

/** A power of two, so that few different texts are kept prepared. */
const portion = (rows: number, columns: number) => {
  const most = Math.min(rows, MOST_ROWS, Math.floor(MOST_PARAMETERS / columns))
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

/** Adds many rows, some hundred a statement. Table and column names are never a user's. */
export const insertRows = async (db: Db, table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> => {
  for (let at = 0; at < rows.length; ) {
    const count = portion(rows.length - at, columns.length)
    await runText(db, insertText(table, columns, count), rows.slice(at, at + count).flat())
    at += count
  }
}

/** What a change of many rows brings along for each: name and type of its columns, the first ones say which row is meant. */
type Brought = Readonly<Record<string, 'bigint' | 'text'>>

/**
 * Changes many rows by what is brought along for each, some hundred a statement: `set` and `where` are SQL over the table and `d`.
 * `updateRows(db, 'feeds', { id: 'bigint', n: 'bigint' }, 'comments_count = comments_count + d.n', 'feeds.id = d.id', [[7, 2]])`
 */
export const updateRows = async (
  db: Db,
  table: string,
  brought: Brought,
  set: string,
  where: string,
  rows: readonly (readonly Value[])[],
): Promise<void> => {
  const types = Object.values(brought)
  for (let at = 0; at < rows.length; ) {
    const count = portion(rows.length - at, types.length)
    // The types of the first row are those of all.
    const values = placeholders(types.length, count).replace(/\$\d+(?=[,)])/g, (parameter) => {
      const column = Number(parameter.slice(1)) - 1
      return column < types.length ? `cast(${parameter} as ${types[column]})` : parameter
    })
    const text = `with d(${Object.keys(brought).join(', ')}) as (values ${values}) update ${table} set ${set} from d where ${where}`
    await runText(db, text, rows.slice(at, at + count).flat())
    at += count
  }
}

const lastId = statementOne<{ seq: number }>('update sqlite_sequence set seq = seq + $2 where name = $1 returning seq')
const startIds = statement('insert into sqlite_sequence (name, seq) values ($1, $2)')
const takeIds = statement<{ id: number }>(`select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2::int)`)

/** Ids that nobody else will get, rising; for rows whose ids must be known before they are inserted. */
export const reserveIds = async (db: Db, table: string, count: number): Promise<number[]> => {
  if (dialectOf(db) === 'postgres') return (await takeIds(db, [table, count])).map((row) => row.id).sort((a, b) => a - b)
  const last = (await lastId(db, [table, count]))?.seq
  if (last === undefined) await startIds(db, [table, count])
  const first = (last ?? count) - count + 1
  return Array.from({ length: count }, (_, i) => first + i)
}

const skipTo = statement(`select setval(pg_get_serial_sequence($1, 'id'), $2)`)

/** The first of so many ids that follow one another, for whoever is alone with the data. */
export const reserveRange = async (db: Db, table: string, count: number): Promise<number> => {
  if (count === 0) return 1
  if (dialectOf(db) === 'postgres') {
    const first = (await takeIds(db, [table, 1]))[0]?.id ?? 1
    await skipTo(db, [table, first + count - 1])
    return first
  }
  const last = (await lastId(db, [table, count]))?.seq
  if (last === undefined) await startIds(db, [table, count])
  return (last ?? count) - count + 1
}

/**
 * The rows of a table as lists of its columns' values, in the order of its key, `size` at a time. Whole tables are read so in a snapshot
 * without holding more than one page.
 */
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

/** The highest id that each table has given out, so that none is used twice after a restore either. */
export const readSequences = async (db: Db): Promise<Record<string, number>> => {
  const rows = await { sqlite: sqliteSequences, postgres: postgresSequences }[dialectOf(db)](db)
  return Object.fromEntries(rows.filter(({ name }) => isPortable(name)).map(({ name, last }) => [name, last]))
}

const forgetSequence = statement('delete from sqlite_sequence where name = $1')
const setSequence = statement(`select setval(pg_get_serial_sequence($1, 'id'), $2)`)

/** Makes the next ids of empty tables, or ones filled with given ids, follow those numbers. */
export const writeSequences = async (db: Db, sequences: Readonly<Record<string, number>>): Promise<void> => {
  for (const [table, last] of Object.entries(sequences)) {
    if (last < 1) continue
    if (dialectOf(db) === 'postgres') await setSequence(db, [table, last])
    else {
      await forgetSequence(db, [table])
      await startIds(db, [table, last])
    }
  }
}
