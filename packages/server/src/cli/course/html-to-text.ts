import { Parser } from 'htmlparser2'
import { BOUNDED_PARSER } from '../../content/bounded-tokenizer.ts'

const ENDS_LINE = new Set('p div li ul ol tr table h1 h2 h3 h4 h5 h6 pre blockquote br hr'.split(' '))
const WITHOUT_TEXT = new Set(['script', 'style', 'template', 'head'])
const LOST = new Set(['img', 'audio', 'video', 'iframe', 'object', 'embed', 'svg', 'table', 'math'])

/** Markup as plain text, and the names of elements in it that text cannot stand for. */
export const htmlToText = (html: string): { text: string; lost: string[] } => {
  let text = ''
  let hidden = 0
  const lost = new Set<string>()
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (LOST.has(name)) lost.add(name)
        if (WITHOUT_TEXT.has(name)) hidden++
        if (name === 'br' || name === 'hr') text += '\n'
        else if (name === 'td' || name === 'th') text += ' '
      },
      onattribute: (name, value) => {
        if (name === 'alt' && value) text += value
      },
      ontext: (part) => {
        if (hidden === 0) text += part.replace(/\s+/g, ' ')
      },
      onclosetag: (name) => {
        if (WITHOUT_TEXT.has(name)) hidden--
        if (ENDS_LINE.has(name) && name !== 'br') text += '\n'
      },
    },
    { decodeEntities: true, ...BOUNDED_PARSER },
  )
  parser.end(html)
  return { text: tidyLines(text), lost: [...lost] }
}

/** No space at the ends of lines, at most one empty line in a row. */
export const tidyLines = (text: string): string =>
  text
    .replace(/(?<![ \t\u00a0])[ \t\u00a0]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const LOOKS_LIKE_MARKUP = /<\/(?:p|div|b|i|em|strong|span|code|pre|sub|sup|u|a|ul|ol|li|h[1-6]|table)>|<(?:br|p|img)\b[^<>]*>/i

export const looksLikeHtml = (text: string): boolean => LOOKS_LIKE_MARKUP.test(text)
