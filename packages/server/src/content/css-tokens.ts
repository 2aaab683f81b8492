/** A token of a style sheet; only tokens that can load a resource are distinguished. Escapes are resolved; names are in lower case. */
export type CssToken =
  | { readonly type: 'at' | 'function' | 'ident' | 'string' | 'url'; readonly value: string }
  | { readonly type: 'open' | 'close'; readonly value: string }
  | { readonly type: 'bad' }
  | { readonly type: 'other'; readonly value: string }

const NAME_START = /[a-z_\u0080-\uffff]/i
const NAME = /[-\w\u0080-\uffff]/
const DIGIT = /\d/
const SPACE = /[ \n\t]/
const ESCAPED = /\\(?:([0-9a-f]{1,6})[ \n\t]?|([^\n]))/iy

/** Preprocesses a style sheet as defined in CSS Syntax Level 3, section 3.3. */
export const preprocessed = (css: string): string => css.replace(/\r\n?|\f/g, '\n').replaceAll('\0', '\ufffd')

const codePoint = (hex: string): string => {
  const code = Number.parseInt(hex, 16)
  const exists = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return exists ? String.fromCodePoint(code) : '\ufffd'
}

/**
 * Splits a preprocessed style sheet into tokens as CSS Syntax Level 3 does, in linear time. Numbers and single characters are `other`; white
 * space and comments are omitted.
 */
export const cssTokens = (css: string): CssToken[] => {
  const tokens: CssToken[] = []
  let at = 0
  const peek = (ahead = 0) => css[at + ahead] ?? ''
  const isEscape = (ahead = 0) => peek(ahead) === '\\' && peek(ahead + 1) !== '\n' && peek(ahead + 1) !== ''
  const skipSpace = () => {
    while (SPACE.test(peek())) at += 1
  }

  const readEscape = (): string => {
    ESCAPED.lastIndex = at
    const found = ESCAPED.exec(css)
    if (!found) {
      at += 1
      return '\ufffd'
    }
    at += found[0].length
    return found[1] === undefined ? (found[2] ?? '') : codePoint(found[1])
  }

  const startsName = (ahead = 0): boolean => {
    if (peek(ahead) === '-') return peek(ahead + 1) === '-' || NAME_START.test(peek(ahead + 1)) || isEscape(ahead + 1)
    return NAME_START.test(peek(ahead)) || isEscape(ahead)
  }

  const name = (): string => {
    let read = ''
    for (;;) {
      if (isEscape()) read += readEscape()
      else if (NAME.test(peek())) read += css[at++]
      else return read.toLowerCase()
    }
  }

  const string = (quote: string): CssToken => {
    let read = ''
    at += 1
    while (at < css.length) {
      const sign = peek()
      if (sign === '\n') return { type: 'bad' }
      if (sign === '\\' && peek(1) === '\n') at += 2
      else if (sign === '\\' && peek(1) === '') at += 1
      else if (sign === '\\') read += readEscape()
      else {
        at += 1
        if (sign === quote) break
        read += sign
      }
    }
    return { type: 'string', value: read }
  }

  /** Parses an unquoted URL after `url(`. */
  const address = (): CssToken => {
    let read = ''
    let isBad = false
    while (at < css.length && peek() !== ')') {
      const sign = peek()
      if (isEscape()) read += readEscape()
      else {
        if (sign === '"' || sign === "'" || sign === '(' || sign === '\\') isBad = true
        if (SPACE.test(sign)) {
          skipSpace()
          if (peek() !== ')' && peek() !== '') isBad = true
          continue
        }
        read += sign
        at += 1
      }
    }
    at += 1
    return isBad ? { type: 'bad' } : { type: 'url', value: read }
  }

  const named = (): CssToken => {
    const value = name()
    if (peek() !== '(') return { type: 'ident', value }
    at += 1
    if (value !== 'url') return { type: 'function', value }
    skipSpace()
    return peek() === '"' || peek() === "'" ? { type: 'function', value } : address()
  }

  while (at < css.length) {
    const sign = peek()
    if (sign === '/' && peek(1) === '*') {
      const end = css.indexOf('*/', at + 2)
      at = end < 0 ? css.length : end + 2
    } else if (SPACE.test(sign)) at += 1
    else if (sign === '"' || sign === "'") tokens.push(string(sign))
    else if (sign === '@' && startsName(1)) {
      at += 1
      tokens.push({ type: 'at', value: name() })
    } else if (sign === '#' && (NAME.test(peek(1)) || isEscape(1))) {
      at += 1
      tokens.push({ type: 'other', value: `#${name()}` })
    } else if (DIGIT.test(sign)) {
      // A number with its unit, which may be an escaped name but is never a function.
      at += 1
      if (startsName()) name()
      tokens.push({ type: 'other', value: sign })
    } else if (startsName()) tokens.push(named())
    else {
      at += 1
      if (sign === '(' || sign === '[' || sign === '{') tokens.push({ type: 'open', value: sign })
      else if (sign === ')' || sign === ']' || sign === '}') tokens.push({ type: 'close', value: sign })
      else tokens.push({ type: 'other', value: sign })
    }
  }
  return tokens
}
