import { disguised, displayed, fold, lookalike, skeleton, unmixed, withoutMarks } from './normalize-text.ts'

/** Words that somebody wants to see first. */
export interface WordList {
  /** Which of the words a text holds, as it was entered; null: none. */
  find(text: string): string | null
}

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const KATAKANA = /^[\p{Script=Katakana}ー]+$/u
const HANGUL = /^\p{Script=Hangul}+$/u
/** What Korean writes at the end of a word. */
const PARTICLES = new Set(
  '은 는 이 가 을 를 의 에 에게 에서 와 과 도 만 로 으로 들 들아 들이 들은 아 야 여 이야 이다 이네 이고 같은 같이 처럼 보다 까지 부터 하고 이랑 랑 님 씨 ㅋ ㅋㅋ ㅋㅋㅋ ㅎㅎ'.split(
    ' ',
  ),
)

const TOKENS = /[\p{L}\p{N}\p{M}]+/gu
const WORD_ONLY = /^[\p{L}\p{N}\p{M}\s]+$/u
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u
/** Letters with digits or signs among them that stand for letters. */
const LEET_CHUNKS = /[\p{L}\p{N}\p{M}@$!|€]+/gu
const LEET_SIGN = /[0134578@$!|€]/
const EDGE_SIGNS = /^[@!$|€]+|[@!$|€]+$/g
/** What holds parts of one word apart. */
const JOINT = /^[._\-*·•~]{1,2}$/
/** What separates cells of a table, and lines: a word may continue behind it. */
const BREAK = /^ *[\n\t][ \t\n]*$/
const PLURAL = /(?:es|s)$/
const LONG_RUN = /(.)\1\1/u
/** Blanks and small signs inside of a text without spaces. */
const BETWEEN_UNSPACED = /(?<=[^\s\p{P}\p{S}])[ \t\u3000._\-*·•~]+(?=[^\s\p{P}\p{S}])/gu

/** Shorter words differ from innocent ones by a mark alone. */
const LEAST_WITHOUT_MARKS = 7
const LEAST_WITH_SIGNS = 4
const LEAST_APART = 4
/** Shorter words appear by chance where lines or table cells meet, or have a plural that is another word. */
const LEAST_ACROSS_LINES = 6
const LEAST_WITH_PLURAL = 6
/** Most letters of a row of single letters that is read as words. */
const LONGEST_ROW = 400
const WIDEST_GAP = 3

interface Token {
  readonly text: string
  readonly at: number
}

const collapsed = (word: string, to: '$1' | '$1$1') => word.replace(/(.)\1{2,}/gu, to)
const single = (word: string) => word.replace(/(.)\1+/gu, '$1')
const lengthOf = (word: string) => [...word].length

/** Where a piece of text stands that is not part of a longer word. */
const standsAlone = (text: string, piece: string, inside: RegExp): boolean => {
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    const before = at > 0 ? ([...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '') : ''
    const after = String.fromCodePoint(text.codePointAt(at + piece.length) ?? 32)
    if (!inside.test(before) && !inside.test(after)) return true
  }
  return false
}

const KATAKANA_LETTER = /[\p{Script=Katakana}ー]/u

/** Rows of single letters that stand apart: `f o o`, `f.o.o`; with `acrossLines` also one below the other. */
const rowsOf = (text: string, tokens: readonly Token[], acrossLines = false): string[] => {
  const rows: string[] = []
  let row = ''
  let end = -1
  const close = () => {
    if (row.length >= 3) rows.push(row)
    row = ''
  }
  for (const token of tokens) {
    const alone = token.text.length === 1 && !UNSPACED.test(token.text)
    const near = end >= 0 && token.at - end <= WIDEST_GAP && (acrossLines || !text.slice(end, token.at).includes('\n'))
    if (!alone || !near || row.length >= LONGEST_ROW) close()
    if (alone) {
      row += token.text
      end = token.at + 1
    } else end = -1
  }
  close()
  return rows
}

