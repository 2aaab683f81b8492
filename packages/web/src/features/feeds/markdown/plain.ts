import type { EditorNode } from './document.ts'
import { serialiseMarkdown } from './serialise.ts'

const paragraphOf = (text: string): EditorNode => ({
  type: 'paragraph',
  content: text
    .split('\n')
    .flatMap((line, n): EditorNode[] => [
      ...(n > 0 ? [{ type: 'hardBreak' }] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line }]),
    ]),
})

/** Markdown that shows a plain text as it is. Empty lines divide paragraphs. */
export const plainToMarkdown = (text: string): string =>
  serialiseMarkdown({
    type: 'doc',
    content: text
      .replace(/\r\n?/g, '\n')
      .split(/\n{2,}/)
      .map(paragraphOf),
  })
