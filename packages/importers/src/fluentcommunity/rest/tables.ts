import type { Staging } from '../../staging/staging.ts'
import { TABLES } from '../tables.ts'
import type { JsonObject } from './api.ts'

/** Table prefix for sites that are read through the API. */
export const REST_PREFIX = 'wp_'

/** Adds a row from the API. Structured values are stored as JSON, which the readers accept. */
export type Add = (table: string, row: JsonObject) => void

const stored = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number)
}

export const createAdd = (staging: Staging): Add => {
  const loaders = new Map(
    Object.entries(TABLES).map(([name, shape]) => {
      const columns = Object.keys(shape.columns)
      return [name, { columns, loader: staging.loader(REST_PREFIX + name, shape, columns) }]
    }),
  )
  return (table, row) => {
    const { columns, loader } = loaders.get(table) as { columns: string[]; loader: ReturnType<Staging['loader']> }
    loader.add(
      columns.map((column) => stored(row[column])),
      `${table} ${stored(row['id'])}`,
    )
  }
}