/** Words that lines or cells break in two or three. */
const acrossBreaks = (text: string, tokens: readonly Token[]): string[] => {
  const found: string[] = []
  const brokenAt = (i: number) => {
    const [before, after] = [tokens[i], tokens[i + 1]]
    return before && after ? BREAK.test(text.slice(before.at + before.text.length, after.at)) : false
  }
  for (const [i, { text: part }] of tokens.entries()) {
    if (!brokenAt(i)) continue
    const two = part + (tokens[i + 1]?.text ?? '')
    found.push(two)
    if (brokenAt(i + 1)) found.push(two + (tokens[i + 2]?.text ?? ''))
  }
  return found.filter((joined) => joined.length >= LEAST_ACROSS_LINES && joined.length <= LONGEST_ROW)
}

/** What parts come to that are held apart by a sign alone: `fo.o`, `fo-o`. */
const joinedOf = (text: string, tokens: readonly Token[]): string[] => {
  const found: string[] = []
  let parts: string[] = []
  const close = () => {
    const joined = parts.join('')
    if (parts.length > 1 && joined.length >= LEAST_APART && joined.length <= LONGEST_ROW) found.push(joined)
    parts = []
  }
  let end = -1
  for (const { text: part, at } of tokens) {
    if (end < 0 || at - end > 2 || !JOINT.test(text.slice(end, at))) close()
    parts.push(part)
    end = at + part.length
  }
  close()
  return found
}

const tokensOf = (text: string): Token[] => Array.from(text.matchAll(TOKENS), (match) => ({ text: match[0], at: match.index }))

