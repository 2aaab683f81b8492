import { Parser } from 'htmlparser2'
import { isLink, isPicture, markdown } from '../../src/features/feeds/markdown/dialect.ts'
import { childrenOf, type EditorNode, textAttribute } from '../../src/features/feeds/markdown/document.ts'

/** What a reader sees of a text: blocks, and in them lines of runs of text with their marks. */
export interface Shown {
  readonly type: string
  readonly of?: string | number
  readonly blocks?: readonly Shown[]
  /** Each as `marks|text`. */
  readonly runs?: readonly string[]
}

/** A character, picture (`alt, address`) or line break with the marks on it, sorted. */
interface Sign {
  readonly text: string
  readonly marks: readonly string[]
}

const SPACE = /^[\t\v\f\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$/u
const isGap = ({ text, marks }: Sign) => (text === '\n' || SPACE.test(text)) && !marks.includes('code')

/** Gaps have the marks of both sides, lines have no blanks at their edges, and there is no break at the end. */
const runsOf = (signs: readonly Sign[]): string[] => {
  const isEdge = (sign: Sign | undefined) => sign === undefined || (sign.text === '\n' && !sign.marks.includes('code'))
  const isBlank = (sign: Sign | undefined) => sign !== undefined && /^[ \t]$/.test(sign.text) && !sign.marks.includes('code')
  const kept = signs.filter((sign, at) => {
    if (!isBlank(sign)) return true
    let [before, after] = [at, at]
    while (isBlank(signs[before])) before -= 1
    while (isBlank(signs[after])) after += 1
    return !isEdge(signs[before]) && !isEdge(signs[after])
  })
  while (kept.at(-1)?.text === '\n' && !kept.at(-1)?.marks.includes('code')) kept.pop()
  const near = (at: number, step: number): readonly string[] => {
    let next = at + step
    while (kept[next] && isGap(kept[next] as Sign)) next += step
    return kept[next]?.marks.filter((mark) => mark !== 'code') ?? []
  }
  const even = kept.map((sign, at) =>
    isGap(sign) ? { ...sign, marks: near(at, -1).filter((mark) => near(at, 1).includes(mark) && !mark.startsWith('link:')) } : sign,
  )
  const runs: [string, string][] = []
  for (const { text, marks } of even) {
    const last = runs.at(-1)
    const key = [...new Set(marks)]
      .filter((mark) => mark !== 'mention')
      .sort()
      .join(' ')
    if (last && last[0] === key) last[1] += text
    else runs.push([key, text])
  }
  return withoutSelfLinks(runs)
}

const unescaped = (href: string): string => {
  try {
    return markdown.normalizeLink(href)
  } catch {
    return href
  }
}

/** An address that leads to itself is the address, whether it is marked as a link or not. */
const withoutSelfLinks = (runs: readonly [string, string][]): string[] => {
  const plain: [string, string][] = []
  for (const [marks, text] of runs) {
    const href = /(?:^| )link:(\S+)/.exec(marks)?.[1]
    const isSelf = href && [text, `http://${text}`, `mailto:${text}`].some((address) => unescaped(address) === href)
    const key = isSelf ? marks.replace(/ ?link:\S+/, '').trim() : marks
    const last = plain.at(-1)
    if (last && last[0] === key) last[1] += text
    else plain.push([key, text])
  }
  return plain.map(([marks, text]) => `${marks}|${text}`)
}

const blockOf = (type: string, signs: readonly Sign[], of?: string | number): Shown => {
  const runs = runsOf(signs)
  const isBlank = type === 'paragraph' && runs.join() === '|\u00a0'
  return { type, ...(of !== undefined && { of }), runs: isBlank ? [] : runs }
}

const trimmed = (blocks: readonly Shown[]): Shown[] => {
  const isBlank = ({ type, runs }: Shown) => type === 'paragraph' && runs?.length === 0
  const from = blocks.findIndex((block) => !isBlank(block))
  return from < 0 ? [] : blocks.slice(from, blocks.findLastIndex((block) => !isBlank(block)) + 1)
}

const imageText = (alt: string, src: string) => `[${alt.replace(/\s+/g, ' ')}, ${unescaped(src)}]`
const clean = (text: string) =>
  text
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\r\n?/g, '\n')
    .toWellFormed()

const signsOf = (nodes: readonly EditorNode[]): Sign[] =>
  nodes.flatMap((node): Sign[] => {
    const marks = (node.marks ?? []).flatMap((mark) => {
      const href = textAttribute(mark, 'href')
      return mark.type !== 'link' ? [mark.type] : isLink(href) ? [`link:${unescaped(href)}`] : []
    })
    const outside = marks.filter((mark) => mark !== 'code')
    if (node.type === 'hardBreak') return [{ text: '\n', marks: outside }]
    if (node.type === 'image') {
      const src = textAttribute(node, 'src')
      return isPicture(src) ? [{ text: imageText(textAttribute(node, 'alt'), src), marks: outside }] : []
    }
    const isCode = marks.includes('code')
    return [...clean(node.text ?? '').replaceAll(isCode ? /\n+/g : /(?!)/g, ' ')].map((text) => ({ text, marks }))
  })

