import { isUtf8 } from 'node:buffer'

const BACKSLASH = 0x5c
const QUOTE = 0x27
const DOUBLE = 0x22

/** Encoding labels of MySQL character sets. Texts that are valid UTF-8 are always decoded as UTF-8. */
const LABELS: Readonly<Record<string, string>> = {
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'iso-8859-9',
  latin7: 'iso-8859-13',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  tis620: 'windows-874',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp866: 'ibm866',
  macroman: 'macintosh',
}

export type Decode = (bytes: Buffer) => string

export const decoderOf = (charset: string): Decode => {
  const decoder = new TextDecoder(LABELS[charset.toLowerCase()] ?? 'windows-1252')
  return (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : decoder.decode(bytes))
}

const ESCAPED = new Uint8Array(256).map((_, byte) => byte)
for (const [letter, byte] of Object.entries({ '0': 0, b: 8, n: 10, r: 13, t: 9, Z: 26 })) ESCAPED[letter.charCodeAt(0)] = byte
const PERCENT = 0x25
const UNDERSCORE = 0x5f

/** Unescapes the bytes of a quoted string; `from` and `to` exclude the quotes. */
export const unescaped = (bytes: Buffer, from: number, to: number, quote: number): Buffer => {
  const plain = Buffer.allocUnsafe(to - from)
  let length = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH && at + 1 < to) {
      const next = bytes[++at] as number
      if (next === PERCENT || next === UNDERSCORE) plain[length++] = BACKSLASH
      plain[length++] = ESCAPED[next] as number
    } else {
      if (byte === quote) at++
      plain[length++] = byte
    }
  }
  return plain.subarray(0, length)
}

export { BACKSLASH, DOUBLE, QUOTE }
