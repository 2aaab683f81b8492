import { withEmoji } from '../emoji.ts'
import { SHORT_URLS } from './uploads.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const QUOTE = /\[quote(?:=(?:"([^"\n]{0,300})"|([^\]\n]{0,300})))?\]|\[\/quote\]/gi
/** Maximum depth of quotes; deeper ones are shown at this depth. */
const DEEPEST = 5

const IMAGE_SIZE = /(!\[[^\]\n|]{0,500})\|\s*\d{1,5}x\d{1,5}(?:,\s*\d{1,3}(?:\.\d+)?%)?[^\]\n]{0,100}(?=\]\()/g
const ATTACHMENT = /!?\[([^\]\n|]{1,500})\|(?:attachment|video|audio)[^\]\n]{0,100}\](?=\()/g
const UPLOAD = /upload:\/\/(?=[\w.-])/g
const DETAILS = /\[details(?:=(?:"([^"\n]{0,500})"|([^\]\n]{0,500})))?\]|\[\/details\]/gi
const DATE = /\[date(?:-range)?((?:[= ][^\]\n]{0,300})?)\]/gi
const SINGLE_TAGS =
  /\[\/?(?:spoiler|blur|hide|grid|wrap|center|left|right|poll|chat|policy|size|color|font|u|ul|ol|list|noparse)(?:[= ][^\]\n]{0,500})?\]/gi
const PAIRS: readonly (readonly [tag: RegExp, mark: string])[] = [
  [/\[\/?b\]/gi, '**'],
  [/\[\/?i\]/gi, '*'],
  [/\[\/?s\]/gi, '~~'],
]
const LINK = /\[url=["']?([^\]\s"']{1,2000})["']?\]([^[\n]{0,1000})\[\/url\]/gi
const BARE_LINK = /\[(?:url|email)\]([^[\s]{1,2000})\[\/(?:url|email)\]/gi
const PICTURE = /\[img\]([^[\s]{1,2000})\[\/img\]/gi

const ATTRIBUTE = /([\w-]*)="?([^\s"]+)"?/g

const dateText = (attributes: string): string => {
  const values = new Map([...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, value] as const))
  const [date, time, from, to, zone] = ['', 'time', 'from', 'to', 'timezone'].map((name) => values.get(name)?.replace('T', ' '))
  const range = [from, to].filter((value) => value !== undefined).join(' – ')
  return `${range || [date, time].filter((value) => value !== undefined).join(' ')}${zone ? ` (${zone})` : ''}`
}

/** The attribution of a quote: the quoted person, with a link to the post. */
const attribution = (value: string): string => {
  const [name = '', ...rest] = value.split(/,\s*/)
  const parameters = new Map(rest.map((part) => part.split(':').map((word) => word.trim()) as [string, string]))
  const user = parameters.get('username') ?? name.trim()
  if (!/^[\w.-]+$/.test(user)) return user === '' ? '' : `${user}:`
  const [topic, post] = [parameters.get('topic'), parameters.get('post')]
  return topic && post && /^\d+$/.test(topic) && /^\d+$/.test(post) ? `@${user} [↑](/t/${topic}/${post}):` : `@${user}:`
}

const inline = (line: string): string => {
  let text = line
  if (text.includes('[')) {
    text = text
      .replace(ATTACHMENT, '[$1]')
      .replace(IMAGE_SIZE, '$1')
      .replace(DETAILS, (_, quoted?: string, plain?: string) => (quoted || plain ? `**${(quoted ?? plain ?? '').trim()}**\n` : ''))
      .replace(DATE, (_, attributes: string) => dateText(attributes))
      .replace(LINK, '[$2]($1)')
      .replace(BARE_LINK, '$1')
      .replace(PICTURE, '![]($1)')
      .replace(SINGLE_TAGS, '')
    for (const [tag, mark] of PAIRS) text = text.replace(tag, mark)
  }
  return withEmoji(text.replace(UPLOAD, SHORT_URLS))
}

/** Converts the parts of a line outside of inline code. */
const outsideCode = (line: string): string =>
  line.includes('`')
    ? line
        .split(/(`+[^`]*`+)/)
        .map((part, at) => (at % 2 === 1 ? part : inline(part)))
        .join('')
    : inline(line)

const blankAfter = (lines: string[]) => {
  if (lines.length > 0 && lines.at(-1) !== '') lines.push('')
}

/** Removes leading and trailing empty lines. */
const trimmed = (lines: readonly string[]): readonly string[] => {
  const [first, last] = [lines.findIndex((line) => line.trim() !== ''), lines.findLastIndex((line) => line.trim() !== '')]
  return first < 0 ? [] : lines.slice(first, last + 1)
}

/**
 * Converts Discourse's Markdown to standard Markdown: quotes become block quotes, upload references become URLs, and
 * image sizes, shortcodes and other Discourse syntax are replaced or removed.
 */
export const plainMarkdown = (raw: string): string => {
  /** Lines of the text and of each open quote. */
  const stack: string[][] = [[]]
  let open = 0
  let fence: string | null = null
  const current = () => stack.at(-1) as string[]
  const begin = (who: string) => {
    open++
    if (stack.length <= DEEPEST) stack.push([])
    if (who === '') return
    blankAfter(current())
    current().push(who, '')
  }
  const end = () => {
    const inner = trimmed(stack.pop() as string[])
    blankAfter(current())
    if (inner.length > 0) current().push(...inner.map((line) => (line === '' ? '>' : `> ${line}`)), '')
  }
  const withQuotes = (line: string) => {
    let at = 0
    const text = (to: number) => {
      if (line.slice(at, to).trim() !== '') current().push(outsideCode(line.slice(at, to)))
    }
    for (const found of line.matchAll(QUOTE)) {
      text(found.index)
      at = found.index + found[0].length
      if (!found[0].startsWith('[/')) begin(attribution(found[1] ?? found[2] ?? ''))
      else if (open > 0) {
        if (open < stack.length) end()
        open--
      }
    }
    text(line.length)
  }
  for (const line of raw.replaceAll('\r\n', '\n').split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null || mark) {
      current().push(line)
      if (fence === null) fence = mark as string
      else if (mark?.startsWith(fence)) fence = null
    } else if (/\[\/?quote/i.test(line)) withQuotes(line)
    else if (line.trim() !== '' || current().at(-1) !== '') current().push(outsideCode(line))
  }
  while (stack.length > 1) end()
  return trimmed(current()).join('\n')
}

/** HTML that Discourse renders but Lyceum's Markdown does not. */
const HTML =
  /<\/?(?:a|abbr|b|big|blockquote|br|center|cite|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|ol|p|pre|q|ruby|s|small|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video)(?:\s[^<>]{0,2000})?\/?>/i

/** Whether a text contains HTML that Markdown cannot represent. */
export const hasHtml = (raw: string): boolean => raw.includes('<') && HTML.test(raw.replace(/```[\s\S]*?```|`[^`\n]*`/g, ''))
