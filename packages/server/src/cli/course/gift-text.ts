import { htmlToText, looksLikeHtml, tidyLines } from './html-to-text.ts'

/** What a backslash may stand before, each as one character that no text has. */
const ESCAPED = '\\~=#{}:n'
const HELD = ESCAPED.split('').map((_, index) => String.fromCharCode(1 + index))

/** Escapes out of the way, so that whatever control character is left means something. */
export const holdEscapes = (text: string): string =>
  text.replace(/\\([\\~=#{}:n])/g, (_, sign: string) => HELD[ESCAPED.indexOf(sign)] ?? sign)

/** The text that was meant, control characters and all. */
export const releaseEscapes = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the held ones
  text.replace(/[\u0001-\u0008]/g, (held) => {
    const sign = ESCAPED[held.charCodeAt(0) - 1] ?? ''
    return sign === 'n' ? '\n' : sign
  })

export type GiftFormat = 'html' | 'moodle' | 'plain' | 'markdown'

const FORMAT = /^\s*\[(html|moodle|plain|markdown)\]/i

/** A text and its format, which stands before it in brackets or is taken over from the question. */
export const formatOf = (text: string, otherwise: GiftFormat): { format: GiftFormat; text: string } => {
  const match = FORMAT.exec(text)
  return match
    ? { format: (match[1] as string).toLowerCase() as GiftFormat, text: text.slice(match[0].length) }
    : { format: otherwise, text }
}

/** Plain text of a part of a question; `lost` names elements that have none. */
export const plainOf = (part: string, otherwise: GiftFormat): { text: string; lost: string[] } => {
  const { format, text } = formatOf(part, otherwise)
  const released = releaseEscapes(text)
  if (format === 'html' || (format === 'moodle' && looksLikeHtml(released))) return htmlToText(released)
  return { text: tidyLines(released), lost: [] }
}
