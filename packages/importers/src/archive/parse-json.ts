import { isNestedDeeper } from '../nested-json.ts'

/** Valid records are nested less deeply. */
const DEEPEST = 64

/** Only escape sequences and the key `__proto__` need the slower check. */
const NEEDS_CHECK = /\\u|__proto__/

const utf8 = new TextDecoder('utf-8', { fatal: true })

class Malformed extends Error {}

/** Rejects strings that the databases cannot store, and the key `__proto__`. */
const refuseOdd = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new Malformed('it has a key that is not allowed')
  for (const text of [key, value])
    if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()))
      throw new Malformed('it has text that is not valid Unicode')
  return value
}

/** Parses JSON of an untrusted file; returns the value, or the reason why it is invalid. */
export const parseJson = (json: Buffer): { readonly value: unknown } | { readonly reason: string } => {
  try {
    const text = utf8.decode(json)
    if (isNestedDeeper(text, DEEPEST)) return { reason: `it is nested deeper than ${DEEPEST} levels` }
    return { value: NEEDS_CHECK.test(text) ? JSON.parse(text, refuseOdd) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof Malformed) return { reason: error.message }
    return { reason: error instanceof TypeError ? 'it is not encoded in UTF-8' : 'it is not valid JSON' }
  }
}

/** The reason why `parseJson` would reject JSON of our own; null if it is valid. */
export const jsonProblem = (json: string): string | null => {
  if (!NEEDS_CHECK.test(json) && !isNestedDeeper(json, DEEPEST)) return null
  const parsed = parseJson(Buffer.from(json))
  return 'reason' in parsed ? parsed.reason : null
}
