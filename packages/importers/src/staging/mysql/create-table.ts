import { skipQuoted } from './scan-row.ts'

const KEYS = /^(?:primary|unique|key|index|fulltext|spatial|constraint|check|foreign|period|like)$/i
const IDENTIFIER = /^\s*(?:`((?:[^`]|``)+)`|"((?:[^"]|"")+)"|([\w$\u0080-\uffff]+))\s*([a-z]*)/i

/** Splits the definitions between the outer parentheses at commas outside of quotes and inner parentheses. */
const definitions = (bytes: Buffer, from: number): string[] => {
  const parts: string[] = []
  let depth = 0
  let start = from + 1
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at]
    if (byte === 0x27 || byte === 0x22 || byte === 0x60) {
      const end = skipQuoted(bytes, at)
      if (end < 0) return parts
      at = end
      continue
    }
    if (byte === 0x28) depth++
    else if (byte === 0x29) depth--
    if ((byte === 0x2c && depth === 1) || depth === 0) {
      parts.push(bytes.toString('utf8', start, at))
      start = at + 1
      if (depth === 0) return parts
    }
    at++
  }
  return parts
}

/** The column names of a `CREATE TABLE` statement, in order. Generated columns are excluded, because dumps without column lists omit them. */
export const columnNames = (statement: Buffer): string[] => {
  const open = statement.indexOf('(')
  if (open < 0) return []
  return definitions(statement, open).flatMap((definition) => {
    const found = IDENTIFIER.exec(definition)
    if (!found) return []
    const quoted = found[1]?.replaceAll('``', '`') ?? found[2]?.replaceAll('""', '"')
    if (quoted !== undefined) return [quoted]
    const word = found[3] as string
    return KEYS.test(word) ? [] : [word]
  })
}
