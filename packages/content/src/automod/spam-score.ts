import { fold } from './normalize-text.ts'

/** Facts about a text beside its words. */
export interface Evidence {
  readonly title?: string
  readonly text: string
  readonly links: number
  /** Texts the author wrote within the last day; those with another first word may be missing. */
  readonly earlier: readonly string[]
  readonly recentCount: number
  readonly newcomer: boolean
}

/** Score from which a text counts as spam. No single trait reaches it. */
const SPAM_POINTS = 5

/** Shorter texts ("thank you!") are repeated by everyone. */
const MIN_REPEATED_LENGTH = 20
const MIN_CASED_LETTERS = 20
const UPPERCASE_SHARE = 0.7
const MIN_WORDS = 12
const DISTINCT_SHARE = 0.3
const STRETCHED = /(\p{L})\1{9}/u

/** A form of the text that identifies repetitions: without case, symbols, numbers and URLs, which spammers vary. */
const fingerprint = (text: string): string =>
  fold(text)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()

/** Enough HTML for the first word. */
const HEAD_LENGTH = 400
const FIRST_WORD = /^(?:<[^>]*>|[^\p{L}<])*(\p{L}[\p{L}\p{M}]*)/u

/** The first word of HTML; texts with different first words need not be compared. */
export const firstWord = (html: string): string => (FIRST_WORD.exec(html.slice(0, HEAD_LENGTH))?.[1] ?? '').toLowerCase()

const repeats = (text: string, earlier: readonly string[]): number => {
  const own = fingerprint(text)
  return own.length < MIN_REPEATED_LENGTH ? 0 : earlier.filter((other) => fingerprint(other) === own).length
}

const shouts = (text: string): boolean => {
  const cased = text.replace(/[^\p{Lu}\p{Ll}]/gu, '')
  const upper = cased.replace(/\p{Ll}/gu, '').length
  return cased.length >= MIN_CASED_LETTERS && upper / cased.length > UPPERCASE_SHARE
}

export const spamPoints = ({ title = '', text, links, earlier, recentCount, newcomer }: Evidence): Readonly<Record<string, number>> => {
  const whole = `${title}\n${text}`
  const words = fold(whole).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const copies = repeats(text, earlier)
  const points = {
    repeated: copies === 0 ? 0 : copies === 1 ? 2 : copies === 2 ? 4 : 5,
    fast: recentCount >= 20 ? 4 : recentCount >= 10 ? 2 : 0,
    links: links >= 8 ? 4 : links >= 4 ? 2 : 0,
    // Hardly anything but links.
    dense: links >= 2 && words.length < links * 12 ? 2 : 0,
    shouted: shouts(whole) ? 2 : 0,
    stretched: STRETCHED.test(whole) ? 1 : 0,
    monotonous: words.length >= MIN_WORDS && new Set(words).size / words.length < DISTINCT_SHARE ? 2 : 0,
    newcomer: 0,
  }
  const traits = Object.values(points).reduce((sum, value) => sum + value, 0)
  return { ...points, newcomer: newcomer && traits >= 2 ? 1 : 0 }
}

export const isSpam = (points: Readonly<Record<string, number>>): boolean =>
  Object.values(points).reduce((sum, value) => sum + value, 0) >= SPAM_POINTS
