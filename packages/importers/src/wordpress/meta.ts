import { isNestedDeeper } from '../nested-json.ts'
import { type PhpArray, type PhpValue, unserialize } from './php.ts'

/** The parsed value of a column with structured data. If it cannot be read, `problem` is set and the value is null. */
export interface Meta {
  readonly value: PhpValue
  readonly problem: string | null
}

const MOST_DEPTH = 100
const SERIALIZED = /^(?:N;|[abdisOE]:)/

const fromJson = (value: unknown): PhpValue => {
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), fromJson(item)]))
  if (typeof value === 'object' && value !== null) return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]))
  return value as string | number | boolean | null
}

/** Converts REST API values to those of the database. */
export const phpOf = fromJson

const readJson = (text: string): Meta => {
  if (isNestedDeeper(text, MOST_DEPTH)) return { value: null, problem: `it is nested more than ${MOST_DEPTH} levels deep` }
  try {
    return { value: fromJson(JSON.parse(text)), problem: null }
  } catch {
    return { value: null, problem: 'it is neither PHP serialization nor JSON' }
  }
}

/** Parses PHP serialization, also if applied twice, and JSON. Other text is a string. */
export const readMeta = (text: string | null): Meta => {
  let value: PhpValue = text?.trim() ?? null
  for (let times = 0; times < 3 && typeof value === 'string'; times++) {
    if (value === '') return { value: null, problem: null }
    if (/^[[{]/.test(value)) return readJson(value)
    if (!SERIALIZED.test(value)) return { value, problem: null }
    const read = unserialize(value)
    if ('broken' in read) return { value: null, problem: read.broken }
    value = read.value
  }
  return { value, problem: null }
}

export const isArray = (value: PhpValue | undefined): value is PhpArray => value instanceof Map

/** The value at a path of keys; undefined if it does not exist. */
export const at = (value: PhpValue | undefined, ...path: readonly string[]): PhpValue | undefined => {
  let found = value
  for (const key of path) found = isArray(found) ? found.get(key) : undefined
  return found
}

/** The text or number at a path, as trimmed text; empty if it does not exist. */
export const textAt = (value: PhpValue | undefined, ...path: readonly string[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found.replaceAll('\0', '').trim() : typeof found === 'number' ? String(found) : ''
}

/** Whether the value at a path is a true flag. */
export const flagAt = (value: PhpValue | undefined, ...path: readonly string[]): boolean => {
  const found = at(value, ...path)
  return found === true || found === 1 || (typeof found === 'string' && /^(?:yes|1|true|on)$/i.test(found))
}

export const numberAt = (value: PhpValue | undefined, ...path: readonly string[]): number | null => {
  const found = at(value, ...path)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The values of the array at a path, in order. */
export const itemsAt = (value: PhpValue | undefined, ...path: readonly string[]): PhpValue[] => {
  const found = at(value, ...path)
  return isArray(found) ? [...found.values()] : []
}

/** Converts to JSON: arrays that are empty or have the keys 0, 1, 2 … become lists. */
export const plain = (value: PhpValue): unknown => {
  if (!isArray(value)) return typeof value === 'string' ? value.replaceAll('\0', '') : value
  const entries = [...value]
  if (entries.every(([key], index) => key === String(index))) return entries.map(([, item]) => plain(item))
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item)]))
}