/** Builds the tables of a list once; looking a text up then costs about the same however long the list is. */
export const compileWords = (words: readonly string[]): WordList => {
  const whole = new Map<string, string>()
  const bare = new Map<string, string>()
  const squeezed = new Map<string, string>()
  const signed = new Map<string, string>()
  const alike = new Map<string, string>()
  const phrases = new Map<string, { readonly rest: readonly string[]; readonly word: string }[]>()
  const pieces: { readonly piece: string; readonly inside: RegExp | null; readonly word: string }[] = []
  const korean: { readonly stem: string; readonly word: string }[] = []

  const addWord = (folded: string, word: string) => {
    whole.set(folded, word)
    const length = lengthOf(folded)
    if (length >= LEAST_WITHOUT_MARKS) bare.set(withoutMarks(folded), word)
    if (length >= LEAST_WITH_SIGNS) signed.set(skeleton(folded), word)
    alike.set(lookalike(folded), word)
    if (lengthOf(single(folded)) >= LEAST_APART) squeezed.set(single(folded), word)
    if (HANGUL.test(folded)) korean.push({ stem: folded, word })
  }

  for (const word of words) {
    const folded = fold(word).trim().replace(/\s+/g, ' ')
    if (folded === '') continue
    if (UNSPACED.test(folded))
      pieces.push({ piece: folded.replaceAll(' ', ''), inside: KATAKANA.test(folded) ? KATAKANA_LETTER : null, word })
    else if (!WORD_CHARACTER.test(folded)) pieces.push({ piece: folded, inside: null, word })
    else if (!WORD_ONLY.test(folded)) pieces.push({ piece: folded, inside: WORD_CHARACTER, word })
    else {
      const [first = '', ...rest] = folded.split(' ')
      if (rest.length === 0) addWord(first, word)
      else phrases.set(first, [...(phrases.get(first) ?? []), { rest, word }])
    }
  }
  const lengths = [...new Set([...signed.keys()].map((word) => word.length))]
  const longLengths = lengths.filter((length) => length >= LEAST_ACROSS_LINES)
  const anyUnspaced = pieces.some(({ piece }) => UNSPACED.test(piece))

  const inToken = (token: string): string | undefined => {
    const found = whole.get(token) ?? bare.get(withoutMarks(token))
    if (found !== undefined) return found
    if (LONG_RUN.test(token)) {
      const run = whole.get(collapsed(token, '$1')) ?? whole.get(collapsed(token, '$1$1')) ?? squeezed.get(single(token))
      if (run !== undefined) return run
    }
    for (const other of unmixed(token)) {
      const mixed = whole.get(other) ?? bare.get(withoutMarks(other))
      if (mixed !== undefined) return mixed
    }
    const disguise = disguised(token)
    const undisguised = disguise === undefined ? undefined : alike.get(disguise)
    if (undisguised !== undefined) return undisguised
    if (PLURAL.test(token)) {
      const singular = [token.slice(0, -1), ...(token.endsWith('es') ? [token.slice(0, -2)] : [])]
      const found = singular.find((one) => one.length >= LEAST_WITH_PLURAL && whole.has(one))
      if (found !== undefined) return whole.get(found)
    }
    if (HANGUL.test(token)) return korean.find(({ stem }) => token.startsWith(stem) && PARTICLES.has(token.slice(stem.length)))?.word
    return undefined
  }

  const inChunk = (chunk: string): string | undefined => {
    if (!LEET_SIGN.test(chunk)) return undefined
    for (const form of new Set([chunk, chunk.replace(EDGE_SIGNS, '')])) {
      const letters = form.replace(/[^\p{L}]/gu, '').length
      if (letters * 2 < form.length || !LEET_SIGN.test(form)) continue
      const found = signed.get(skeleton(form))
      if (found !== undefined) return found
    }
    return undefined
  }

  const inRow = (row: string, among = lengths): string | undefined => {
    if (row.length < LEAST_APART) return whole.get(row)
    const letters = skeleton(row)
    for (const length of among) {
      for (let at = 0; at + length <= letters.length; at++) {
        const found = signed.get(letters.slice(at, at + length))
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  const inPhrases = (tokens: readonly Token[]): string | undefined => {
    for (const [i, token] of tokens.entries()) {
      const found = phrases.get(token.text)?.find(({ rest }) => rest.every((next, j) => tokens[i + 1 + j]?.text === next))
      if (found) return found.word
    }
    return undefined
  }

  const inPieces = (text: string): string | undefined => {
    const dense = anyUnspaced ? text.replace(BETWEEN_UNSPACED, '') : text
    return pieces.find(({ piece, inside }) =>
      inside ? standsAlone(text, piece, inside) : text.includes(piece) || (UNSPACED.test(piece) && dense.includes(piece)),
    )?.word
  }

  const first = <T>(list: Iterable<T>, look: (item: T) => string | undefined): string | undefined => {
    for (const item of list) {
      const found = look(item)
      if (found !== undefined) return found
    }
    return undefined
  }

  const hasWords = whole.size > 0
  return {
    find: (text) => {
      const folded = fold(displayed(text))
      const tokens = hasWords || phrases.size > 0 ? tokensOf(folded) : []
      return (
        (hasWords ? first(tokens, ({ text: token }) => inToken(token)) : undefined) ??
        (phrases.size > 0 ? inPhrases(tokens) : undefined) ??
        (pieces.length > 0 ? inPieces(folded) : undefined) ??
        (hasWords && LEET_SIGN.test(folded) ? first(folded.matchAll(LEET_CHUNKS), ([chunk]) => inChunk(chunk)) : undefined) ??
        (hasWords ? first(rowsOf(folded, tokens), (row) => inRow(row)) : undefined) ??
        (hasWords ? first(joinedOf(folded, tokens), (joined) => whole.get(joined)) : undefined) ??
        (hasWords ? first(acrossBreaks(folded, tokens), (joined) => whole.get(joined)) : undefined) ??
        (hasWords && longLengths.length > 0 ? first(rowsOf(folded, tokens, true), (row) => inRow(row, longLengths)) : undefined) ??
        null
      )
    },
  }
}
