import { escapeHtml } from '@lyceum/content'

/** Escapes text and preserves its line breaks, with source lines short enough for mail servers. */
export const linesOf = (text: string): string => wrapped(escapeHtml(text)).replace(/\n/g, '<br>\n').replaceAll(SOFT, '\n')

/** Like `linesOf`, but with all whitespace collapsed, so that the text is displayed on one line. */
export const lineOf = (text: string): string => wrapped(escapeHtml(flat(text))).replaceAll(SOFT, '\n')

const SOFT = '\u0001'

/** Marks spaces at which the source can break, about 200 characters apart, so that no line exceeds the limit of SMTP. */
const wrapped = (text: string): string => text.replace(/([^\n]{160,240}?) (?=\S)/gu, `$1${SOFT}`)

export const flat = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** @throws Error unless it is an http(s) URL; other schemes must not appear in a mail */
export const requireAddress = (url: string): string => {
  if (!/^https?:\/\/[^\s<>"]+$/.test(url)) throw new Error('The address of a button must be http or https.')
  return url
}

/** The initials of a name: first and last word in alphabetic scripts (`Ana Lúcia` is AL), otherwise the first character (`李雷` is 李). */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  const letters = words.map((word) => [...word][0] ?? '')
  const [first = '•', last = ''] = [letters[0], letters.length > 1 ? letters.at(-1) : '']
  return /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(first) ? (first + last).toUpperCase() : first
}

/** Isolates right-to-left text that is quoted in a sentence, so that both keep their character order. */
export const isolateDirection = (words: string): string =>
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(words) ? `\u2068${words}\u2069` : words
