import type { Route } from '@lyceum/contract'
import type { FieldSchema } from '../requests/body-fields.ts'
import { weightsOf } from './compression.ts'

/** Column names of an object, `outer.inner` for nested ones, in the declared order; numbers by their value. */
const columnsOf = ({ properties = {} }: FieldSchema, prefix = ''): string[] => {
  const names = Object.keys(properties)
  const ordered = names.every((name) => /^\d+$/.test(name)) ? names.sort() : names
  return ordered.flatMap((name) => {
    const field = properties[name] as FieldSchema
    return field.properties ? columnsOf(field, `${prefix}${name}.`) : [`${prefix}${name}`]
  })
}

const valueAt = (row: unknown, column: string): unknown =>
  column.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], row)

/** Spreadsheets interpret text with these first characters as a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** One field by RFC 4180. Text that a spreadsheet would run is prefixed with an apostrophe; numbers are not changed. */
export const csvField = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Builds the CSV of a response: the declared columns and a file name. */
export const csvOf = ({ csv = '', path, response }: Route) => {
  const schema = response as unknown as FieldSchema
  const item = csv === '' ? schema : schema.properties?.[csv]?.items
  if (!item) throw new Error(`${path} has no list ${csv} for its table`)
  const columns = columnsOf(item)
  const name = `${path.split('/').filter(Boolean).join('-')}.csv`
  return (answer: unknown): { readonly text: string; readonly name: string } => {
    const rows = csv === '' ? [answer] : ((answer as Record<string, unknown>)[csv] as unknown[])
    const lines = [columns, ...rows.map((row) => columns.map((column) => valueAt(row, column)))]
    return { text: lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join(''), name }
  }
}

/** Weight of a media type in an Accept header by its most specific match; 0 if it is not accepted. */
const weight = (accept: string, type: string): number => {
  const ranges = weightsOf(accept)
  return ranges.get(type) ?? ranges.get(`${type.split('/', 1)[0]}/*`) ?? ranges.get('*/*') ?? 0
}

const NAMES_CSV = /(^|[\s,])text\/csv\s*($|[;,])/i

/** Whether CSV is requested: by `format`, else if Accept names CSV with at least the weight of JSON. */
export const wantsCsv = (query: unknown, accept: string | undefined): boolean => {
  const { format } = query as { readonly format?: string }
  if (format !== undefined) return format === 'csv'
  if (!accept || !NAMES_CSV.test(accept)) return false
  const csv = weight(accept, 'text/csv')
  return csv > 0 && csv >= weight(accept, 'application/json')
}
