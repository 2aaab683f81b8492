/** Lexer state at the end of a line: outside of quotes and comments, or inside one that ends with `until`. */
export interface LexerState {
  readonly until: string | null
  /** Whether a backslash escapes the next character of the string. */
  readonly escapes: boolean
  /** Depth of nested comments. */
  readonly depth: number
  /** Whether the line ended with a semicolon outside of quotes and comments. */
  readonly ended: boolean
}

export const OUTSIDE: LexerState = { until: null, escapes: false, depth: 0, ended: false }

const OPENING = /'|"|--|\/\*|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/g
const COMMENT = /\/\*|\*\//g
const WORD_BEFORE = /[\w$\u0080-\uffff]/

const stringEnd = (line: string, from: number): number => {
  for (let at = from; at < line.length; at++) {
    const char = line[at]
    if (char === '\\') at += 1
    else if (char === "'") return at
  }
  return -1
}

const commentEnd = (line: string, from: number, depth: number): { at: number; depth: number } => {
  COMMENT.lastIndex = from
  let open = depth
  for (let found = COMMENT.exec(line); found; found = COMMENT.exec(line)) {
    open += found[0] === '/*' ? 1 : -1
    if (open === 0) return { at: COMMENT.lastIndex, depth: 0 }
  }
  return { at: line.length, depth: open }
}

/**
 * Reads a line of PostgreSQL SQL and returns the state at its end. Doubled quotes close and reopen a string, so they need no special
 * case. `plain`: strings without the prefix E have no escapes.
 */
export const lexLine = (line: string, before: LexerState, plain = true): LexerState => {
  let { until, escapes, depth } = before
  let at = 0
  let ended = false
  const code = (from: number, to: number) => {
    const text = line.slice(from, to).trimEnd()
    if (text !== '') ended = text.endsWith(';')
  }
  while (at < line.length) {
    if (depth > 0) {
      ;({ at, depth } = commentEnd(line, at, depth))
      continue
    }
    if (until !== null) {
      const end = escapes ? stringEnd(line, at) : line.indexOf(until, at)
      if (end < 0) break
      at = end + until.length
      until = null
      continue
    }
    OPENING.lastIndex = at
    const found = OPENING.exec(line)
    code(at, found?.index ?? line.length)
    if (!found) break
    const [mark] = found
    const previous = line[found.index - 1] ?? ''
    at = OPENING.lastIndex
    if (mark === '--') break
    if (mark === '/*') depth = 1
    else if (mark === "'") {
      until = mark
      escapes = !plain || (/e/i.test(previous) && !WORD_BEFORE.test(line[found.index - 2] ?? ''))
      ended = false
    } else if (mark === '"' || !WORD_BEFORE.test(previous)) {
      until = mark
      escapes = false
      ended = false
    } else at = found.index + 1
  }
  return { until, escapes: until !== null && escapes, depth, ended: ended && until === null && depth === 0 }
}
