import type { Fields } from './front-matter.ts'

/** Readers of single values. They return the default for missing values, and for invalid ones after reporting an error with its line. */

type Path = readonly [...(string | number)[], string | number]

const at = ({ data }: Fields, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined),
    data,
  )

const wrong = <T>(fields: Fields, path: Path, must: string, otherwise: T): T => {
  fields.report.error(fields.file, fields.lineOf(...path), `${path.filter((part) => typeof part === 'string').join('.')} ${must}`)
  return otherwise
}

export const textAt = (fields: Fields, path: Path, otherwise = '', most = 5000): string => {
  const value = at(fields, path)
  if (value === undefined || value === null) return otherwise
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return wrong(fields, path, 'must be text', otherwise)
  const text = String(value).trim()
  return text.length > most ? wrong(fields, path, `has more than ${most} characters`, otherwise) : text
}

export const flagAt = (fields: Fields, path: Path, otherwise: boolean): boolean => {
  const value = at(fields, path)
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'boolean') return value
  if (value === 'yes' || value === 'no') return value === 'yes'
  return wrong(fields, path, 'must be true or false', otherwise)
}

export const numberAt = (fields: Fields, path: Path, { least = 0, most = 1_000_000, whole = true } = {}): number | null => {
  const value = at(fields, path)
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isFinite(value) || (whole && !Number.isInteger(value)) || value < least || value > most)
    return wrong(fields, path, `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`, null)
  return value
}

export const oneOfAt = <T extends string>(fields: Fields, path: Path, values: readonly T[], otherwise: T): T => {
  const value = at(fields, path)
  if (value === undefined || value === null) return otherwise
  return values.includes(value as T) ? (value as T) : wrong(fields, path, `must be one of ${values.join(', ')}`, otherwise)
}

/** The length of a list; 0 if it is missing. */
export const lengthAt = (fields: Fields, path: Path): number => {
  const value = at(fields, path)
  if (value === undefined || value === null) return 0
  return Array.isArray(value) ? value.length : wrong(fields, path, 'must be a list', 0)
}

export const hasAt = (fields: Fields, path: Path): boolean => at(fields, path) !== undefined

/** Reports unknown names as errors, so that a mistyped name is not ignored silently. */
export const onlyKnown = (fields: Fields, path: readonly (string | number)[], names: readonly string[]): void => {
  const value = path.length === 0 ? fields.data : at(fields, path as unknown as Path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const name of Object.keys(value))
    if (!names.includes(name)) fields.report.error(fields.file, fields.lineOf(...path, name), `${name} is unknown; use ${names.join(', ')}`)
}
