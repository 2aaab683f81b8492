import { asDisplayed, fold, latinLookalike, lookalike, singleScriptForms, skeleton, withoutMarks } from './normalize-text.ts'

export interface WordList {
  /** The listed word that a text contains, as entered; null if none. */
  find(text: string): string | null
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const KATAKANA = /^[\p{Script=Katakana}ー]+$/u
const HANGUL = /^\p{Script=Hangul}+$/u
const PARTICLES = new Set(
  '은 는 이 가 을 를 의 에 에게 에서 와 과 도 만 로 으로 들 들아 들이 들은 아 야 여 이야 이다 이네 이고 같은 같이 처럼 보다 까지 부터 하고 이랑 랑 님 씨 ㅋ ㅋㅋ ㅋㅋㅋ ㅎㅎ'.split(
    ' ',
  ),
)

const TOKENS = /[\p{L}\p{N}\p{M}]+/gu
const WORD_ONLY = /^[\p{L}\p{N}\p{M}\s]+$/u
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u
/** Letters mixed with digits or symbols that replace letters. */
const LEET_CHUNKS = /[\p{L}\p{N}\p{M}@$!|€]+/gu
const LEET_SIGN = /[0134578@$!|€]/
const EDGE_SIGNS = /^[@!$|€]+|[@!$|€]+$/g
/** Separators inside a word. */
const JOINT = /^[._\-*·•~]{1,2}$/
/** Separators of table cells and lines, across which a word may continue. */
const BREAK = /^ *[\n\t][ \t\n]*$/
const PLURAL = /(?:es|s)$/
const LONG_RUN = /(.)\1\1/u
/** Spaces and small symbols inside text of an unspaced script. */
const BETWEEN_UNSPACED = /(?<=[^\s\p{P}\p{S}])[ \t\u3000._\-*·•~]+(?=[^\s\p{P}\p{S}])/gu

/** Shorter words may differ from innocent ones by a diacritic alone. */
const MIN_WITHOUT_MARKS = 7
const MIN_WITH_SIGNS = 4
const MIN_SPACED = 4
/** Shorter words appear by chance across lines or table cells, or their plural is another word. */
const MIN_ACROSS_LINES = 6
const MIN_WITH_PLURAL = 6
const MAX_ROW_LENGTH = 400
const MAX_GAP = 3

interface Token {
  readonly text: string
  readonly at: number
}

const collapseRuns = (word: string, to: '$1' | '$1$1') => word.replace(/(.)\1{2,}/gu, to)
const withoutDoubles = (word: string) => word.replace(/(.)\1+/gu, '$1')
const letterCount = (word: string) => [...word].length

/** Whether a piece of text occurs outside of a longer word. */
const occursAlone = (text: string, piece: string, inside: RegExp): boolean => {
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    const before = at > 0 ? ([...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '') : ''
    const after = String.fromCodePoint(text.codePointAt(at + piece.length) ?? 32)
    if (!inside.test(before) && !inside.test(after)) return true
  }
  return false
}

const KATAKANA_LETTER = /[\p{Script=Katakana}ー]/u

/** Rows of spaced single letters: `f o o`, `f.o.o`; with `acrossLines` also one per line. */
const spacedLettersOf = (text: string, tokens: readonly Token[], acrossLines = false): string[] => {
  const rows: string[] = []
  let row = ''
  let end = -1
  const close = () => {
    if (row.length >= 3) rows.push(row)
    row = ''
  }
  for (const token of tokens) {
    const alone = token.text.length === 1 && !UNSPACED.test(token.text)
    const near = end >= 0 && token.at - end <= MAX_GAP && (acrossLines || !text.slice(end, token.at).includes('\n'))
    if (!alone || !near || row.length >= MAX_ROW_LENGTH) close()
    if (alone) {
      row += token.text
      end = token.at + 1
    } else end = -1
  }
  close()
  return rows
}

/** Words broken by lines or cells into two or three parts. */
const joinedAcrossBreaks = (text: string, tokens: readonly Token[]): string[] => {
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
  return found.filter((joined) => joined.length >= MIN_ACROSS_LINES && joined.length <= MAX_ROW_LENGTH)
}

/** Words with parts separated by a single symbol: `fo.o`, `fo-o`. */
const joinedByPunctuation = (text: string, tokens: readonly Token[]): string[] => {
  const found: string[] = []
  let parts: string[] = []
  const close = () => {
    const joined = parts.join('')
    if (parts.length > 1 && joined.length >= MIN_SPACED && joined.length <= MAX_ROW_LENGTH) found.push(joined)
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

const firstMatch = <T>(list: Iterable<T>, match: (item: T) => string | undefined): string | undefined => {
  for (const item of list) {
    const found = match(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Compiles a list into lookup tables; searching a text then costs about the same for any length of the list. */
export const compileWords = (words: readonly string[]): WordList => {
  const exactWords = new Map<string, string>()
  const unmarkedWords = new Map<string, string>()
  const squeezedWords = new Map<string, string>()
  const leetWords = new Map<string, string>()
  const lookalikeWords = new Map<string, string>()
  const phrases = new Map<string, { readonly rest: readonly string[]; readonly word: string }[]>()
  const pieces: { readonly piece: string; readonly inside: RegExp | null; readonly word: string }[] = []
  const korean: { readonly stem: string; readonly word: string }[] = []

  const addWord = (folded: string, word: string) => {
    exactWords.set(folded, word)
    const length = letterCount(folded)
    if (length >= MIN_WITHOUT_MARKS) unmarkedWords.set(withoutMarks(folded), word)
    if (length >= MIN_WITH_SIGNS) leetWords.set(skeleton(folded), word)
    lookalikeWords.set(lookalike(folded), word)
    if (letterCount(withoutDoubles(folded)) >= MIN_SPACED) squeezedWords.set(withoutDoubles(folded), word)
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
  const lengths = [...new Set([...leetWords.keys()].map((word) => word.length))]
  const longLengths = lengths.filter((length) => length >= MIN_ACROSS_LINES)
  const anyUnspaced = pieces.some(({ piece }) => UNSPACED.test(piece))

  const inToken = (token: string): string | undefined => {
    const found = exactWords.get(token) ?? unmarkedWords.get(withoutMarks(token))
    if (found !== undefined) return found
    if (LONG_RUN.test(token)) {
      const run =
        exactWords.get(collapseRuns(token, '$1')) ?? exactWords.get(collapseRuns(token, '$1$1')) ?? squeezedWords.get(withoutDoubles(token))
      if (run !== undefined) return run
    }
    const mixed = firstMatch(singleScriptForms(token), (other) => exactWords.get(other) ?? unmarkedWords.get(withoutMarks(other)))
    if (mixed !== undefined) return mixed
    const disguise = latinLookalike(token)
    const undisguised = disguise === undefined ? undefined : lookalikeWords.get(disguise)
    if (undisguised !== undefined) return undisguised
    if (PLURAL.test(token)) {
      const singular = [token.slice(0, -1), ...(token.endsWith('es') ? [token.slice(0, -2)] : [])]
      const found = singular.find((one) => one.length >= MIN_WITH_PLURAL && exactWords.has(one))
      if (found !== undefined) return exactWords.get(found)
    }
    if (HANGUL.test(token)) return korean.find(({ stem }) => token.startsWith(stem) && PARTICLES.has(token.slice(stem.length)))?.word
    return undefined
  }

  const inChunk = (chunk: string): string | undefined => {
    if (!LEET_SIGN.test(chunk)) return undefined
    return firstMatch(new Set([chunk, chunk.replace(EDGE_SIGNS, '')]), (form) => {
      const letters = form.replace(/[^\p{L}]/gu, '').length
      return letters * 2 < form.length || !LEET_SIGN.test(form) ? undefined : leetWords.get(skeleton(form))
    })
  }

  const inRow = (row: string, among = lengths): string | undefined => {
    if (row.length < MIN_SPACED) return exactWords.get(row)
    const letters = skeleton(row)
    for (const length of among) {
      for (let at = 0; at + length <= letters.length; at++) {
        const found = leetWords.get(letters.slice(at, at + length))
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
      inside ? occursAlone(text, piece, inside) : text.includes(piece) || (UNSPACED.test(piece) && dense.includes(piece)),
    )?.word
  }

  const hasWords = exactWords.size > 0
  const isListed = (word: string) => exactWords.get(word)

  const inDisguise = (text: string, tokens: readonly Token[]): string | undefined =>
    (LEET_SIGN.test(text) ? firstMatch(text.matchAll(LEET_CHUNKS), ([chunk]) => inChunk(chunk)) : undefined) ??
    firstMatch(spacedLettersOf(text, tokens), (row) => inRow(row)) ??
    firstMatch(joinedByPunctuation(text, tokens), isListed) ??
    firstMatch(joinedAcrossBreaks(text, tokens), isListed) ??
    (longLengths.length > 0 ? firstMatch(spacedLettersOf(text, tokens, true), (row) => inRow(row, longLengths)) : undefined)

  return {
    find: (text) => {
      const folded = fold(asDisplayed(text))
      const tokens = hasWords || phrases.size > 0 ? tokensOf(folded) : []
      return (
        (hasWords ? firstMatch(tokens, ({ text: token }) => inToken(token)) : undefined) ??
        (phrases.size > 0 ? inPhrases(tokens) : undefined) ??
        (pieces.length > 0 ? inPieces(folded) : undefined) ??
        (hasWords ? inDisguise(folded, tokens) : undefined) ??
        null
      )
    },
  }
}
