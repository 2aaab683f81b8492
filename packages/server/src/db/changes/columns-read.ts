/** A column that a statement reads, and the name that its table has there; '' if the column is not qualified. */
export interface ColumnRead {
  readonly table: string
  readonly alias: string
  /** `*` for all of them. */
  readonly column: string
}

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|::\s*\w+|"(?:[^"]|"")*"|\$?\d\w*|[A-Za-z_][\w.]*\*?|[(),*]/g
/** Words that may stand between `from` or `join` and a table. */
const BEFORE_TABLE = new Set(['only', 'lateral'])
/** Words that end the list of tables of a `from`. */
const CLAUSES = new Set(['where', 'group', 'order', 'having', 'limit', 'union', 'except', 'intersect', 'select', 'values', 'returning'])
/** Other words that are not columns. One that is missing here costs cache hits. */
const OTHER_WORDS = `all and any as asc between by case collate conflict cross current_timestamp default delete desc distinct do else end escape
  excluded exists false filter first following for from full if ignore ilike in inner insert into is isnull join key last left like limit match
  materialized natural no not nothing notnull null nulls of offset on or outer over partition preceding range recursive right row rows set share
  skip locked then ties to true unbounded update using when window with within without`
const KEYWORDS = new Set([...BEFORE_TABLE, ...CLAUSES, ...OTHER_WORDS.split(/\s+/)])
/** What follows `as` after the name of a common table expression. */
const BODY = new Set(['(', 'materialized', 'not'])
/** A column of PostgreSQL that changes with every update: values do not contain it, entries are compared with it. */
const ROW_VERSION = 'xmin'

/** The rows and columns that a statement may read: of tables in its `from` and `join` clauses, which may also be common table expressions. */
export const parseColumns = (sql: string, isTable: (name: string) => boolean): readonly ColumnRead[] => {
  const tokens = [...sql.matchAll(TOKEN)].map(([text]) => (text.startsWith('"') ? text.slice(1, -1) : text).toLowerCase())
  /** The tables by the names that they have in the statement. */
  const named = new Map<string, Set<string>>()
  const name = (alias: string, table: string) => named.set(alias, (named.get(alias) ?? new Set()).add(table))
  const words: string[] = []
  // One level per open parenthesis: whether it is inside the list of tables of a `from`.
  const levels = [false]
  let expected = false
  // The table whose alias may follow; '' for anything else that may have one.
  let source: string | null = null
  tokens.forEach((token, i) => {
    const [before = '', after = ''] = [tokens[i - 1], tokens[i + 1]]
    const isWord = /^[a-z_]/.test(token)
    const unnamed = source
    if (token !== 'as') source = null
    if (token === '(') levels.push(expected)
    else if (token === ')') {
      if (levels.length > 1) levels.pop()
      source = ''
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
      source = isTable(token) ? token : ''
      const hasAlias = isWord && /^[a-z_]\w*$/.test(after) && (after === 'as' || !KEYWORDS.has(after))
      if (source && !hasAlias) name(source, source)
      expected = false
    } else if (unnamed !== null && isWord && !KEYWORDS.has(token)) {
      if (unnamed) name(token, unnamed)
    } else if (token === '*') {
      if (before === 'select' || before === 'distinct' || before === ',') words.push(token)
    } else if (isWord && before !== 'as' && after !== '(' && !KEYWORDS.has(token) && !(after === 'as' && BODY.has(tokens[i + 2] ?? '')))
      words.push(token)
  })
  const read = new Map<string, ColumnRead>()
  const add = (table: string, alias: string, column: string) => read.set(`${table} ${alias} ${column}`, { table, alias, column })
  for (const [alias, tables] of named) for (const table of tables) add(table, alias, 'id')
  for (const word of new Set(words)) {
    const [alias = '', column] = word.split('.')
    if (column === ROW_VERSION) continue
    if (column !== undefined || named.has(alias)) for (const table of named.get(alias) ?? []) add(table, alias, column ?? '*')
    else for (const table of new Set([...named.values()].flatMap((tables) => [...tables]))) add(table, '', alias)
  }
  return [...read.values()]
}
