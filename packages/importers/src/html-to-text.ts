import { Tokenizer } from 'htmlparser2'

const ENDS_LINE = new Set('p div li ul ol tr table h1 h2 h3 h4 h5 h6 pre blockquote hr'.split(' '))
const BREAKS_LINE = new Set(['br', 'hr'])
const WITHOUT_TEXT = new Set(['script', 'style', 'template', 'head'])
const NOT_TEXT = new Set(['img', 'audio', 'video', 'iframe', 'object', 'embed', 'svg', 'table', 'math'])

const ignore = () => {}

/**
 * Converts markup to plain text; `lost` lists the elements that plain text cannot represent. It reads tokens instead of building a tree:
 * htmlparser2's parser takes quadratic time for deeply nested elements.
 */
export const htmlToText = (html: string): { text: string; lost: string[] } => {
  let text = ''
  let hidden = 0
  let attribute = ''
  let value = ''
  const lost = new Set<string>()
  const startLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
  }
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const append = (part: string) => {
    if (hidden === 0) text += part.replace(/\s+/g, ' ')
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        const name = nameAt(start, end)
        if (NOT_TEXT.has(name)) lost.add(name)
        if (WITHOUT_TEXT.has(name)) hidden++
        if (BREAKS_LINE.has(name)) text += '\n'
        else if (ENDS_LINE.has(name)) startLine()
        else if (name === 'td' || name === 'th') text += ' '
      },
      onattribname: (start, end) => {
        attribute = nameAt(start, end)
        value = ''
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end)
      },
      onattribentity: (codepoint) => {
        value += String.fromCodePoint(codepoint)
      },
      onattribend: () => {
        if (attribute === 'alt') text += value
      },
      ontext: (start, end) => append(html.slice(start, end)),
      ontextentity: (codepoint) => append(String.fromCodePoint(codepoint)),
      onclosetag: (start, end) => {
        const name = nameAt(start, end)
        if (WITHOUT_TEXT.has(name)) hidden = Math.max(0, hidden - 1)
        if (ENDS_LINE.has(name)) text += '\n'
      },
      onopentagend: ignore,
      onselfclosingtag: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return { text: tidyLines(text), lost: [...lost] }
}

/** Trims the ends of lines and allows at most one empty line in a row. */
export const tidyLines = (text: string): string =>
  text
    .replace(/(?<![ \t\u00a0])[ \t\u00a0]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const LOOKS_LIKE_MARKUP = /<\/(?:p|div|b|i|em|strong|span|code|pre|sub|sup|u|a|ul|ol|li|h[1-6]|table)>|<(?:br|p|img)\b[^<>]*>/i

export const looksLikeHtml = (text: string): boolean => LOOKS_LIKE_MARKUP.test(text)
