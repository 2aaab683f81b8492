import { isUtf8 } from 'node:buffer'
import { type Db, dialectOf } from '../database.ts'
import { listTables, type Table } from '../schema/table-catalog.ts'
import { runText, type Value } from './statement.ts'

const PAGE = 2000

/** Columns that were made to hold numbers can hold no text that is malformed. */
const columnsOfText = async (db: Db, { name }: Table): Promise<string[]> =>
  (await runText<{ name: string }>(db, `select name from pragma_table_info('${name}') where lower(type) <> 'integer'`, [])).map(
    (row) => row.name,
  )

/** The texts of a row, set apart so that two of them cannot mend each other. */
const textOf = (columns: readonly string[]) => columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ')

const isSound = (texts: Buffer | null) => texts === null || (isUtf8(texts) && !texts.includes(0))

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
    // A page is looked at as one text; its rows come out only where that is not sound.
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
    if (!isSound(joined[0]?.texts ?? null)) {
      const rows: (Record<string, Value> & { whole: Buffer })[] = await runText(
        db,
        `select ${key}, cast(${whole} as blob) as whole ${page}`,
        values,
      )
      for (const row of rows) if (!isSound(row.whole)) found.push(`${table.name} ${keyOf(row).join(' ')}`)
    }
    if (!end) return found
    last = end
  }
}

/** Rows that hold a text which is not well-formed UTF-8 or has a NUL in it. PostgreSQL takes no such text, so there is nothing to look for. */
export const findMalformedText = async (db: Db): Promise<string[]> => {
  if (dialectOf(db) === 'postgres') return []
  const found: string[] = []
  for (const table of await listTables(db)) found.push(...(await malformedRows(db, table)))
  return found
}
