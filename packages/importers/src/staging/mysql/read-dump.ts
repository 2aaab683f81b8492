import { UnreadableSource } from '../../source.ts'
import { type ByteWindow, createByteWindow } from '../byte-window.ts'
import { type Limits, readDumpFile } from '../open-file.ts'
import type { TableShape, Value, Wanted } from '../shape.ts'
import type { Loader, Staging } from '../staging.ts'
import { columnNames } from './create-table.ts'
import { decoderOf } from './decode.ts'
import { BROKEN, INCOMPLETE, type RowReader, scanRow, skipBlank, skipQuoted } from './scan-row.ts'

/** Maximum size of a row, and of any other statement that is read. MySQL allows 1 GB, by default 64 MB. */
const MOST_ROW = 128 * 1024 * 1024
const MOST_STATEMENT = 4 * 1024 * 1024

/** White space without the no-break space, whose byte can be part of a character. */
const S = '[ \\t\\r\\n]'
const NAME = '(?:`((?:[^`]|``)+)`|"((?:[^"]|"")+)"|([\\w$\\u0080-\\uffff]+))'
const TABLE = `(?:${NAME}${S}*\\.${S}*)?${NAME}`
const OPEN = 0x28
const COMMA = 0x2c
const SEMICOLON = 0x3b
const NEWLINE = 0x0a
const BROKEN_ROW = 'it is malformed, or larger than 128 MB'

const CREATE = new RegExp(`^create${S}+(?:temporary${S}+)?table${S}+(?:if${S}+not${S}+exists${S}+)?${TABLE}${S}*\\(`, 'i')
const DROP = new RegExp(`^drop${S}+table${S}+(?:if${S}+exists${S}+)?${TABLE}${S}*(?=;)`, 'i')
const INSERT = new RegExp(
  `^(?:insert|replace)${S}+(?:(?:low_priority|delayed|high_priority|ignore)${S}+)*(?:into${S}+)?${TABLE}${S}*(\\([^()]*\\)${S}*)?values?${S}*(?=\\()`,
  'i',
)
const NAMES = /^set\s+(?:names|character\s+set)\s+'?(\w+)/i
const DELIMITER = /^delimiter[ \t]+(\S+)/i
const COLUMN = new RegExp(NAME, 'g')

/** Decodes a name. Patterns match the dump as Latin-1, so that string lengths equal byte lengths. */
const utf8 = (name: string) => Buffer.from(name, 'latin1').toString('utf8')
const unquoted = (found: readonly (string | undefined)[], from: number): string =>
  utf8(found[from]?.replaceAll('``', '`') ?? found[from + 1]?.replaceAll('""', '"') ?? (found[from + 2] as string))

const KEYWORD =
  /^(?:insert|replace|create|drop|alter|lock|unlock|set|use|commit|start|begin|delimiter|truncate|delete|update|grant|flush|call|analyze|select)\b/i
/** Start of a statement. Dumps escape line breaks in texts, so a line that matches is never inside a text. */
const STATEMENT = /^(?:(?:insert|replace|create|drop|alter|lock|unlock|set|commit|start|begin|delimiter)\s|-- |\/\*!)/i

/** Bytes to read to recognize a statement: enough for most, and for long column lists. */
const HEADS = [512, 64 * 1024] as const
/** Rows above this size count against MOST_OVERSIZED if they are broken, because each is read to its end first. */
const LARGE = 8 * 1024 * 1024
const MOST_OVERSIZED = 16

/** Number of columns in a dump without table definitions. Older versions may have fewer, but all rows have as many as the first. */
interface Width {
  readonly columns: number
  values: number | null
}

interface Target {
  readonly loader: Loader
  readonly reader: RowReader
  readonly width: Width | null
}

const pad = (values: Value[], width: Width): void => {
  width.values ??= values.length
  if (values.length === width.values) while (values.length < width.columns) values.push(null)
}

class DumpReader {
  readonly #window: ByteWindow
  readonly #staging: Staging
  readonly #wanted: Wanted
  readonly #columns = new Map<string, readonly string[]>()
  readonly #targets = new Map<string, Target>()
  #decode = decoderOf('utf8mb4')
  #delimiter = ';'
  #oversized = 0
  /** State of mysqldump's closing comment, which proves that a dump is complete. */
  #closing: 'none' | 'expected' | 'found' = 'none'

  constructor(window: ByteWindow, staging: Staging, wanted: Wanted) {
    this.#window = window
    this.#staging = staging
    this.#wanted = wanted
  }

