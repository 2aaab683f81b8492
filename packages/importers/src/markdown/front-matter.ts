import { isCollection, LineCounter, type Node, parseDocument } from 'yaml'
import type { Report } from '../report.ts'

/** Structured data of a file, with line numbers. */
export interface Fields {
  readonly file: string
  readonly report: Report
  /** The parsed data; an empty object if the file has none. */
  readonly data: Readonly<Record<string, unknown>>
  /** The line of a value, or of its closest existing parent. */
  lineOf(...path: readonly (string | number)[]): number
}

export interface Page {
  readonly fields: Fields
  readonly body: string
  /** First line of the body. */
  readonly bodyLine: number
}

const FENCE = /^---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m
const MOST_ALIASES = 20

/** Parses YAML, which includes JSON; `before` is the number of lines before it in the file. */
export const readFields = (file: string, source: string, report: Report, before = 0): Fields => {
  const counter = new LineCounter()
  const document = parseDocument(source, { lineCounter: counter, prettyErrors: false, schema: 'core', uniqueKeys: true })
  const line = (offset: number) => counter.linePos(offset).line + before
  for (const { pos, message } of [...document.errors, ...document.warnings]) report.error(file, line(pos[0]), message)
  const lineOf = (...path: readonly (string | number)[]) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.errors.length === 0 ? (document.getIn(path.slice(0, length), true) as Node | undefined) : undefined
      if (node?.range) return line(node.range[0])
    }
    return before + 1
  }
  const none = { file, report, data: {}, lineOf }
  if (document.errors.length > 0 || document.contents === null) return none
  if (!isCollection(document.contents)) {
    report.error(file, before + 1, 'needs lines such as "title: …"')
    return none
  }
  try {
    const data: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return { file, report, data: data as Record<string, unknown>, lineOf }
    report.error(file, before + 1, 'needs lines such as "title: …"')
  } catch (error) {
    report.error(file, before + 1, (error as Error).message)
  }
  return none
}

/** Splits a page into YAML front matter, if any, and body. */
export const readPage = (file: string, source: string, report: Report): Page => {
  const match = FENCE.exec(source)
  if (match?.index !== 0) {
    if (/^---[ \t]*\r?\n/.test(source)) report.error(file, 1, 'the front matter is not closed: add a line with --- after the data')
    return { fields: readFields(file, '', report), body: source, bodyLine: 1 }
  }
  return {
    fields: readFields(file, match[1] as string, report, 1),
    body: source.slice(match[0].length),
    bodyLine: match[0].split('\n').length,
  }
}
