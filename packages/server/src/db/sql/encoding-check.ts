import { isUtf8 } from 'node:buffer'
import { type Db, dialectOf } from '../database.ts'
import { listTables, type Table } from '../schema/table-catalog.ts'
import { runText, type Value } from './statement.ts'

const PAGE = 2000

/** Columns with text; those declared as integers cannot contain malformed text. */
const columnsOfText = async (db: Db, { name }: Table): Promise<string[]> =>
  (await runText<{ name: string }>(db, `select name from pragma_table_info('${name}') where lower(type) <> 'integer'`, [])).map(
    (row) => row.name,
  )

/** The texts of a row, separated so that two malformed ones do not form a valid one. */
const textOf = (columns: readonly string[]) => columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ')

const isWellFormed = (texts: Buffer | null) => texts === null || (isUtf8(texts) && !texts.includes(0))

const malformedRows = async (db: Db, table: Table): Promise<string[]> => {
  const columns = await columnsOfText(db, table)
  if (columns.length === 0) return []
  const found: string[] = []
  const key = table.key.join(', ')
  const whole = textOf(columns)
  const places = (from: number) => table.key.map((_, i) => `$${from + i}`).join(', ')
  const keyOf = (row: Record<string, Value>) => table.key.map((column) => row[column] ?? null)
  for (let last: Value[] = []; ; ) {
    const behind = last.length > 0 ? ` where (${key}) > (${places(1)})` : ''
    // A page is checked as one text; its rows are checked only if that is malformed.
    const ends = await runText<Record<string, Value>>(
      db,
      `select ${key} from ${table.name}${behind} order by ${key} limit 1 offset ${PAGE - 1}`,
      last,
    )
    const end = ends[0] && keyOf(ends[0])
    const upTo = end ? `${behind ? ' and' : ' where'} (${key}) <= (${places(last.length + 1)})` : ''
    const page = `from ${table.name}${behind}${upTo}`
    const values = [...last, ...(end ?? [])]
    const joined = await runText<{ texts: Buffer | null }>(
      db,
      `select cast(group_concat(${whole}, char(10)) as blob) as texts ${page}`,
      values,
    )
    if (!isWellFormed(joined[0]?.texts ?? null)) {
      const rows: (Record<string, Value> & { whole: Buffer })[] = await runText(
        db,
        `select ${key}, cast(${whole} as blob) as whole ${page}`,
        values,
      )
      for (const row of rows) if (!isWellFormed(row.whole)) found.push(`${table.name} ${keyOf(row).join(' ')}`)
    }
    if (!end) return found
    last = end
  }
}

/** Rows with text that is not well-formed UTF-8 or contains NUL. PostgreSQL rejects such text, so none is reported there. */
export const findMalformedText = async (db: Db): Promise<string[]> => {
  if (dialectOf(db) === 'postgres') return []
  const found: string[] = []
  for (const table of await listTables(db)) found.push(...(await malformedRows(db, table)))
  return found
}