  async read(): Promise<void> {
    while (await this.#toStatement()) await this.#statement()
    if (this.#closing === 'expected') throw truncated('the database')
  }

  /** Runs a scanner, repeating it with more bytes while it needs them; null if the dump ends first. */
  async #scan(scanner: (bytes: Buffer, from: number) => number, most: number): Promise<number | null> {
    for (;;) {
      const end = scanner(this.#window.bytes, this.#window.at)
      if (end !== INCOMPLETE) return end
      if (this.#window.ended) return null
      if (this.#window.bytes.length - this.#window.at > most) return BROKEN
      await this.#window.more()
    }
  }

  #noteComments(from: number, to: number): void {
    if (to - from < 12) return
    const comments = this.#window.bytes.toString('latin1', from, to)
    if (/^-- (?:MySQL|MariaDB) dump /m.test(comments)) this.#closing = 'expected'
    if (/^-- Dump completed/m.test(comments)) this.#closing = 'found'
  }

  async #toStatement(): Promise<boolean> {
    const window = this.#window
    for (;;) {
      const end = await this.#scan(skipBlank, MOST_ROW)
      const found = end !== null && end >= 0
      this.#noteComments(window.at, found ? end : window.bytes.length)
      if (!found) return false
      window.at = end
      if (window.bytes[end] !== SEMICOLON) return true
      while (window.bytes[window.at] === SEMICOLON) window.at++
    }
  }

  /** Matches the start of the statement, with more bytes if the first attempt fails. */
  #match(pattern: RegExp): RegExpExecArray | null {
    for (const length of HEADS) {
      const found = pattern.exec(this.#window.bytes.toString('latin1', this.#window.at, this.#window.at + length))
      if (found) return found
    }
    return null
  }

  async #statement(): Promise<void> {
    const window = this.#window
    while (window.bytes.length - window.at < HEADS[1] && !window.ended) await window.more()
    const keyword = KEYWORD.exec(window.bytes.toString('latin1', window.at, window.at + 16))?.[0].toLowerCase()
    // Export programs may write warnings between the statements.
    if (!keyword) return this.#skipLine()
    if (keyword === 'delimiter') {
      const [line, delimiter = ';'] = this.#match(DELIMITER) ?? ['delimiter']
      this.#delimiter = delimiter
      window.at += line.length
      return
    }
    if (this.#delimiter !== ';') return this.#skipBody()
    if (keyword === 'insert' || keyword === 'replace') {
      const insert = this.#match(INSERT)
      return insert ? this.#insert(unquoted(insert, 4), insert[7], insert[0].length) : this.#skip()
    }
    // The following statements may have other columns or another character set.
    this.#targets.clear()
    if (keyword === 'set') this.#decode = decoderOf(this.#match(NAMES)?.[1] ?? 'latin1')
    if (keyword === 'create') await this.#create()
    const dropped = keyword === 'drop' && this.#match(DROP)
    if (dropped) this.#staging.drop(unquoted(dropped, 4))
    await this.#skip()
  }

  async #create(): Promise<void> {
    const create = this.#match(CREATE)
    if (!create) return
    const table = unquoted(create, 4)
    const end = await this.#scan(endOfStatement, MOST_STATEMENT)
    if (end === null) throw truncated(`the definition of table ${table}`)
    if (end >= 0) this.#columns.set(table, columnNames(this.#window.bytes.subarray(this.#window.at, end)))
  }

  async #skipLine(): Promise<void> {
    const window = this.#window
    for (;;) {
      const end = window.bytes.indexOf(NEWLINE, window.at)
      window.at = end < 0 ? window.bytes.length : end
      if (end >= 0 || window.ended) return
      await window.more()
    }
  }

