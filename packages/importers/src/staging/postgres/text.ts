/** Row values as text in PostgreSQL's output format; null for NULL. */
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

/** Parses a column list such as `_key, "array", type`. */
export const columnNames = (list: string): string[] => [...list.matchAll(NAME)].map(([name]) => bareName(name))
