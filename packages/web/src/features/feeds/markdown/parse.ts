import type { Token } from 'markdown-it'
import { isAutolink, isPicture, markdown } from './dialect.ts'
import { type EditorMark, type EditorNode, LANGUAGE } from './document.ts'

interface Options {
  /** Whether single line breaks are kept, as in plain text. */
  readonly breaks?: boolean
}

const MARKS: Readonly<Record<string, string>> = { strong: 'bold', em: 'italic', s: 'strike' }
const BLOCKS: Readonly<Record<string, string>> = {
  bullet_list: 'bulletList',
  ordered_list: 'orderedList',
  list_item: 'listItem',
  blockquote: 'blockquote',
}
/** How an empty paragraph is written. */
const BLANK = '\u00A0'

const attributesOf = (token: Token) => ({ title: token.attrGet('title') })

/** Merges adjacent text nodes with the same marks. */
const joined = (nodes: readonly EditorNode[]): EditorNode[] => {
  const result: EditorNode[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (node.type === 'text' && last?.type === 'text' && JSON.stringify(last.marks) === JSON.stringify(node.marks))
      result[result.length - 1] = { ...last, text: `${last.text}${node.text}` }
    else result.push(node)
  }
  return result
}

/** The content of a paragraph or heading. */
const inlineOf = (tokens: readonly Token[], { breaks = false }: Options): EditorNode[] => {
  const marks: EditorMark[] = []
  const nodes: EditorNode[] = []
  const push = (node: EditorNode, ...more: EditorMark[]) => {
    // For nested marks of the same type, the outer one wins, as with nested links in HTML.
    const all = [...new Map([...marks, ...more].reverse().map((mark) => [mark.type, mark])).values()]
    nodes.push(all.length > 0 ? { ...node, marks: all } : node)
  }
  const text = (content: string, ...more: EditorMark[]) => content !== '' && push({ type: 'text', text: content }, ...more)
  let isBare = false
  for (const [n, token] of tokens.entries()) {
    const [, name = '', end] = /^(\w+?)_(open|close)$/.exec(token.type) ?? []
    const mark = MARKS[name]
    if (token.type === 'text' || token.type === 'mention') text(token.content)
    else if (token.type === 'code_inline') text(token.content, { type: 'code' })
    else if (token.type === 'hardbreak' || (token.type === 'softbreak' && breaks)) push({ type: 'hardBreak' })
    else if (token.type === 'softbreak') text(' ')
    else if (token.type === 'image') {
      const src = String(token.attrGet('src') ?? '')
      const alt = markdown.renderer.renderInlineAsText(token.children ?? [], markdown.options, {})
      if (isPicture(src)) push({ type: 'image', attrs: { src, alt, ...attributesOf(token) } })
    } else if (name === 'link') {
      const href = token.attrGet('href')
      // Autolinks stay plain text.
      if (end === 'open') isBare = token.markup === 'linkify' && isAutolink(tokens[n + 1]?.content ?? '', String(href))
      if (isBare) continue
      if (end === 'close')
        marks.splice(
          marks.findLastIndex(({ type }) => type === 'link'),
          1,
        )
      else marks.push({ type: 'link', attrs: { href, ...attributesOf(token) } })
    } else if (mark) {
      if (end === 'close')
        marks.splice(
          marks.findLastIndex(({ type }) => type === mark),
          1,
        )
      else marks.push({ type: mark })
    }
  }
  return joined(nodes)
}

const paragraphOf = (content: EditorNode[]): EditorNode => {
  const isBlank = content.length === 0 || (content.length === 1 && content[0]?.text === BLANK && !content[0].marks)
  return isBlank ? { type: 'paragraph' } : { type: 'paragraph', content }
}

const codeOf = ({ content, info }: Token): EditorNode => {
  const text = content.replace(/\n$/, '')
  return {
    type: 'codeBlock',
    attrs: { language: LANGUAGE.exec(markdown.utils.unescapeAll(info).trim().split(/\s/, 1)[0] ?? '')?.[0] ?? null },
    ...(text !== '' && { content: [{ type: 'text', text }] }),
  }
}

/** The editor has no tables, so their source is kept line by line. */
const tableOf = (lines: readonly string[]): EditorNode => ({
  type: 'paragraph',
  content: lines.flatMap((line, n): EditorNode[] => [...(n > 0 ? [{ type: 'hardBreak' }] : []), { type: 'text', text: line.trim() }]),
})

/** Converts Markdown to an editor document. */
export const parseMarkdown = (source: string, options: Options = {}): EditorNode => {
  const lines = source.split('\n')
  const stack: { readonly node: EditorNode; readonly content: EditorNode[] }[] = [{ node: { type: 'doc' }, content: [] }]
  const add = (node: EditorNode) => stack.at(-1)?.content.push(node)
  const close = () => {
    const top = stack.pop()
    if (!top) return
    const { node, content } = top
    // The schema requires content, and list items start with a paragraph.
    if (node.type === 'listItem' && content[0]?.type !== 'paragraph') content.unshift({ type: 'paragraph' })
    if (content.length === 0 && node.type !== 'heading') content.push({ type: 'paragraph' })
    add(content.length > 0 ? { ...node, content } : node)
  }
  let table = 0
  for (const token of markdown.parse(source, {})) {
    const [, name = '', end] = /^(\w+?)_(open|close)$/.exec(token.type) ?? []
    if (name === 'table') {
      table += token.nesting
      if (end === 'open') add(tableOf(lines.slice(...(token.map ?? [0, 0]))))
    } else if (table > 0) continue
    else if (token.type === 'inline') {
      const content = inlineOf(token.children ?? [], options)
      if (stack.at(-1)?.node.type === 'heading') stack.at(-1)?.content.push(...content)
      else add(paragraphOf(content))
    } else if (token.type === 'fence' || token.type === 'code_block') add(codeOf(token))
    else if (token.type === 'hr') add({ type: 'horizontalRule' })
    else if (end === 'close' && (BLOCKS[name] || name === 'heading')) close()
    else if (name === 'heading') stack.push({ node: { type: 'heading', attrs: { level: Number(token.tag[1]) } }, content: [] })
    else if (name === 'ordered_list')
      stack.push({ node: { type: 'orderedList', attrs: { start: Number(token.attrGet('start') ?? 1) } }, content: [] })
    else if (BLOCKS[name]) stack.push({ node: { type: BLOCKS[name] }, content: [] })
  }
  const content = stack[0]?.content ?? []
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] }
}

/** Whether a text has elements the editor does not support, so that it must be edited as Markdown. */
export const isUnsupportedByEditor = (source: string): boolean =>
  source.includes('|') && markdown.parse(source, {}).some(({ type }) => type === 'table_open')