  /** Skips the statement without keeping it in memory. */
  async #skip(): Promise<void> {
    const window = this.#window
    for (let state: SkipState = 0; ; ) {
      const [at, next] = skipSome(window.bytes, window.at, state)
      window.at = at
      if (next === 'end') return
      state = next
      if (window.ended) {
        if (state !== 0) throw truncated('a statement')
        return
      }
      await window.more()
    }
  }

  /** Skips the body of a trigger or routine, up to the delimiter. */
  async #skipBody(): Promise<void> {
    const window = this.#window
    for (;;) {
      const end = window.bytes.indexOf(this.#delimiter, window.at)
      const delimiter = window.bytes.indexOf('\nDELIMITER ', window.at)
      if (delimiter >= 0 && (end < 0 || delimiter < end)) {
        window.at = delimiter
        return
      }
      window.at = end >= 0 ? end + this.#delimiter.length : Math.max(window.at, window.bytes.length - 64)
      if (end >= 0 || window.ended) return
      await window.more()
    }
  }

  /** The target of a statement's rows, cached by table and column list. */
  #target(table: string, shape: TableShape, list = ''): Target {
    const key = `${table} ${list}`
    const known = this.#targets.get(key)
    if (known) return known
    const listed = list === '' ? this.#columns.get(table) : Array.from(list.matchAll(COLUMN), (found) => unquoted(found, 1))
    const columns = listed ?? Object.keys(shape.columns)
    const loader = this.#staging.loader(table, shape, columns)
    const types = new Map(Object.entries(shape.columns).map(([column, type]) => [column.toLowerCase(), type]))
    const asBytes = columns.map((column) => types.get(column.toLowerCase()) === 'blob')
    const target = {
      loader,
      reader: { decode: this.#decode, copied: loader.copied, asBytes },
      width: listed ? null : { columns: columns.length, values: null },
    }
    this.#targets.set(key, target)
    return target
  }

  async #insert(table: string, list: string | undefined, length: number): Promise<void> {
    const window = this.#window
    const shape = this.#wanted(table)
    if (!shape) return this.#skip()
    const { loader, reader, width } = this.#target(table, shape, list)
    const values: Value[] = []
    const row = (bytes: Buffer, from: number) => scanRow(bytes, from, values, reader)
    window.at += length
    for (;;) {
      const place = `byte ${window.offset() + window.at}`
      let end: number | null = row(window.bytes, window.at)
      if (end === INCOMPLETE) {
        end = await this.#scan(row, MOST_ROW)
        if ((end === null || end < 0) && window.bytes.length - window.at > LARGE) this.#oversized++
        if (this.#oversized > MOST_OVERSIZED) throw new UnreadableSource(`The dump has too many broken rows in table ${table}.`)
      }
      if (end === null || end === BROKEN) {
        const next = await this.#resume()
        if (next === 'end') throw truncated(`table ${table}`)
        this.#staging.report({ table, place, reason: BROKEN_ROW })
        if (next === 'statement') return
        continue
      }
      if (width) pad(values, width)
      loader.add(values, place)
      window.at = end
      if ((await this.#toNextRow(table)) === 'statement') return
    }
  }

  /** Moves to the next row, or ends the statement. */
  async #toNextRow(table: string): Promise<'row' | 'statement'> {
    const window = this.#window
    const next = await this.#scan(skipBlank, MOST_ROW)
    if (next === null) {
      window.at = window.bytes.length
      return 'statement'
    }
    window.at = Math.max(next, window.at)
    const byte = window.bytes[window.at]
    if (byte === COMMA) {
      window.at++
      const start = await this.#scan(skipBlank, MOST_ROW)
      if (start === null) throw truncated(`table ${table}`)
      window.at = Math.max(start, window.at)
      if (window.bytes[window.at] === OPEN) return 'row'
    } else if (byte === SEMICOLON) return 'statement'
    else if (/^(?:on|as)\s/i.test(window.bytes.toString('latin1', window.at, window.at + 3))) {
      await this.#skip()
      return 'statement'
    } else if (KEYWORD.test(window.bytes.toString('latin1', window.at, window.at + 16))) return 'statement'
    this.#staging.report({ table, place: `byte ${window.offset() + window.at}`, reason: BROKEN_ROW })
    window.at--
    return (await this.#resume()) === 'row' ? 'row' : 'statement'
  }

  /** Continues after a broken row, at the next line that starts with a row or a statement. */
  async #resume(): Promise<'row' | 'statement' | 'end'> {
    const window = this.#window
    for (window.at++; ; ) {
      const line = window.bytes.indexOf(NEWLINE, window.at)
      if ((line < 0 || line + 32 > window.bytes.length) && !window.ended) {
        if (line < 0) window.at = window.bytes.length
        await window.more()
      } else if (line < 0) {
        window.at = window.bytes.length
        return 'end'
      } else {
        window.at = line + 1
        if (window.bytes[line + 1] === OPEN) return 'row'
        if (STATEMENT.test(window.bytes.toString('latin1', line + 1, line + 32))) return 'statement'
      }
    }
  }
}

const truncated = (what: string) =>
  new UnreadableSource(`The dump ends in the middle of ${what}: it is incomplete. Export the database again.`)

const endOfStatement = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at]
    if (byte === 0x3b) return at
    if (byte === 0x27 || byte === 0x22 || byte === 0x60) {
      at = skipQuoted(bytes, at)
      if (at < 0) return at
    } else at++
  }
  return INCOMPLETE
}

/** Outside of quotes (0), or in quotes of this kind. */
type SkipState = number

const skipSome = (bytes: Buffer, from: number, state: SkipState): [number, SkipState | 'end'] => {
  let quote = state
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (quote === 0) {
      if (byte === 0x3b) return [at + 1, 'end']
      if (byte === 0x27 || byte === 0x22 || byte === 0x60) quote = byte
    } else if (byte === 0x5c && quote !== 0x60) {
      if (at + 1 >= bytes.length) return [at, quote]
      at++
    } else if (byte === quote) quote = 0
    at++
  }
  return [at, quote]
}

/** Copies the wanted tables of a MySQL or MariaDB dump from mysqldump, phpMyAdmin, Adminer and similar programs. */
export const stageMysqlDump = async (staging: Staging, file: string, wanted: Wanted, limits?: Limits): Promise<void> => {
  const window = createByteWindow(readDumpFile(file, limits))
  try {
    await new DumpReader(window, staging, wanted).read()
  } finally {
    await window.close()
  }
}
