import type { Fields } from './operations.ts'

export const isFields = (value: unknown): value is Fields => value !== null && typeof value === 'object' && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? value
    : isFields(value)
      ? Object.values(value)
      : value === undefined || value === null || value === ''
        ? []
        : [value]
export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Whether PHP considers a value true. */
export const isTrue = (value: unknown): boolean =>
  value !== undefined && value !== null && !['', '0', 'false', 'no', 0, false].includes(value as string)

/** Switches that a client sent, as booleans. Empty values are ignored. */
export const switchesOf = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(
    names.filter((name) => ![undefined, null, ''].includes(fields[name] as null)).map((name) => [name, isTrue(fields[name])]),
  )

/** A lookup table for client input, without inherited names such as `constructor`. */
export const table = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> => Object.assign(Object.create(null), entries)

/** Fields that have a value, under their new names. */
export const renamed = (fields: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const to = Object.hasOwn(names, name) ? (names[name] ?? name) : name
      return value === undefined || (to !== name && Object.hasOwn(fields, to)) ? [] : [[to, value]]
    }),
  )

export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Converts these numbers to strings, as PHP returns integers of most columns. */
export const numericTexts = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (typeof fields[name] === 'number' ? [[name, String(fields[name])]] : [])))

const TIME = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}/

/** Converts that format, ISO 8601 or Unix seconds to `YYYY-MM-DD HH:MM:SS` in UTC; undefined if invalid. */
export const timeOf = (value: string | undefined): string | undefined => {
  if (!value) return undefined
  const zoned = TIME.test(value) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? `${value.replace(' ', 'T')}Z` : value
  const date = /^\d{9,11}$/.test(value) ? new Date(Number(value) * 1000) : new Date(zoned)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 19).replace('T', ' ')
}

interface Pages {
  readonly total: number
  readonly per_page: number
  readonly current_page: number
}

/** Laravel's paginator format of a list with `{total, per_page, current_page, total_pages}`. */
export const paginator = (data: readonly unknown[], { total, per_page, current_page }: Pages) => {
  const from = data.length > 0 ? (current_page - 1) * per_page + 1 : null
  const last_page = Math.max(1, Math.ceil(total / per_page))
  return {
    data,
    current_page,
    per_page,
    from,
    to: from === null ? null : from + data.length - 1,
    total,
    last_page,
    has_more: current_page < last_page,
  }
}

/** A complete list as its only page. */
export const onePage = (data: readonly unknown[]) =>
  paginator(data, { total: data.length, per_page: Math.max(15, data.length), current_page: 1 })

/** Page URLs of a list that has none. */
export const pageAddresses = (record: Fields, { path, query }: { readonly path: string; readonly query: Fields }): Fields => {
  const { last_page, current_page } = record
  if ('path' in record || typeof last_page !== 'number' || typeof current_page !== 'number') return {}
  const pageAt = (page: number) => {
    const texts = Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' && name !== 'page' ? [[name, value]] : []))
    return `${path}?${new URLSearchParams([...texts, ['page', String(page)]] as [string, string][])}`
  }
  const near = (page: number) => (page >= 1 && page <= last_page ? pageAt(page) : null)
  return {
    path,
    first_page_url: pageAt(1),
    last_page_url: pageAt(last_page),
    prev_page_url: near(current_page - 1),
    next_page_url: near(current_page + 1),
    links: [
      { url: near(current_page - 1), label: 'Previous', active: false },
      { url: pageAt(current_page), label: String(current_page), active: true },
      { url: near(current_page + 1), label: 'Next', active: false },
    ],
  }
}
