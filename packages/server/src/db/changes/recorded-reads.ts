import { AsyncLocalStorage } from 'node:async_hooks'
import { isTable } from './table-tags.ts'

/** Collects the tables that statements read. */
export interface ReadRecorder {
  readonly tables: Set<string>
}

const recorders = new AsyncLocalStorage<ReadRecorder | null>()
/** Without a running recorder, a statement costs one comparison. */
let running = 0

/** Runs `work`; the tables that its statements read are added to `recorder`. */
export const recordReads = async <T>(recorder: ReadRecorder, work: () => T | Promise<T>): Promise<T> => {
  running += 1
  try {
    return await recorders.run(recorder, work)
  } finally {
    running -= 1
  }
}

/** The recorder of the work that is running. */
export const currentRecorder = (): ReadRecorder | null | undefined => (running > 0 ? recorders.getStore() : undefined)

/** Each database connection calls it with the text of each statement. */
export const recordStatement = (sql: string): void => {
  if (running === 0) return
  const recorder = recorders.getStore()
  if (recorder) for (const table of tablesReadBy(sql)) recorder.tables.add(table)
}

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|"(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_.]*|[(),]/g
/** Words that may stand between `from` or `join` and a table. */
const BEFORE_TABLE = new Set(['only', 'lateral'])
/** Words that end the list of tables of a `from`. */
const CLAUSES = new Set(['where', 'group', 'order', 'having', 'limit', 'union', 'except', 'intersect', 'select', 'values', 'returning'])

const parse = (sql: string): readonly string[] => {
  const found = new Set<string>()
  // One level per open parenthesis: whether it is inside the list of tables of a `from`.
  const levels = [false]
  let expected = false
  let before = ''
  for (const [text] of sql.matchAll(TOKEN)) {
    const token = (text.startsWith('"') ? text.slice(1, -1) : text).toLowerCase()
    if (token === '(') levels.push(expected)
    else if (token === ')') {
      if (levels.length > 1) levels.pop()
      expected = false
    } else if (token === ',') expected = levels.at(-1) === true
    else if (token === 'from' || token === 'join') {
      // `is distinct from x` compares.
      expected = before !== 'distinct'
      if (expected) levels[levels.length - 1] = true
    } else if (CLAUSES.has(token)) {
      levels[levels.length - 1] = false
      expected = false
    } else if (expected && !BEFORE_TABLE.has(token)) {
      found.add(token)
      expected = false
    }
    before = token
  }
  return [...found].filter(isTable)
}

const known = new Map<string, readonly string[]>()
const MAX_TEXTS = 4000

/** The tables that a statement reads: those in its `from` and `join` clauses. A common table expression with the name of a table counts as well. */
export const tablesReadBy = (sql: string): readonly string[] => {
  const before = known.get(sql)
  if (before) return before
  if (known.size >= MAX_TEXTS) known.clear()
  const tables = parse(sql)
  known.set(sql, tables)
  return tables
}
