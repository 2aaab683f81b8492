import { htmlToText, looksLikeHtml, tidyLines } from '../html-to-text.ts'

/** The source of one question: its lines without comments, with line numbers. */
export interface GiftBlock {
  readonly text: string
  readonly lines: readonly number[]
  readonly category: string
}

const CATEGORY = /^\s*\$CATEGORY:\s*(.*?)\s*$/i

const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0
/** Whether all braces are closed, so that the question is complete. */
const isAnswered = (text: string) => {
  const plain = text.replace(/\\./g, '')
  return plain.includes('}') && count(plain, /\{/g) === count(plain, /\}/g)
}

/** Splits a file into questions. They are separated by empty lines, or start with a name. */
export const giftBlocks = (source: string): GiftBlock[] => {
  const blocks: GiftBlock[] = []
  let category = ''
  let open: { text: string; number: number }[] = []
  const close = () => {
    if (open.length > 0) blocks.push({ text: open.map(({ text }) => text).join('\n'), lines: open.map(({ number }) => number), category })
    open = []
  }
  for (const [index, line] of source.split(/\r\n|\n|\r/).entries()) {
    const named = CATEGORY.exec(line)
    if (named) {
      close()
      category = named[1] as string
    } else if (line.trim() === '') close()
    else if (!/^\s*\/\//.test(line)) {
      // The empty line is often missing. A name starts a new question if the previous one is complete.
      if (/^\s*::.*::/.test(line) && isAnswered(open.map(({ text }) => text).join('\n'))) close()
      open.push({ text: line, number: index + 1 })
    }
  }
  close()
  return blocks
}

/** The line number of an offset in the text of a block. */
export const lineAt = ({ text, lines }: GiftBlock, at: number): number => {
  let index = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) index++
  return lines[index] ?? lines.at(-1) ?? 1
}

/** Characters that can be escaped, and the control characters that replace them while parsing. */
const ESCAPED = '\\~=#{}:n'
const HELD = ESCAPED.split('').map((_, index) => String.fromCharCode(1 + index))

/** Replaces escaped characters, so that the remaining special characters are syntax. */
export const holdEscapes = (text: string): string =>
  text.replace(/\\([\\~=#{}:n])/g, (_, sign: string) => HELD[ESCAPED.indexOf(sign)] ?? sign)

/** Restores the escaped characters. */
const releaseEscapes = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they replace escaped characters
  text.replace(/[\u0001-\u0008]/g, (held) => {
    const sign = ESCAPED[held.charCodeAt(0) - 1] ?? ''
    return sign === 'n' ? '\n' : sign
  })

export type GiftFormat = 'html' | 'moodle' | 'plain' | 'markdown'

const FORMAT = /^\s*\[(html|moodle|plain|markdown)\]/i

/** Splits off the format in brackets; the default is the format of the question. */
export const formatOf = (text: string, otherwise: GiftFormat): { format: GiftFormat; text: string } => {
  const match = FORMAT.exec(text)
  return match
    ? { format: (match[1] as string).toLowerCase() as GiftFormat, text: text.slice(match[0].length) }
    : { format: otherwise, text }
}

/** Plain text of a part of a question; `lost` lists elements that plain text cannot represent. */
export const plainOf = (part: string, otherwise: GiftFormat): { text: string; lost: string[] } => {
  const { format, text } = formatOf(part, otherwise)
  const released = releaseEscapes(text)
  if (format === 'html' || (format === 'moodle' && looksLikeHtml(released))) return htmlToText(released)
  return { text: tidyLines(released), lost: [] }
}

export interface GiftAnswer {
  readonly sign: '=' | '~'
  /** Percentage of the points; null if not given. */
  readonly weight: number | null
  readonly text: string
  readonly feedback: string
  /** Offset in the text of the answers. */
  readonly at: number
}

const WEIGHT = /^\s*%(-?\d+(?:[.,]\d+)?)%/

/** Parses one answer: weight, text and feedback. */
export const answerOf = (sign: '=' | '~', body: string, at: number): GiftAnswer => {
  const weight = WEIGHT.exec(body)
  const rest = weight ? body.slice(weight[0].length) : body
  const hash = rest.indexOf('#')
  return {
    sign,
    weight: weight ? Number((weight[1] as string).replace(',', '.')) : null,
    text: hash < 0 ? rest : rest.slice(0, hash),
    feedback: hash < 0 ? '' : rest.slice(hash + 1),
    at,
  }
}

export interface SplitAnswers {
  readonly answers: readonly GiftAnswer[]
  /** Text before the first answer. */
  readonly before: string
  /** Offsets of equals signs that were treated as literal. */
  readonly literal: readonly number[]
}

/**
 * Splits answers at each = and ~. An = inside a word (`root=/dev/sda`, `<p dir="ltr">`) is literal if other signs of the
 * same question follow a space: its escape is missing. `everywhere`: every = starts an answer.
 */
export const splitAnswers = (text: string, everywhere = false): SplitAnswers => {
  const starts: number[] = []
  const glued: number[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '~') starts.push(at)
    else if (sign === '=') (at > 0 && !/[\s~]/.test(text[at - 1] as string) ? glued : starts).push(at)
  }
  const sure =
    !everywhere && (starts.some((at) => text[at] === '=') || (starts.some((at) => WEIGHT.test(text.slice(at + 1))) && starts.length > 1))
  const all = sure ? starts : [...starts, ...glued].sort((a, b) => a - b)
  return {
    answers: all.map((at, index) => answerOf(text[at] as '=' | '~', text.slice(at + 1, all[index + 1] ?? text.length), at)),
    before: text.slice(0, all[0] ?? text.length),
    literal: sure ? glued : [],
  }
}

/** A number with its tolerance (`1822:2`) or a range (`1..5`); null for anything else. */
export const numberRange = (text: string): { value: string; exact: boolean } | null => {
  const plain = releaseEscapes(text).trim()
  const number = String.raw`[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[-+]?\d+)?`
  const tolerant = new RegExp(`^(${number})(?:\\s*:\\s*(${number}))?$`, 'i').exec(plain)
  if (tolerant) return { value: tolerant[1] as string, exact: !tolerant[2] || Number(tolerant[2].replace(',', '.')) === 0 }
  const range = new RegExp(`^(${number})\\s*\\.\\.\\s*(${number})$`, 'i').exec(plain)
  if (!range) return null
  return { value: range[1] as string, exact: Number(range[1]) === Number(range[2]) }
}
