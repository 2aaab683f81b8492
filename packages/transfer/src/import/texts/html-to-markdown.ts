import { sanitizeForeign } from '@lyceum/content'
import { lazy } from '@lyceum/content/lazy'
import TurndownService from 'turndown'

/** Frames, such as videos, become links. */
const FRAME = /<iframe\b[^<>]{0,4000}?\bsrc\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})')[^<>]{0,4000}>/gi

const inCell = (content: string): string =>
  content
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')

/** The parts of a DOM node that the rules for tables need. */
interface Node {
  readonly nodeName: string
  readonly parentNode: Node | null
  readonly previousSibling: Node | null
  readonly childNodes: ArrayLike<Node>
}

const isHeadingRow = ({ parentNode: parent, previousSibling: before }: Node): boolean =>
  parent?.nodeName === 'THEAD' || (before === null && (parent?.nodeName === 'TABLE' || parent?.previousSibling === null))

const cellsOf = (row: Node): number => Array.from(row.childNodes).filter(({ nodeName }) => /^T[DH]$/.test(nodeName)).length

const service = lazy(() => {
  const made = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*', hr: '---' })
  made.addRule('deleted', { filter: ['del', 's'], replacement: (content) => (content.trim() ? `~~${content}~~` : content) })
  made.addRule('cell', { filter: ['td', 'th'], replacement: (content) => ` ${inCell(content)} |` })
  made.addRule('row', {
    filter: 'tr',
    replacement: (content, given) => {
      const node = given as unknown as Node
      const line = `|${content}\n`
      return isHeadingRow(node) ? `${line}|${' --- |'.repeat(cellsOf(node))}\n` : line
    },
  })
  made.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  made.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
  return made
})

/** Mentions with escaped characters. Escapes have no effect in mentions. */
const ESCAPED_MENTION = /(?<![\p{L}\p{N}_/@.-])@(?:[\p{L}\p{N}.-]|\\?_)+/gu
const ESCAPED_ADDRESS = /https?:\/\/[^\s<>()]+/g
const unescaped = (text: string): string => text.replace(/\\([_*~[\]-])/g, '$1')

/**
 * Converts HTML to Markdown. The HTML is sanitized first, which limits its nesting and its number of elements. `origin` makes
 * paths absolute.
 */
export const htmlToMarkdown = (html: string, origin: string): string => {
  const withoutFrames = html.includes('<iframe') ? html.replace(FRAME, (_, a, b) => `<p><a href="${a ?? b}">${a ?? b}</a></p>`) : html
  const safe = sanitizeForeign(withoutFrames, { origin })
  return service().turndown(safe).replace(ESCAPED_MENTION, unescaped).replace(ESCAPED_ADDRESS, unescaped).trim()
}
