import type { IncomingHttpHeaders } from 'node:http'
import { lazy, memoize } from '@lyceum/content/lazy'
import type { ErrorCode, Route } from '@lyceum/contract'
import { Ajv, type ErrorObject } from 'ajv'
import { ApiError } from '../../core/errors.ts'
import { bodyFields, fieldHeaders, isStrict } from './body-fields.ts'

const OPTIONS = { allErrors: true, removeAdditional: true, allowUnionTypes: true, strict: false, formats: { datetime: true } } as const
const ajv = lazy(() => new Ajv(OPTIONS))

const MOST_ERRORS = 20

const fieldOf = (error: ErrorObject): string => {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const missing = error.keyword === 'required' ? String((error.params as { missingProperty: string }).missingProperty) : ''
  return [path, missing].filter(Boolean).join('.') || 'body'
}

const allowedBy = (error: ErrorObject): readonly unknown[] => (error.params as { allowedValues?: unknown[] }).allowedValues ?? []

const textOf = (error: ErrorObject): string => {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'enum') return `must be one of ${allowedBy(error).map(String).join(', ')}`
  return error.message ?? 'is not valid'
}

const problem = (errors: readonly ErrorObject[], fieldErrors: Readonly<Record<string, ErrorCode>>): ApiError => {
  const found = new Map<string, ErrorObject>()
  for (const error of errors.slice(0, MOST_ERRORS)) if (!found.has(fieldOf(error))) found.set(fieldOf(error), error)
  for (const field of found.keys()) {
    const [whole = ''] = field.split('.', 1)
    const code = Object.hasOwn(fieldErrors, whole) ? fieldErrors[whole] : undefined
    if (!code) continue
    // Values of another type are not in the list either.
    const allowed_values = errors.filter((error) => fieldOf(error) === field).flatMap(allowedBy)
    return new ApiError(code, { data: { field, ...(allowed_values.length > 0 && { allowed_values }) } })
  }
  for (const [field, error] of found) {
    if (error.keyword === 'required') return new ApiError('missing_required_field', { message: `${field} is required.`, data: { field } })
  }
  const texts = Object.fromEntries([...found].map(([field, error]) => [field, textOf(error)]))
  const [first] = Object.entries(texts)
  return new ApiError('invalid_data', { ...(first && { message: `${first[0]} ${first[1]}.` }), data: { errors: texts } })
}

type Node = { readonly [key: string]: unknown }

/** Closes every object of the schema that is not explicitly open, so that the validator drops undeclared properties. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (node === null || typeof node !== 'object') return node
  const copy = Object.fromEntries(Object.entries(node as Node).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

const validatorOf = memoize((body: object) => ajv().compile(closed(body) as object))

/**
 * Compiles the body of a route: reads it by the common rules (`bodyFields`), drops undeclared properties and validates the rest. The second
 * result are headers of the response.
 */
export const bodyReader = (route: Route) => {
  const { body, fieldErrors = {} } = route
  if (!body) return () => [{}, []] as const
  const read = bodyFields(route)
  return (input: unknown, headers: IncomingHttpHeaders) => {
    const strict = isStrict(headers)
    const { fields, unknown } = read((input ?? {}) as Record<string, unknown>, strict)
    const valid = validatorOf(body)
    if (!valid(fields)) throw problem(valid.errors ?? [], fieldErrors)
    return [fields, fieldHeaders(unknown, strict)] as const
  }
}
