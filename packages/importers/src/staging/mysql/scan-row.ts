import type { Value } from '../shape.ts'
import { BACKSLASH, type Decode, DOUBLE, QUOTE, unescaped } from './decode.ts'

/** The bytes end inside the element. */
export const INCOMPLETE = -1
/** The bytes are not valid syntax. */
export const BROKEN = -2

const OPEN = 0x28
const CLOSE = 0x29
const COMMA = 0x2c
const BACKTICK = 0x60
const SLASH = 0x2f
const STAR = 0x2a
const DASH = 0x2d
const HASH = 0x23
const NEWLINE = 0x0a
const SEMICOLON = 0x3b

const isSpace = (byte: number | undefined) => byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d)
const isWord = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f || byte >= 0x80

/** Skips white space and comments. The content of `/*!40101 …` is read, as in MySQL; that of MariaDB's own comments is skipped. */
export const skipBlank = (bytes: Buffer, from: number): number => {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined) return INCOMPLETE
    if (isSpace(byte)) at++
    else if (byte === STAR && bytes[at + 1] === SLASH) at += 2
    else if (byte === HASH || (byte === DASH && bytes[at + 1] === DASH)) {
      at = bytes.indexOf(NEWLINE, at)
      if (at < 0) return INCOMPLETE
    } else if (byte === SLASH || byte === DASH || byte === STAR) {
      if (bytes[at + 2] === undefined) return INCOMPLETE
      if (byte !== SLASH || bytes[at + 1] !== STAR) return at
      if (bytes[at + 2] === 0x21) {
        at += 3
        while (at < bytes.length && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at++
      } else {
        const end = bytes.indexOf('*/', at + 2, 'latin1')
        if (end < 0) return INCOMPLETE
        at = end + 2
      }
    } else return at
  }
}

/** The position after the quoted element at `from`. `''` and, except in backticks, `\'` do not end it. */
export const skipQuoted = (bytes: Buffer, from: number): number => {
  const quote = bytes[from] as number
  let at = from + 1
  for (;;) {
    const end = bytes.indexOf(quote, at)
    if (end < 0) return INCOMPLETE
    let escapes = 0
    if (quote !== BACKTICK) while (end - escapes > at && bytes[end - escapes - 1] === BACKSLASH) escapes++
    if (escapes % 2 === 1) at = end + 1
    else if (end + 1 >= bytes.length) return INCOMPLETE
    else if (bytes[end + 1] === quote) at = end + 2
    else return end + 1
  }
}

/** Skips an expression such as `CONVERT('…' USING utf8)` up to the following comma or parenthesis. */
const skipExpression = (bytes: Buffer, from: number): number => {
  let depth = 0
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at] as number
    if (byte === QUOTE || byte === DOUBLE || byte === BACKTICK) {
      at = skipQuoted(bytes, at)
      if (at < 0) return at
      continue
    }
    if (depth === 0 && (byte === COMMA || byte === CLOSE)) return at
    if (byte === SEMICOLON) return BROKEN
    if (byte === OPEN) depth++
    else if (byte === CLOSE) depth--
    at++
  }
  return INCOMPLETE
}

const HEX = /^(?:[0-9a-f]{2})*$/i

const binary = (digits: string): Buffer => {
  const bytes = digits.padStart(Math.ceil(digits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Parses an unquoted value; undefined for an expression. */
const literal = (word: string): Value | Buffer | undefined => {
  const upper = word.toUpperCase()
  if (upper === 'NULL' || upper === 'DEFAULT') return null
  if (upper === 'TRUE') return '1'
  if (upper === 'FALSE') return '0'
  if (/^0x/i.test(word)) return HEX.test(word.slice(2)) ? Buffer.from(word.slice(2), 'hex') : undefined
  if (/^0b[01]+$/i.test(word)) return binary(word.slice(2))
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(word) ? word : undefined
}

export interface RowReader {
  readonly decode: Decode
  /** Which values to read, by position; further values of a row are skipped. */
  readonly copied: readonly boolean[]
  readonly asBytes: readonly boolean[]
}

const decoded = (bytes: Buffer, at: number, { asBytes, decode }: RowReader): Value => (asBytes[at] ? Buffer.from(bytes) : decode(bytes))

/** Reads the row at `from`, which must be a parenthesis, and returns the position after it. */
export const scanRow = (bytes: Buffer, from: number, values: Value[], reader: RowReader): number => {
  values.length = 0
  let at = from + 1
  for (;;) {
    at = skipBlank(bytes, at)
    if (at < 0) return at
    const index = values.length
    const wanted = reader.copied[index] === true
    let start = at
    while (at < bytes.length && (isWord(bytes[at] as number) || bytes[at] === 0x2e || bytes[at] === DASH || bytes[at] === 0x2b)) at++
    const word = at === start ? '' : bytes.toString('latin1', start, at)
    at = skipBlank(bytes, at)
    if (at < 0) return at
    const quote = bytes[at] as number
    if (quote === QUOTE || quote === DOUBLE) {
      start = at + 1
      at = skipQuoted(bytes, at)
      if (at < 0) return at
      if (!wanted) values.push(null)
      else if (word.toLowerCase() === 'x' || word.toLowerCase() === 'b') {
        const digits = bytes.toString('latin1', start, at - 1)
        values.push(decoded(word.toLowerCase() === 'x' ? Buffer.from(digits, 'hex') : binary(digits), index, reader))
      } else {
        const end = at - 1
        const plain = bytes.subarray(start, end)
        const escaped = plain.includes(BACKSLASH) || plain.includes(quote)
        values.push(decoded(escaped ? unescaped(bytes, start, end, quote) : plain, index, reader))
      }
      if (word !== '' && !/^(?:x|b|n|_[a-z0-9]+)$/i.test(word)) return BROKEN
    } else if (quote === COMMA || quote === CLOSE) {
      if (word === '') return BROKEN
      const value = literal(word)
      if (value === undefined) return BROKEN
      values.push(Buffer.isBuffer(value) ? decoded(value, index, reader) : value)
    } else {
      if (quote !== OPEN || word === '') return BROKEN
      at = skipExpression(bytes, at)
      if (at < 0) return at
      values.push(null)
    }
    at = skipBlank(bytes, at)
    if (at < 0) return at
    const byte = bytes[at++]
    if (byte === CLOSE) return at
    if (byte !== COMMA) return BROKEN
  }
}