/** What a document of the editor shows. */
export const shownOfDocument = (doc: EditorNode): Shown[] => {
  const blocks = (nodes: readonly EditorNode[]): Shown[] =>
    nodes.map((node): Shown => {
      const children = childrenOf(node)
      if (node.type === 'paragraph') return blockOf('paragraph', signsOf(children))
      if (node.type === 'heading') {
        const level = Number(node.attrs?.['level'])
        const signs = signsOf(children)
        const flat = signs.map((sign) => (sign.text === '\n' ? { ...sign, text: ' ' } : sign))
        const isOneLine = level > 2 || (level === 2 && signs.some(({ text }) => text.includes('|')))
        return blockOf('heading', isOneLine ? flat : signs, level)
      }
      if (node.type === 'codeBlock') {
        const text = children
          .map((child) => child.text ?? '')
          .join('')
          .replace(/\r\n?/g, '\n')
          .toWellFormed()
        return { type: 'codeBlock', of: textAttribute(node, 'language'), runs: [text] }
      }
      if (node.type === 'horizontalRule') return { type: 'horizontalRule' }
      if (node.type === 'orderedList') return { type: 'orderedList', of: Number(node.attrs?.['start'] ?? 1), blocks: blocks(children) }
      return { type: node.type ?? '', blocks: blocks(children) }
    })
  return trimmed(blocks(childrenOf(doc)))
}

const BLOCKS: Readonly<Record<string, string>> = { ul: 'bulletList', ol: 'orderedList', li: 'listItem', blockquote: 'blockquote' }
const MARKS: Readonly<Record<string, string>> = { strong: 'bold', em: 'italic', s: 'strike', code: 'code' }

/** What rendered HTML shows. An element that the editor has none of is a block of its own name. */
export const shownOfHtml = (html: string): Shown[] => {
  const stack: { type: string; of?: string | number; blocks: Shown[] }[] = [{ type: 'doc', blocks: [] }]
  let block: { type: string; of?: string | number; signs: Sign[] } | null = null
  let marks: string[] = []
  let code: { language: string; text: string } | null = null
  const end = () => {
    if (block) stack.at(-1)?.blocks.push(blockOf(block.type, block.signs, block.of))
    block = null
  }
  const sign = (text: string) => {
    block ??= { type: 'paragraph', signs: [] }
    block.signs.push({ text, marks: [...marks] })
  }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'pre') {
        end()
        code = { language: '', text: '' }
      } else if (code) code.language = attributes['class']?.replace('language-', '') ?? ''
      else if (name === 'p') end()
      else if (/^h\d$/.test(name)) {
        end()
        block = { type: 'heading', of: Number(name[1]), signs: [] }
      } else if (name === 'br') sign('\n')
      else if (name === 'hr') {
        end()
        stack.at(-1)?.blocks.push({ type: 'horizontalRule' })
      } else if (name === 'img') sign(imageText(attributes['alt'] ?? '', attributes['src'] ?? ''))
      else if (name === 'a') marks.push(attributes['class'] === 'mention' ? 'mention' : `link:${attributes['href']}`)
      else if (MARKS[name]) marks.push(MARKS[name])
      else {
        end()
        stack.push({ type: BLOCKS[name] ?? name, ...(name === 'ol' && { of: Number(attributes['start'] ?? 1) }), blocks: [] })
      }
      if (name === 'p') block = { type: 'paragraph', signs: [] }
    },
    ontext: (raw) => {
      const text = raw.replace(/(?![\t\n\r])\p{Cc}/gu, '')
      if (code) code.text += text
      else if (block)
        for (const character of text.replace(/^\n/, block.signs.at(-1)?.text === '\n' ? '' : ' ').replace(/\n/g, ' ')) sign(character)
      else if (marks.length > 0 || /[^ \n]/.test(text))
        for (const character of (marks.length > 0 ? text : text.replace(/^\n/, '')).replace(/\n/g, ' ')) sign(character)
    },
    onclosetag: (name) => {
      if (name === 'pre') {
        if (code) stack.at(-1)?.blocks.push({ type: 'codeBlock', of: code.language, runs: [code.text.replace(/\n$/, '')] })
        code = null
      } else if (code || name === 'br' || name === 'hr' || name === 'img') return
      else if (name === 'p' || /^h\d$/.test(name)) end()
      else if (name === 'a')
        marks = marks.slice(
          0,
          marks.findLastIndex((mark) => /^(?:link:|mention$)/.test(mark)),
        )
      else if (MARKS[name]) marks = marks.toSpliced(marks.lastIndexOf(MARKS[name]), 1)
      else {
        end()
        const { type, of, blocks } = stack.pop() ?? { type: '', blocks: [] }
        if (type === 'listItem' && blocks[0]?.type !== 'paragraph') blocks.unshift({ type: 'paragraph', runs: [] })
        if (blocks.length === 0) blocks.push({ type: 'paragraph', runs: [] })
        stack.at(-1)?.blocks.push({ type, ...(of !== undefined && { of }), blocks })
      }
    },
  })
  parser.end(html)
  end()
  return trimmed(stack[0]?.blocks ?? [])
}
