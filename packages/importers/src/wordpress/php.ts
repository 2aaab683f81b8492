/**
 * Deserialized PHP values. Arrays are maps, because their keys are ordered. Objects become maps of their fields; classes are never
 * instantiated.
 */
export type PhpValue = string | number | boolean | null | PhpArray
export type PhpArray = Map<string, PhpValue>

export type Unserialized = { readonly value: PhpValue } | { readonly broken: string }

const MOST_DEPTH = 100
const MOST_ELEMENTS = 1_000_000

const COLON = 0x3a
const SEMICOLON = 0x3b
const QUOTE = 0x22
const OPEN = 0x7b
const CLOSE = 0x7d

class Broken extends Error {}

const fail = (reason: string): never => {
  throw new Broken(reason)
}

interface Frame {
  readonly array: PhpArray
  /** Number of remaining elements. */
  left: number
  key: string | null
}

class Parser {
  readonly #bytes: Buffer
  #at = 0
  #elements = 0

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
  }

  read(): PhpValue {
    const frames: Frame[] = []
    for (;;) {
      const frame = frames.at(-1)
      // Some arrays have fewer elements than they declare.
      if (frame && (frame.left === 0 || (frame.key === null && this.#bytes[this.#at] === CLOSE))) {
        this.#expect(CLOSE)
        frames.pop()
        const outer = frames.at(-1)
        if (!outer) return frame.array
        this.#put(outer, frame.array)
        continue
      }
      const value = frame && frame.key === null ? this.#key(frame) : this.#value(frames)
      if (value === undefined) continue
      if (!frame) return value
      this.#put(frame, value)
    }
  }

  #put(frame: Frame, value: PhpValue): void {
    frame.array.set(frame.key as string, value)
    frame.key = null
    frame.left--
  }

  #key(frame: Frame): undefined {
    const type = this.#bytes[this.#at]
    if (type !== 0x69 && type !== 0x73) fail('an array has an invalid key')
    const key = this.#value([])
    // PHP marks private and protected fields with NULs.
    frame.key = String(key).replace(/^\0[^\0]*\0/, '')
    return undefined
  }

  /** A scalar; undefined after the start of an array. */
  #value(frames: Frame[]): PhpValue | undefined {
    const type = String.fromCharCode(this.#bytes[this.#at] ?? 0)
    if (type === 'N') {
      this.#at++
      this.#expect(SEMICOLON)
      return null
    }
    this.#at++
    this.#expect(COLON)
    switch (type) {
      case 'i':
      case 'd':
        return this.#number()
      case 'b':
        return this.#number() !== 0
      case 's':
        return this.#string()
      case 'a':
        return this.#array(frames)
      case 'O':
        this.#length()
        this.#string(COLON)
        return this.#array(frames)
      case 'E':
        return this.#string()
      case 'r':
      case 'R':
        this.#number()
        return null
      default:
        return fail('it has a value of an unknown type')
    }
  }

  #array(frames: Frame[]): undefined {
    const left = this.#length()
    this.#expect(OPEN)
    this.#elements += left
    if (frames.length >= MOST_DEPTH) fail(`its arrays are nested more than ${MOST_DEPTH} levels deep`)
    if (this.#elements > MOST_ELEMENTS || left > this.#bytes.length) fail('its arrays have too many elements')
    frames.push({ array: new Map(), left, key: null })
    return undefined
  }

  #expect(byte: number): void {
    if (this.#bytes[this.#at] !== byte) fail(this.#at >= this.#bytes.length ? 'it is truncated' : 'it is not valid PHP serialization')
    this.#at++
  }

  #until(end: number): string {
    const found = this.#bytes.indexOf(end, this.#at)
    if (found < 0) fail('it is truncated')
    if (found - this.#at > 32) fail('it is not valid PHP serialization')
    const text = this.#bytes.toString('latin1', this.#at, found)
    this.#at = found + 1
    return text
  }

  #number(): number {
    const text = this.#until(SEMICOLON)
    const number = text === 'INF' ? Number.MAX_VALUE : text === '-INF' ? -Number.MAX_VALUE : text === 'NAN' ? 0 : Number(text)
    return Number.isNaN(number) || text.trim() === '' ? fail('it has an invalid number') : number
  }

  #length(): number {
    const text = this.#until(COLON)
    return /^\d{1,10}$/.test(text) ? Number(text) : fail('it has an invalid length')
  }

  /** A string after its colon: `5:"value";`, or only `"Name":` for a class. */
  #string(after = SEMICOLON): string {
    const length = after === COLON ? this.#classLength() : this.#length()
    this.#expect(QUOTE)
    const end = this.#at + length
    const bytes = this.#bytes
    const close = bytes[end] === QUOTE && bytes[end + 1] === after ? end : this.#close(after)
    const text = bytes.toString('utf8', this.#at, close)
    this.#at = close + 2
    return text
  }

  #classLength(): number {
    const end = this.#bytes.indexOf(QUOTE, this.#at + 1)
    return end < 0 ? fail('it is truncated') : end - this.#at - 1
  }

  /** End of a string with a wrong length: the first quote followed by another value or the end of the array. */
  #close(after: number): number {
    const bytes = this.#bytes
    for (let at = bytes.indexOf(QUOTE, this.#at); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
      if (bytes[at + 1] !== after) continue
      const next = bytes.toString('latin1', at + 2, at + 6)
      if (next === '' || /^(?:\}|N;|[abdisEOrR]:\d|[d]:-|i:-)/.test(next)) return at
    }
    return fail('it is truncated')
  }
}

/** Deserializes a PHP value. Strings with a wrong length, a result of replaced domains and changed encodings, are read to their closing quote. */
export const unserialize = (text: string): Unserialized => {
  try {
    return { value: new Parser(text).read() }
  } catch (error) {
    if (error instanceof Broken) return { broken: error.message }
    throw error
  }
}
