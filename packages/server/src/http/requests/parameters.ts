import type { ErrorCode, Route } from '@lyceum/contract'
import type { TObject } from 'typebox'
import { ApiError, invalidParameter } from '../../core/errors.ts'
import { type FieldSchema, INTEGER, SWITCHES } from './body-fields.ts'

type Reader = (text: string) => unknown

const NOTHING: Record<string, unknown> = Object.freeze({})

const readerOf = (name: string, schema: FieldSchema, code: ErrorCode | undefined): Reader => {
  const refuse = (text: string): never => {
    throw invalidParameter(name, text)
  }
  if (schema.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
    return (text) => {
      if (!INTEGER.test(text)) {
        if (schema['x-clamp'] && /^[1-9][0-9]*$/.test(text)) return maximum
        return refuse('must be an integer')
      }
      const value = Number(text)
      if (value > maximum && schema['x-clamp']) return maximum
      if (value < minimum || value > maximum)
        return refuse(minimum === 1 ? 'must be a positive whole number' : `must be from ${minimum} to ${maximum}`)
      return value
    }
  }
  if (schema.type === 'boolean') {
    return (text) => {
      const value = SWITCHES.get(text)
      return value === undefined ? refuse('must be true or false') : value
    }
  }
  const pattern = schema.pattern ? new RegExp(schema.pattern, 'u') : null
  return (text) => {
    if (text.includes('\0')) refuse('must not contain NUL characters')
    const value = text.toWellFormed()
    if (schema.enum && !schema.enum.includes(value)) {
      const problem = `must be one of ${schema.enum.join(', ')}`
      if (code) throw new ApiError(code, { message: `${name} ${problem}.`, data: { field: name, allowed_values: schema.enum } })
      refuse(problem)
    }
    if (schema.minLength !== undefined && value.length < schema.minLength) refuse(`must have at least ${schema.minLength} characters`)
    if (schema.maxLength !== undefined && value.length > schema.maxLength) refuse(`must have at most ${schema.maxLength} characters`)
    if (pattern && !pattern.test(value)) refuse('is not well-formed')
    return value
  }
}

/**
 * Compiles a contract object into a parser of path or query text: integers only as plain digits, one value per name, undeclared names
 * ignored, an empty value omitted unless the parameter allows it. Throws `invalid_parameter` with the field, or the code in `codes` for a
 * value outside a closed list. Wrong values are reported before missing ones.
 */
export const parameterReader = (schema: TObject | undefined, codes: NonNullable<Route['queryErrors']> = {}) => {
  if (!schema) return () => NOTHING
  const required = new Set((schema as FieldSchema).required)
  const fields = Object.entries((schema as FieldSchema).properties ?? {}).map(([name, field]) => ({
    name,
    read: readerOf(name, field, codes[name]),
    fallback: field.default,
    required: required.has(name),
    explicit: field['x-explicit'] === true,
  }))
  return (input: Record<string, unknown>): Record<string, unknown> => {
    const out: Record<string, unknown> = {}
    let missing: string | undefined
    for (const { name, read, fallback, required, explicit } of fields) {
      const given = Object.hasOwn(input, name) ? input[name] : undefined
      if (given === undefined || (given === '' && !explicit)) {
        if (fallback !== undefined) out[name] = fallback
        else if (required) missing ??= name
        continue
      }
      if (typeof given !== 'string') throw invalidParameter(name, 'must be sent only once')
      out[name] = read(given)
    }
    if (missing !== undefined) throw invalidParameter(missing, 'is required')
    return out
  }
}

const MOST_REMEMBERED = 200
const LONGEST_REMEMBERED = 200
/** The same for queries with a cache, because few distinct queries are frequent. */
export const rememberingReader = (read: (input: Record<string, unknown>) => Record<string, unknown>) => {
  const known = new Map<string, Readonly<Record<string, unknown>>>()
  return (text: string, input: Record<string, unknown>): Readonly<Record<string, unknown>> => {
    const found = known.get(text)
    if (found) return found
    const made = Object.freeze(read(input))
    if (text.length > LONGEST_REMEMBERED) return made
    if (known.size >= MOST_REMEMBERED) known.clear()
    // Copies the text: a substring of a URL would retain the whole URL.
    known.set(Buffer.from(text, 'latin1').toString('latin1'), made)
    return made
  }
}
