import { type FoundUrl, isLink, MENTION, markdown, urlsIn } from './dialect.ts'

/** The context of a piece of text that affects escaping. */
export interface EscapeContext {
  /** Whether the text begins or ends its line, rather than adjoining text with other marks. */
  readonly beginsLine: boolean
  readonly endsLine: boolean
  /** Whether it is the text of a link, in which nothing is autolinked. */
  readonly inLink: boolean
  /** Whether an underscore at the edge of a mention may stay unescaped, because nothing can pair with it. */
  readonly loneUnderscores: boolean
}

const PUNCTUATION = /[!-/:-@[-`{-~]/
const WORD = /[\p{L}\p{N}]/u
/** Punctuation that may surround a URL unescaped without breaking its recognition. */
const BEFORE_ADDRESS = /^[("']*$/
const AFTER_ADDRESS = /^[.,;:!?)"']*$/
/** Characters that `escaped` handles. */
const SPECIAL = /[\\`*[\]_~<!&:]/g
const ENTITY = /^&(?:#x[a-f0-9]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,31});/i
/** Runs between spaces; spaces stay as they are, other whitespace may be written as a character reference. */
const WORDS = /[^\t\n\p{Zs}]+/gu
/** Characters that a URL displays decoded. */
const ENCODED = /%[0-9a-f]{2}|xn--/i

const inert = (character: string): string => (PUNCTUATION.test(character) ? `\\${character}` : character)

/** Escapes a character for its context. Block markup at the start of a line is handled elsewhere. */
const escaped = (text: string, at: number, { endsLine, inLink }: EscapeContext): string => {
  const character = text[at] ?? ''
  const next = text[at + 1]
  const isWord = (index: number) => index > 0 && index < text.length - 1 && WORD.test(text[index] ?? '')
  switch (character) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
      return `\\${character}`
    case '_':
      return isWord(at - 1) && isWord(at + 1) ? '_' : '\\_'
    case '~':
      return at === 0 || next === undefined || next === '~' || text[at - 1] === '~' ? '\\~' : '~'
    case '<':
      return next === undefined ? (endsLine ? '<' : '\\<') : /[\s\d=]/.test(next) ? '<' : '\\<'
    case '!':
      return next === undefined && !endsLine ? '\\!' : '!'
    case '&':
      return ENTITY.test(text.slice(at)) ? '\\&' : '&'
    case ':':
      return inLink && next === '/' ? '\\:' : ':'
    default:
      return character
  }
}

const HAS_EDGE = /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/

/** Whether an underscore in a mention could open or close emphasis. */
export const underscoresOf = (name: string): { readonly opens: boolean; readonly closes: boolean } => ({
  opens: /[@-]_/.test(name),
  closes: /_(?:-|$)/.test(name),
})

/** Combines the escapes of a URL's characters so that the whole URL is autolinked and displayed unchanged. */
const written = (
  text: string,
  { from, to, url, hasScheme, shown }: FoundUrl,
  isAlone: boolean,
): { before: string; after: string; raw: boolean } => {
  const raw = text.slice(from, to)
  const isShownAsItIs = shown === raw
  const isSafe = hasScheme ? !raw.endsWith('*') : /^[A-Za-z0-9./?=%@:+-]*(?:[A-Za-z0-9]_[A-Za-z0-9][A-Za-z0-9./?=%@:+-]*)*$/.test(raw)
  if (isShownAsItIs && isAlone && isSafe) return { before: '', after: '', raw: true }
  if (isShownAsItIs && hasScheme && url === raw && !/[<>]/.test(raw)) return { before: '<', after: '>', raw: true }
  return { before: '[', after: `](${destination(url)})`, raw: false }
}

/** A link destination as Markdown writes it in parentheses. */
export const destination = (url: string): string => {
  const plain = url.replace(/&(?=#|[a-z])/gi, (sign, at: number) => (ENTITY.test(url.slice(at)) ? '\\&' : sign))
  return /^[^\s<>()]+$/.test(plain) ? plain : `<${plain.replace(/[<>]/g, '\\$&')}>`
}

/**
 * Escapes each UTF-16 unit of a text so that Markdown renders it literally: URLs are autolinked as a whole and mentions stay mentions.
 * Surrogate pairs are not split.
 */
export const escapeText = (text: string, around: EscapeContext): string[] => {
  const out = text.split('')
  for (const { index } of text.matchAll(SPECIAL)) out[index] = escaped(text, index, around)
  if (around.inLink) return out
  for (const { 0: name, index } of text.matchAll(MENTION)) {
    const end = index + name.length
    // The last character may become a character reference, which would end the mention before it.
    const isWhole = end < text.length || around.endsLine
    if (!HAS_EDGE.test(name) || (around.loneUnderscores && isWhole)) for (let at = index; at < end; at += 1) out[at] = text[at] ?? ''
  }
  const addresses = urlsIn(text)
  let next = 0
  for (const { 0: word, index: from } of text.matchAll(WORDS)) {
    const to = from + word.length
    const inside: FoundUrl[] = []
    for (let address = addresses[next]; address && address.from < to; address = addresses[++next])
      if (address.from >= from && address.to <= to) inside.push(address)
    if (inside.length === 0 && !ENCODED.test(word) && !word.includes('://')) continue
    const [only] = inside
    const isAlone =
      inside.length === 1 &&
      only !== undefined &&
      (from > 0 || around.beginsLine) &&
      (to < text.length || around.endsLine) &&
      BEFORE_ADDRESS.test(text.slice(from, only.from)) &&
      AFTER_ADDRESS.test(text.slice(only.to, to))
    if (!isAlone || !isLink(only.url)) for (let at = from; at < to; at += 1) out[at] = inert(text[at] ?? '')
    for (const address of inside.filter(({ url }) => isLink(url))) {
      const { before, after, raw } = written(text, address, isAlone)
      for (let at = address.from; at < address.to; at += 1) out[at] = raw ? (text[at] ?? '') : inert(text[at] ?? '')
      out[address.from] = before + (out[address.from] ?? '')
      out[address.to - 1] += after
    }
  }
  return out
}

const { isWhiteSpace, isPunctCharCode } = markdown.utils

export const isSpace = (character: string): boolean => isWhiteSpace(character.codePointAt(0) ?? 0)
/** Whether Markdown treats a character as punctuation. */
export const isPunctuation = (character: string): boolean => PUNCTUATION.test(character) || isPunctCharCode(character.codePointAt(0) ?? 0)

/** A numeric character reference. */
export const characterReference = (character: string): string => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`

/** Escapes a line that would start a block: heading, list, quote, rule, table or heading underline. */
export const escapeLineStart = (line: string): string => {
  if (/^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|=+\s*$|[-:|][-:|\s]*$)/.test(line)) return `\\${line}`
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
