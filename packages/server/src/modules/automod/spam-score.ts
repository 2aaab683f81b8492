import { fold } from './normalize-text.ts'

/** What is known about a text besides its words. */
export interface Evidence {
  readonly title?: string
  readonly text: string
  /** Different addresses of other sites. */
  readonly links: number
  /** Texts that the author wrote within the last day; those that begin with another word may be missing. */
  readonly earlier: readonly string[]
  /** How many pieces the author wrote within the last minute. */
  readonly lately: number
  readonly newcomer: boolean
}

/** From that many points on a text counts as spam. No single habit of a hurried person reaches it. */
export const SPAM_POINTS = 5

/** Shorter texts ("thank you!") are written again and again by everybody. */
const LEAST_REPEATED = 20
const SHOUTED_LETTERS = 20
const SHOUTED_SHARE = 0.7
const LEAST_WORDS = 12
const DISTINCT_SHARE = 0.3
const STRETCHED = /(\p{L})\1{9}/u

/** A text by which repetitions are known: without case, signs, numbers and addresses, which are changed from one to the next. */
const fingerprint = (text: string): string =>
  fold(text)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()

/** Enough HTML for its first word. */
const BEGINNING = 400
const FIRST_WORD = /^(?:<[^>]*>|[^\p{L}<])*(\p{L}[\p{L}\p{M}]*)/u

/** The first word of HTML: texts of which it differs need not be compared. */
export const firstWord = (html: string): string => (FIRST_WORD.exec(html.slice(0, BEGINNING))?.[1] ?? '').toLowerCase()

const repeats = (text: string, earlier: readonly string[]): number => {
  const own = fingerprint(text)
  return own.length < LEAST_REPEATED ? 0 : earlier.filter((other) => fingerprint(other) === own).length
}

const shouts = (text: string): boolean => {
  const cased = text.replace(/[^\p{Lu}\p{Ll}]/gu, '')
  const upper = cased.replace(/\p{Ll}/gu, '').length
  return cased.length >= SHOUTED_LETTERS && upper / cased.length > SHOUTED_SHARE
}

/** The points of each trait that a text shows. */
export const spamPoints = ({ title = '', text, links, earlier, lately, newcomer }: Evidence): Readonly<Record<string, number>> => {
  const whole = `${title}\n${text}`
  const words = fold(whole).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const copies = repeats(text, earlier)
  const points = {
    repeated: copies === 0 ? 0 : copies === 1 ? 2 : copies === 2 ? 4 : 5,
    fast: lately >= 20 ? 4 : lately >= 10 ? 2 : 0,
    links: links >= 8 ? 4 : links >= 4 ? 2 : 0,
    // Hardly anything but addresses.
    dense: links >= 2 && words.length < links * 12 ? 2 : 0,
    shouted: shouts(whole) ? 2 : 0,
    stretched: STRETCHED.test(whole) ? 1 : 0,
    monotonous: words.length >= LEAST_WORDS && new Set(words).size / words.length < DISTINCT_SHARE ? 2 : 0,
    newcomer: 0,
  }
  const traits = Object.values(points).reduce((sum, value) => sum + value, 0)
  return { ...points, newcomer: newcomer && traits >= 2 ? 1 : 0 }
}

export const isSpam = (points: Readonly<Record<string, number>>): boolean =>
  Object.values(points).reduce((sum, value) => sum + value, 0) >= SPAM_POINTS
