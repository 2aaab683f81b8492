import { isNestedDeeper } from './nested-json.ts'

/** Fields of a row whose types vary, such as those of stored JSON. */
export type Fields = Readonly<Record<string, unknown>>

const DEEPEST = 100

/** Parses a JSON object; null for anything else, and for one that is nested too deeply. */
export const jsonFields = (text: string | null): Fields | null => {
  if (text === null || isNestedDeeper(text, DEEPEST)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}

/** A trimmed string; empty for anything but strings and numbers. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''

/** A number or numeric string as a number; null for anything else. */
export const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Whether a flag is set: 1, `1`, true, `true` or `t`. */
export const isSet = (value: unknown): boolean => value === true || value === 't' || value === 'true' || numberOf(value) === 1
