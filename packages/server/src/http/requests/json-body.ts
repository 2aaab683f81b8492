import { ApiError, invalidField } from '../../core/errors.ts'

const DEPTH = 16
/** Default maximum number of properties in a body. */
const KEYS = 2000

const decoder = new TextDecoder('utf-8', { fatal: true })

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const invalid = (text: string) => new ApiError('invalid_json', { message: text })

/**
 * Parses a JSON body that both databases store in the same way: valid UTF-8, no NUL, well-formed strings, no prototype names, at most 16
 * levels and a limited number of properties. An empty body is an empty object.
 */
export const parseJsonBody = (bytes: Buffer, members = KEYS): unknown => {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw invalid('The body is not valid UTF-8 encoded JSON.')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalid('The body must be a JSON object.')
  return cleaned(value, members)
}

const cleaned = (root: object, members: number): object => {
  let keys = 0
  const string = (text: string, field: string) => {
    if (text.includes('\0')) throw invalidField(field, 'must not contain NUL characters')
    return text.toWellFormed()
  }
  const visit = (value: unknown, depth: number, field: string): unknown => {
    if (typeof value === 'string') return string(value, field)
    if (value === null || typeof value !== 'object') return value
    if (depth > DEPTH) throw invalid(`The body must have at most ${DEPTH} levels of nesting.`)
    if (Array.isArray(value)) {
      keys += value.length
      if (keys > members) throw invalid(`The body must have at most ${members} fields.`)
      return value.map((item) => visit(item, depth + 1, field))
    }
    const out: Record<string, unknown> = {}
    for (const [name, item] of Object.entries(value)) {
      if (++keys > members) throw invalid(`The body must have at most ${members} fields.`)
      if (FORBIDDEN.has(name)) throw invalid(`The body must not have a field named ${name}.`)
      out[string(name, field || 'body')] = visit(item, depth + 1, field || name)
    }
    return out
  }
  return visit(root, 1, '') as object
}
