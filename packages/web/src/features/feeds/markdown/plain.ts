import type { EditorNode } from './document.ts'
import { serializeMarkdown } from './serialize.ts'

const paragraphOf = (text: string): EditorNode => ({
  type: 'paragraph',
  content: text
    .split('\n')
    .flatMap((line, n): EditorNode[] => [
      ...(n > 0 ? [{ type: 'hardBreak' }] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line }]),
    ]),
})

/** Plain text as a document. Blank lines separate paragraphs. */
export const plainToDocument = (text: string): EditorNode => ({
  type: 'doc',
  content: text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(paragraphOf),
})

/** Escapes plain text as Markdown. */
export const plainToMarkdown = (text: string): string => serializeMarkdown(plainToDocument(text))
