import { type ArchiveKind, archiveRecords } from '@lyceum/contract/archive'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Format } from 'typebox/format'

const DATETIME = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/

// A month and a day that every month has need no calendar. Checking with Date alone would take a tenth of an import.
const isDatetime = (text: string): boolean => {
  const [, year, month, day, hour, minute, second] = (DATETIME.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || month < 1 || month > 12 || day < 1) return false
  return day <= 28 || new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

const validators = new Map<ArchiveKind, Validator>()

const validatorOf = (kind: ArchiveKind): Validator => {
  const known = validators.get(kind)
  if (known) return known
  Format.Set('datetime', isDatetime)
  const made = Compile(archiveRecords[kind]) as unknown as Validator
  validators.set(kind, made)
  return made
}

/** The first schema violation of a record; null if it is valid. */
export const recordProblem = (kind: ArchiveKind, record: unknown): string | null => {
  const validator = validatorOf(kind)
  if (validator.Check(record)) return null
  const [error] = validator.Errors(record)
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  return `${field || 'it'} ${error?.message ?? 'is not valid'}`
}

const others = new WeakMap<TSchema, Validator>()

/** Whether a value conforms to a schema of the contract. */
export const conforms = (schema: TSchema, value: unknown): boolean => {
  const known = others.get(schema) ?? (Compile(schema) as unknown as Validator)
  others.set(schema, known)
  return known.Check(value)
}
