import { bareName, columnNames, type Values } from './text.ts'

export interface InsertRows {
  readonly table: string
  /** Null if the statement has no column list. */
  readonly columns: string[] | null
  readonly rows: Values[]
}

const NAME = '(?:"(?:[^"]|"")*"|[^\\s("]+?)'
const HEAD = new RegExp(
  `^INSERT INTO (?:ONLY )?(${NAME}(?:\\.${NAME})?)\\s*(?:\\(((?:[^()"]|"(?:[^"]|"")*")*)\\)\\s*)?(?:OVERRIDING (?:SYSTEM|USER) VALUE\\s+)?VALUES\\s*`,
)
const WORD = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|NULL|true|false/y
const PREFIX = /\s*(?:([eEbBxX])?')?/y
/** White space and a cast such as `::text[]`. */
const SUFFIX = /(?:::[\w ."[\]]{1,100}?(?=\s{0,10}[,)]))?\s*/y
const ESCAPED = /\\(?:([bfnrt])|([\s\S]))/g
const CONTROL: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const WORDS: ReadonlyMap<string, string | null> = new Map([
  ['NULL', null],
  ['true', 't'],
  ['false', 'f'],
])

/** Position of the closing quote of the string at `from`; -1 if it is not closed. */
const closingQuote = (text: string, from: number, escapes: boolean): number => {
  for (let at = from; ; at += 2) {
    if (escapes) {
      while (at < text.length && text[at] !== "'") at += text[at] === '\\' ? 2 : 1
      if (at >= text.length) return -1
    } else {
      at = text.indexOf("'", at)
      if (at < 0) return -1
    }
    if (text[at + 1] !== "'") return at
  }
}

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const valueAt = (text: string, start: number): { value: string | null; end: number } | null => {
  const at = matchEnd(PREFIX, text, start)
  if (text[at - 1] !== "'") {
    const end = matchEnd(WORD, text, at)
    if (end === at) return null
    const word = text.slice(at, end)
    return { value: WORDS.has(word) ? (WORDS.get(word) ?? null) : word, end: matchEnd(SUFFIX, text, end) }
  }
  const escapes = /[eE]/.test(text[at - 2] ?? '')
  const close = closingQuote(text, at, escapes)
  if (close < 0) return null
  const string = text.slice(at, close).replaceAll("''", "'")
  const value = escapes
    ? string.replace(ESCAPED, (_, control: string, char: string) => (control ? (CONTROL[control] ?? '') : char))
    : string
  return { value, end: matchEnd(SUFFIX, text, close + 1) }
}

/** The table of an INSERT statement; null for other statements. */
export const insertTable = (start: string): string | null => {
  const head = /^INSERT INTO (?:ONLY )?((?:"(?:[^"]|"")*"|[^\s("])+)/.exec(start)
  return head ? bareName(head[1] as string) : null
}

/** The rows of an INSERT statement with VALUES; null for other forms. */
export const insertRows = (statement: string): InsertRows | null => {
  const head = HEAD.exec(statement)
  if (!head) return null
  const rows: Values[] = []
  let at = head[0].length
  for (;;) {
    if (statement[at] !== '(') return null
    at += 1
    const row: Values = []
    for (;;) {
      const found = valueAt(statement, at)
      if (!found) return null
      row.push(found.value)
      at = found.end
      const separator = statement[at]
      at += 1
      if (separator === ')') break
      if (separator !== ',') return null
    }
    rows.push(row)
    const next = /\s*(,|;|ON CONFLICT DO NOTHING\s*;)\s*/y
    next.lastIndex = at
    const found = next.exec(statement)
    if (!found) return null
    at = next.lastIndex
    if (found[1] !== ',') break
  }
  return { table: bareName(head[1] as string), columns: head[2] === undefined ? null : columnNames(head[2]), rows }
}
