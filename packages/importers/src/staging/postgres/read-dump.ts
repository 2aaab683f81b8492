import { UnreadableSource } from '../../source.ts'
import type { TableShape, Wanted } from '../shape.ts'
import type { Loader, Staging } from '../staging.ts'
import { type Decode, decoderFor } from './encoding.ts'
import { insertRows, insertTable } from './insert.ts'
import { type LexerState, lexLine, OUTSIDE } from './lexer.ts'
import { type Line, linesOf } from './lines.ts'
import { bareName, columnNames, copyValues } from './text.ts'

/** A COPY section; has no loader if the table is not needed. */
interface Section {
  readonly table: string
  readonly columns: number
  readonly loader: Loader | null
}

/** An incomplete statement, with its lines if it inserts into a needed table. */
interface Statement {
  readonly table: string | null
  readonly line: number
  readonly kept: string[]
  bytes: number
}

interface Created {
  readonly table: string
  readonly columns: string[]
}

const LONGEST = 64 * 1024 * 1024
const COPY = /^COPY ([^(]+) \((.*)\) FROM stdin;$/i
const CLIENT_ENCODING = /^SET client_encoding (?:=|TO) '?(\w+)'?;$/i
const BACKSLASHES_ESCAPE = /^SET standard_conforming_strings (?:=|TO) '?off'?;$/i
const CREATE = /^CREATE (?:UNLOGGED )?TABLE (\S+) \($/i
const COLUMN = /^\s+("(?:[^"]|"")*"|[a-z_][\w$]*) /

const endsCopy = (bytes: Buffer | null) => bytes?.length === 2 && bytes[0] === 0x5c && bytes[1] === 0x2e

/**
 * Copies tables of a plain SQL dump of pg_dump, with COPY sections or INSERT statements. Texts of members cannot be mistaken for statements:
 * values in COPY sections have no newlines, and all other statements are lexed.
 * @throws UnreadableSource if the dump is incomplete
 */
export const stagePostgresDump = async (
  staging: Staging,
  chunks: AsyncIterable<Buffer>,
  wanted: Wanted,
  longest = LONGEST,
): Promise<void> => {
  let decode: Decode = decoderFor('UTF8')
  let plainStrings = true
  let section: Section | null = null
  let statement: Statement | null = null
  let created: Created | null = null
  let lexer: LexerState = OUTSIDE
  let last = 0
  const declared = new Map<string, readonly string[]>()
  const broken = (table: string, line: number, reason: string) => staging.report({ table, place: `line ${line}`, reason })
  const TOO_LONG = `it is longer than ${longest} bytes`

  const textOf = (bytes: Buffer, table: string, line: number) => {
    const { text, valid } = decode(bytes)
    if (!valid) broken(table, line, 'it has invalid bytes, which were replaced')
    return text
  }

  const openSection = (name: string, columns: string[]): Section => {
    const table = bareName(name)
    const shape = wanted(table)
    return { table, columns: columns.length, loader: shape && staging.loader(table, shape, columns) }
  }

  const copyLine = ({ number, bytes }: Line, { table, loader }: Section) => {
    if (!loader) return
    if (bytes) loader.add(copyValues(textOf(bytes, table, number)), `line ${number}`)
    else broken(table, number, TOO_LONG)
  }

  const insert = ({ table, line, kept, bytes }: Statement) => {
    const shape: TableShape | null = table === null ? null : wanted(table)
    if (table === null || !shape) return
    const found = bytes > longest ? null : insertRows(kept.join('\n'))
    if (!found) return broken(table, line, bytes > longest ? TOO_LONG : 'it is an unsupported form of INSERT statement')
    const loader = staging.loader(table, shape, found.columns ?? declared.get(table) ?? Object.keys(shape.columns))
    for (const row of found.rows) loader.add(row, `line ${line}`)
  }

  const begin = (text: string, number: number) => {
    const encoding = CLIENT_ENCODING.exec(text)
    if (encoding) decode = decoderFor(encoding[1] as string)
    if (BACKSLASHES_ESCAPE.test(text)) plainStrings = false
    const name = CREATE.exec(text)
    created = name && { table: bareName(name[1] as string), columns: [] }
    const target = insertTable(text)
    statement = { table: target !== null && wanted(target) ? target : null, line: number, kept: [], bytes: 0 }
  }

  const sqlLine = ({ number, bytes }: Line) => {
    if (!bytes) throw new UnreadableSource(`Line ${number} of the dump is longer than ${longest} bytes.`)
    if (!statement && bytes.length === 0) return
    const { text } = decode(bytes)
    if (!statement) {
      if (text.trim() === '' || text.startsWith('--') || text.startsWith('\\')) return
      const copy = COPY.exec(text)
      if (copy) {
        section = openSection(copy[1] as string, columnNames(copy[2] as string))
        return
      }
      begin(text, number)
    } else if (created) {
      const column = COLUMN.exec(text)
      if (column) created.columns.push(bareName(column[1] as string))
    }
    const current = statement as unknown as Statement
    if (current.table !== null) {
      current.bytes += bytes.length + 1
      if (current.bytes <= longest) current.kept.push(text)
      else current.kept.length = 0
    }
    lexer = lexLine(text, lexer, plainStrings)
    if (!lexer.ended) return
    insert(current)
    if (created) declared.set(created.table, created.columns)
    created = null
    statement = null
  }

  for await (const lines of linesOf(chunks, longest)) {
    for (const line of lines) {
      last = line.number
      if (!section) sqlLine(line)
      else if (endsCopy(line.bytes)) section = null
      else copyLine(line, section)
    }
  }
  const open = section ? `the table ${(section as Section).table}` : statement ? 'a statement' : null
  if (open) throw new UnreadableSource(`The dump ends in line ${last} within ${open}; it is not complete.`)
}
