const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand in HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

export const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** Text between tags with its line breaks, in source lines that mail servers take. */
export const linesOf = (text: string): string => wrapped(escapeHtml(text)).replace(/\n/g, '<br>\n').replaceAll(SOFT, '\n')

/** The same on one line. */
export const lineOf = (text: string): string => wrapped(escapeHtml(text.replace(/\s+/gu, ' ').trim())).replaceAll(SOFT, '\n')

const SOFT = '\u0001'

/** Marks blanks at which a source line can break: some 200 characters apart, no line then exceeds what SMTP allows. */
const wrapped = (text: string): string => text.replace(/([^\n]{160,240}?) (?=\S)/gu, `$1${SOFT}`)

/** @throws Error for anything but an http(s) address, which must not come into a mail */
export const requireAddress = (url: string): string => {
  if (!/^https?:\/\/[^\s<>"]+$/.test(url)) throw new Error('The address of a button must be http or https.')
  return url
}

/** Begins with the first letters that tell two names apart at a glance: `Ana Lúcia` is AL, `李雷` is 李. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  const letters = words.map((word) => [...word][0] ?? '')
  const [first = '•', last = ''] = [letters[0], letters.length > 1 ? letters.at(-1) : '']
  return /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(first) ? (first + last).toUpperCase() : first
}

/** Somebody's own words amid a sentence of ours: set apart where they run from right to left, so that both keep their order. */
export const apart = (words: string): string =>
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(words) ? `\u2068${words}\u2069` : words
