import { childrenOf, type EditorNode, LANGUAGE, textAttribute } from './document.ts'
import { inlineMarkdown } from './inline.ts'

/** How an empty paragraph is written, so that it is preserved. */
const BLANK = '&nbsp;'

const isBlank = (node: EditorNode): boolean => node.type === 'paragraph' && inlineMarkdown(node) === ''
const isList = ({ type }: EditorNode): boolean => type === 'bulletList' || type === 'orderedList'

const startOf = ({ attrs }: EditorNode): number => {
  const start = Number(attrs?.['start'] ?? 1)
  return Number.isInteger(start) && start >= 0 && start <= 999_999_999 ? start : 1
}

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, n) => (n === 0 ? first + line : line && rest + line))
    .join('\n')

const codeBlock = (node: EditorNode): string => {
  const text = childrenOf(node)
    .map((child) => child.text ?? '')
    .join('')
    .replace(/\r\n?/g, '\n')
    .toWellFormed()
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const language = LANGUAGE.exec(textAttribute(node, 'language'))?.[0] ?? ''
  return `${fence}${language}\n${text}\n${fence}`
}

/** Only level 1 and 2 headings can contain line breaks: they are written with an underline, unless that could start a table. */
const heading = (node: EditorNode): string => {
  const level = Math.min(6, Math.max(1, Number(node.attrs?.['level'] ?? 2)))
  const lines = level <= 2 ? inlineMarkdown(node) : ''
  if (lines.includes('\n') && (level === 1 || !lines.includes('|'))) return `${lines}\n${level === 1 ? '===' : '---'}`
  return `${'#'.repeat(level)} ${inlineMarkdown(node, true)}`.replace(/ $/, '')
}

/** Whether a list can follow a paragraph without a blank line, as tight lists require. */
const interrupts = (list: EditorNode): boolean => {
  const [first] = childrenOf(list)
  const [lead] = first ? childrenOf(first) : []
  return isList(list) && (list.type === 'bulletList' || startOf(list) === 1) && lead !== undefined && !isBlank(lead)
}

/** @param marks the bullet and the delimiter after a number; adjacent lists must use different ones */
const list = (node: EditorNode, [bullet, point]: readonly [string, string]): string => {
  const start = startOf(node)
  const items = childrenOf(node).map((item, n) => {
    const sign = node.type === 'orderedList' ? `${start + n}${point}` : bullet
    const children = childrenOf(item)
    if (children.length === 1 && children[0] && isBlank(children[0])) return sign
    return indented(blocks(children, true), `${sign} `, ' '.repeat(sign.length + 1))
  })
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
}

const block = (node: EditorNode, signs: readonly [string, string]): string => {
  switch (node.type) {
    case 'heading':
      return heading(node)
    case 'bulletList':
    case 'orderedList':
      return list(node, signs)
    case 'blockquote':
      return blocks(childrenOf(node), false)
        .split('\n')
        .map((line) => (line ? `> ${line}` : '>'))
        .join('\n')
    case 'codeBlock':
      return codeBlock(node)
    case 'horizontalRule':
      return '***'
    default:
      return inlineMarkdown(node) || BLANK
  }
}

const blocks = (nodes: readonly EditorNode[], inItem: boolean): string => {
  let text = ''
  let signs: readonly [string, string] = ['-', '.']
  for (const [at, node] of nodes.entries()) {
    const before = nodes[at - 1]
    const follows = before !== undefined && isList(before) && before.type === node.type
    signs = follows && signs[0] === '-' ? ['+', ')'] : ['-', '.']
    const isTight = inItem && before?.type === 'paragraph' && interrupts(node)
    text += (at === 0 ? '' : isTight ? '\n' : '\n\n') + block(node, signs)
  }
  return text
}

/** Converts the editor's document to Markdown that the server renders the same way. Leading and trailing empty paragraphs are dropped. */
export const serializeMarkdown = (doc: EditorNode): string => {
  const nodes = childrenOf(doc)
  const from = nodes.findIndex((node) => !isBlank(node))
  return from < 0 ? '' : blocks(nodes.slice(from, nodes.findLastIndex((node) => !isBlank(node)) + 1), false)
}
