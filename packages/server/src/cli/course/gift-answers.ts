import { releaseEscapes } from './gift-text.ts'

/** The parts of what stands between { and } of a question, escapes held. */

export interface GiftAnswer {
  readonly sign: '=' | '~'
  /** Percent of the points that it earns; null where none is written. */
  readonly weight: number | null
  readonly text: string
  readonly feedback: string
  /** Where it begins in the whole. */
  readonly at: number
}

const WEIGHT = /^\s*%(-?\d+(?:[.,]\d+)?)%/

/** One answer: its weight, its text and what is said about it. */
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
  /** Equals signs inside words, taken as they are. */
  readonly literal: readonly number[]
}

/**
 * Answers begin at each = and ~. An = in the middle of a word (`root=/dev/sda`, `<p dir="ltr">`) is an equals sign whose escape was
 * forgotten, if others of the same question stand after a space, as answers do; `everywhere` takes them for answers all the same.
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
