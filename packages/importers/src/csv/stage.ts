import { UnreadableSource } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import { columnsOf, FIELDS, type Field, NETWORKS } from './columns.ts'
import { isAmbiguous, type Order, orderIn } from './dates.ts'
import { readCsv } from './parse.ts'

export const SITES = [...new Set(Object.values(NETWORKS))]
const COLUMNS = ['n', 'file', 'place', 'key', ...FIELDS, ...SITES]
const SHAPE = {
  columns: Object.fromEntries(COLUMNS.map((column) => [column, column === 'n' ? 'integer' : 'text'] as const)),
  indexes: ['n', 'key, n'],
}

/** A row of a member list. `place`: its location for reports; `key`: the lowercase email address. */
export type MemberRow = { readonly n: number; readonly file: string; readonly place: string; readonly key: string } & {
  readonly [F in Field]: string | null
} & Readonly<Record<(typeof NETWORKS)[string], string | null>>

/** Removes the notation that stops spreadsheets from evaluating a cell: `="007"` means 007, and `'=1` means =1. */
const textOf = (cell: string): string => {
  const text = cell.trim()
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text.replace(/^'(?=[=+@-])/, '')
}

/** A date column of a file: the order of day and month in its dates, and an ambiguous date. */
interface DateColumn {
  readonly header: string
  order: Order | 'both' | null
  ambiguous: string | null
}

const learn = (column: DateColumn, value: string) => {
  const order = orderIn(value)
  if (order !== null) column.order = column.order === null || column.order === order ? order : 'both'
  else if (isAmbiguous(value)) column.ambiguous ??= value.trim()
}

/** @throws UnreadableSource if dates of the column are ambiguous */
const decided = (file: string, { header, order, ambiguous }: DateColumn): Order => {
  if (order === 'both' || (order === null && ambiguous !== null)) {
    const why =
      order === 'both' ? 'some dates have the day first, others the month' : `${ambiguous} can be read with the day or the month first`
    throw new UnreadableSource(`${file}: the dates of the column “${header}” are ambiguous: ${why}. Write them as YYYY-MM-DD.`)
  }
  return order ?? 'month'
}

/** The order of day and month in the date columns. */
export type DateOrders = Readonly<Record<'joined' | 'seen', Order>>

export interface Members {
  /** Date orders by file. */
  readonly orders: ReadonlyMap<string, DateOrders>
  /** Number of values per unrecognized column. */
  readonly unknown: ReadonlyMap<string, number>
  /** Unreadable rows. */
  readonly broken: readonly { readonly id: string; readonly reason: string }[]
}

/** Copies the rows of member lists to the table `member`. @throws UnreadableSource for a file without email addresses or with ambiguous dates */
export const stageMembers = async (
  staging: Staging,
  files: readonly { readonly name: string; readonly path: string }[],
): Promise<Members> => {
  const unknown = new Map<string, number>()
  const orders = new Map<string, DateOrders>()
  const broken: { id: string; reason: string }[] = []
  let n = 0
  const loader = staging.loader('members', SHAPE, COLUMNS)
  for (const { name, path } of files) {
    const at = (line: number) => (files.length > 1 ? `${name}:${line}` : String(line))
    let columns: ReturnType<typeof columnsOf> | null = null
    let dates: Record<'joined' | 'seen', DateColumn> | null = null
    for await (const { line, cells } of readCsv(path, (line, reason) => broken.push({ id: at(line), reason }))) {
      if (!columns || !dates) {
        columns = columnsOf(cells)
        if (!columns.fields.has('email'))
          throw new UnreadableSource(
            `${name} has no column with email addresses; its columns are: ${cells
              .map((cell) => cell.trim())
              .join(', ')
              .slice(0, 500)}.`,
          )
        const header = (field: 'joined' | 'seen') => cells[columns?.fields.get(field) ?? -1]?.trim() ?? ''
        dates = {
          joined: { header: header('joined'), order: null, ambiguous: null },
          seen: { header: header('seen'), order: null, ambiguous: null },
        }
        continue
      }
      const { fields, networks } = columns
      const cell = (position: number | undefined) => (position === undefined ? null : textOf(cells[position] ?? ''))
      for (const field of ['joined', 'seen'] as const) learn(dates[field], cell(fields.get(field)) ?? '')
      for (const [position, header] of columns.unknown) if (cell(position)) unknown.set(header, (unknown.get(header) ?? 0) + 1)
      const key = (cell(fields.get('email')) ?? '').toLowerCase()
      loader.add(
        [++n, name, at(line), key, ...FIELDS.map((field) => cell(fields.get(field))), ...SITES.map((site) => cell(networks.get(site)))],
        at(line),
      )
    }
    if (!dates) throw new UnreadableSource(`${name} is empty.`)
    orders.set(name, { joined: decided(name, dates.joined), seen: decided(name, dates.seen) })
  }
  staging.finish()
  staging.define('member', 'members', SHAPE)
  return { orders, unknown, broken }
}
