const DEEPEST = 64
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Whether JSON is nested deeper than any record is; it is checked before the text is parsed. */
export const isTooDeep = (json: Uint8Array): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > DEEPEST) return true
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
  }
  return false
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

class Malformed extends Error {}

/** Refuses what our databases cannot store, and the key that changes prototypes. */
const refuseOdd = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new Malformed('it has a key that is not allowed')
  for (const text of [key, value])
    if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()))
      throw new Malformed('it has text that is not valid Unicode')
  return value
}

/** Parses one JSON text of an untrusted file: its value, or why it has none. */
export const parseJson = (json: Buffer): { readonly value: unknown } | { readonly reason: string } => {
  if (isTooDeep(json)) return { reason: `it is nested deeper than ${DEEPEST} levels` }
  try {
    const text = utf8.decode(json)
    // Only escape sequences and this key need the slower check.
    return { value: /\\u|__proto__/.test(text) ? JSON.parse(text, refuseOdd) : JSON.parse(text) }
  } catch (error) {
    if (error instanceof Malformed) return { reason: error.message }
    return { reason: error instanceof TypeError ? 'it is not encoded in UTF-8' : 'it is not valid JSON' }
  }
}
