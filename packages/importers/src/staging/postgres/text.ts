/** Values of a row as text, as PostgreSQL writes them; null for NULL. */
export type Values = (string | null)[]

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([\s\S]))/g

const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, octal: string | undefined, hex: string | undefined, char: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return ESCAPES[char] ?? char
  })

/** The values of a line of a COPY section. */
export const copyValues = (line: string): Values => {
  const values: Values = line.split('\t')
  if (!line.includes('\\')) return values
  return values.map((value) => (value === '\\N' ? null : (value as string).includes('\\') ? unescaped(value as string) : value))
}

/** `public."user"` → `user` */
export const bareName = (name: string): string => {
  const last = /(?:^|\.)(?:"((?:[^"]|"")*)"|([^".]+))$/.exec(name.trim())
  return last ? (last[1]?.replaceAll('""', '"') ?? last[2] ?? '') : name
}

const NAME = /"(?:[^"]|"")*"|[^\s,"()]+/g

/** `_key, "array", type` → the names */
export const columnNames = (list: string): string[] => [...list.matchAll(NAME)].map(([name]) => bareName(name))

/** A top-level array such as `{a,"b, c",NULL}`; null if it is not one. */
export const arrayItems = (text: string): Values | null => {
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  if (text === '{}') return []
  const items: Values = []
  const item = /"((?:[^"\\]|\\[\s\S])*)"|([^",{}]+)/y
  let at = 1
  for (;;) {
    item.lastIndex = at
    const found = item.exec(text)
    if (!found) return null
    items.push(found[1] !== undefined ? found[1].replace(/\\([\s\S])/g, '$1') : found[2] === 'NULL' ? null : (found[2] as string))
    at = item.lastIndex
    if (at === text.length - 1) return items
    if (text[at] !== ',') return null
    at += 1
  }
}
