import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'

/** The keywords of contract schemas that decide how a value is read. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly items?: FieldSchema
  readonly additionalProperties?: boolean
  readonly 'x-clamp'?: true
  readonly 'x-explicit'?: true
}

type Body = Record<string, unknown>
type Convert = (value: unknown) => unknown

export const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/
const DECIMAL = /^-?[0-9]{1,15}(\.[0-9]{1,10})?$/
export const SWITCHES = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
])
const MOST_NAMED = 20

const isObject = (value: unknown): value is Body => value !== null && typeof value === 'object' && !Array.isArray(value)
const typesOf = ({ type = [] }: FieldSchema): readonly string[] => (typeof type === 'string' ? [type] : type)
/** Objects with declared properties; others contain free data and are not changed. */
const isClosed = ({ properties, additionalProperties }: FieldSchema) => properties !== undefined && additionalProperties !== true

/** Parses numbers and booleans sent as text. Switches that accept 0 and 1 keep them. */
const scalarOf = (types: readonly string[], value: unknown): unknown => {
  if (typeof value === 'string') {
    if (types.includes('integer') && INTEGER.test(value) && Number.isSafeInteger(Number(value))) return Number(value)
    if (types.includes('number') && DECIMAL.test(value)) return Number(value)
  } else if (types.includes('integer')) return value
  return types.includes('boolean') ? (SWITCHES.get(value) ?? value) : value
}

/** Converts a value to the declared type if the meaning is the same; validation rejects everything else. */
const converterOf = (schema: FieldSchema): Convert => {
  const types = typesOf(schema)
  const members = schema.properties ? membersOf(schema) : null
  const item = schema.items ? converterOf(schema.items) : null
  const isText = (value: unknown) => types.includes('string') && (!schema.enum || schema.enum.includes(value))
  return (value) => {
    if (Array.isArray(value)) return item ? value.map(item) : value
    if (isObject(value)) return members ? members(value) : value
    return value === null || isText(value) ? value : scalarOf(types, value)
  }
}

/** Whether an empty string in this field differs from omitting the field. */
const takesEmptyText = (schema: FieldSchema): boolean =>
  typesOf(schema).includes('string') &&
  (!schema.enum || schema.enum.includes('')) &&
  (!schema.pattern || new RegExp(schema.pattern, 'u').test(''))

/** Whether a value of an optional field means that it is omitted. */
const absenceOf = (schema: FieldSchema) => {
  const types = typesOf(schema)
  if (types.length === 0 || schema['x-explicit']) return () => false
  const noNull = !types.includes('null')
  const noEmptyText = !takesEmptyText(schema)
  // PHP encodes an empty map as an empty list.
  const noList = types.includes('object') && !types.includes('array')
  return (value: unknown) => (value === null ? noNull : value === '' ? noEmptyText : noList && Array.isArray(value) && value.length === 0)
}

const membersOf = ({ properties = {}, required = [] }: FieldSchema): ((body: Body) => Body) => {
  const fields = new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { convert: converterOf(schema), isAbsent: required.includes(name) ? () => false : absenceOf(schema) },
    ]),
  )
  return (body) => {
    for (const [name, value] of Object.entries(body)) {
      const field = fields.get(name)
      if (!field) continue
      if (field.isAbsent(value)) delete body[name]
      else body[name] = field.convert(value)
    }
    return body
  }
}

/** Whether an object has a declared property, at any depth. Empty objects count as declared. */
const saysSomething = (schema: FieldSchema, value: unknown): boolean => {
  if (!isObject(value) || !isClosed(schema)) return true
  const names = Object.keys(value)
  return names.length === 0 || names.some((name) => knows(schema, name) && saysSomething(schema.properties?.[name] ?? {}, value[name]))
}

const knows = ({ properties = {} }: FieldSchema, name: string) => Object.hasOwn(properties, name)

/** Paths of undeclared properties, also in items of lists. */
const unknownIn = (schema: FieldSchema, value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.flatMap((item, i) => unknownIn(items, item, `${path}${i}.`)) : []
  }
  if (!isObject(value) || !isClosed(schema)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = schema.properties?.[name]
    return knows(schema, name) && own ? unknownIn(own, inner, `${path}${name}.`) : [path + name]
  })
}

const NOT_A_FIELD = 'is not a field of this request'

const unknownFields = (names: readonly string[]) =>
  new ApiError('invalid_data', {
    message: `${names[0]} ${NOT_A_FIELD}.`,
    data: { errors: Object.fromEntries(names.slice(0, MOST_NAMED).map((name) => [name.slice(0, 100), NOT_A_FIELD])) },
  })

/** Merges the fields inside the wrapper with those next to it. @throws invalid_data if a field is in both */
const unwrapped = (body: Body, wrapper: string): Body => {
  const { [wrapper]: inner, ...outer } = body
  if (!isObject(inner)) return inner === null || (Array.isArray(inner) && inner.length === 0) ? outer : body
  const twice = Object.keys(inner).find((name) => Object.hasOwn(outer, name))
  if (twice === undefined) return { ...outer, ...inner }
  const text = `is sent both in ${wrapper} and outside of it`
  throw new ApiError('invalid_data', { message: `${twice} ${text}.`, data: { errors: { [twice]: text } } })
}

interface BodyFields {
  readonly fields: Body
  /** Paths of the undeclared fields that were sent; validation removes them. */
  readonly unknown: readonly string[]
}

/**
 * Compiles how the body of a route is read before validation, by the same rules everywhere: the wrapper is removed; a body without any
 * declared field is rejected, and a `strict` one with any undeclared field; null and empty values omit optional fields unless they are
 * declared; numbers and booleans may be text. Mutates the body.
 */
export const bodyFields = ({ body, wrapper, consumes }: Route): ((sent: Body, strict?: boolean) => BodyFields) => {
  const schema = (body ?? {}) as FieldSchema
  const members = membersOf(schema)
  // A form contains its file next to its fields.
  const mayBeUnknown = consumes === 'multipart' || !isClosed(schema)
  return (sent, strict = false) => {
    const whole = wrapper !== undefined && Object.hasOwn(sent, wrapper) ? unwrapped(sent, wrapper) : sent
    const unknown = unknownIn(schema, whole)
    if (unknown.length > 0 && (strict || !(mayBeUnknown || saysSomething(schema, whole)))) throw unknownFields(unknown)
    return { fields: members(whole), unknown }
  }
}

const STRICT = /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i

/** Whether the client asks that bodies with undeclared fields are rejected (RFC 7240). */
export const isStrict = ({ prefer }: IncomingHttpHeaders): boolean => STRICT.test(String(prefer ?? ''))

/** Headers of a response that say what the server made of the fields of the body. */
export const fieldHeaders = (unknown: readonly string[], strict: boolean): (readonly [name: string, value: string])[] => [
  ...(strict ? [['preference-applied', 'handling=strict'] as const] : []),
  ...(unknown.length > 0
    ? [
        [
          'x-lyceum-unknown-fields',
          unknown
            .slice(0, MOST_NAMED)
            .map((name) => encodeURIComponent(name.slice(0, 100)))
            .join(', '),
        ] as const,
      ]
    : []),
]
