/**
 * The tokenizer of full-text search, the same for both databases. A token consists of lower-case letters and digits without accents. It
 * contains only [a-z0-9] and code points above 127, so that SQLite's `ascii` tokenizer and a tsvector store it unchanged.
 *
 * Words of scripts without spaces are indexed as pairs of adjacent characters plus the last character, so that any substring of such text
 * can be found, even a single character.
 */

const MAX_TEXT = 200_000
/** The number of distinct tokens that a text of the default maximum length can have: half of its bytes. */
const MAX_TOKENS = 32_000
const MAX_TOKEN_LENGTH = 64
const MAX_QUERY_LENGTH = 200

const FOLDED: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ς: 'σ' }
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')

/** Signs that compatibility normalization would join to the preceding word, apostrophes classified as letters, and the byte order mark. */
const SEPARATORS = /[™℠\u02B9-\u02BF\uFEFF]/g

/**
 * Marks that a search ignores because the word is the same without them: accents, Hebrew points, Arabic vowels and tatweel, invisible
 * characters. Vowel signs of Indic and South-East Asian scripts and the voicing marks of kana are preserved.
 */
const OPTIONAL_MARKS = /(?![\u3099\u309A])[[[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]&&\p{M}]\p{Cf}\u0640]/gv

/** й is a letter of its own, not an accented и. */
const SHORT_I = /и\u0306/g

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
const NO_SPACES =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const RUNS = new RegExp(`[${NO_SPACES}]+|[^${NO_SPACES}]+`, 'gu')
const UNSPACED = new RegExp(`^[${NO_SPACES}]`, 'u')

function normalise(text: string): string {
  return text
    .replace(SEPARATORS, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED[letter]!)
    .replace(SHORT_I, 'й')
    .replace(OPTIONAL_MARKS, '')
    .normalize('NFC')
}

/** Splits a text into runs: words, and sequences of characters of scripts without spaces. */
function* runs(text: string): Generator<string> {
  for (const [word] of normalise(text).matchAll(WORDS)) {
    for (const [run] of word.matchAll(RUNS)) yield run
  }
}

/** The distinct words of a text, normalized for comparison. Text of a script without spaces is one word. */
export function foldedWords(text: string): string[] {
  return [...new Set([...normalise(text.slice(0, MAX_TEXT)).matchAll(WORDS)].map(([word]) => word))]
}

function shortened(word: string): string {
  return word.length <= MAX_TOKEN_LENGTH ? word : [...word].slice(0, MAX_TOKEN_LENGTH).join('')
}

function* pairs(run: string): Generator<string> {
  let last = ''
  for (const character of run) {
    if (last) yield last + character
    last = character
  }
}

function isSingleCharacter(token: string): boolean {
  return UNSPACED.test(token) && token.length <= 2 && [...token].length === 1
}

/** Texts with only ASCII and common typographic punctuation need no normalization besides lower-casing. */
const SIMPLE = /^[\0-\x7f\u2013\u2014\u2018\u2019\u201c-\u201e\u2026]*$/
const SIMPLE_WORDS = /[a-z0-9]+/g

function simpleTokens(text: string): string[] {
  const found = new Set<string>()
  for (const word of text.toLowerCase().match(SIMPLE_WORDS) ?? []) {
    found.add(shortened(word))
    if (found.size >= MAX_TOKENS) break
  }
  return [...found]
}

/** The distinct tokens of a text in order of appearance: at most 32,000, each of at most 64 characters. */
export function tokens(text: string): string[] {
  const start = text.slice(0, MAX_TEXT)
  if (SIMPLE.test(start)) return simpleTokens(start)
  const found = new Set<string>()
  for (const run of runs(start)) {
    if (UNSPACED.test(run)) for (const pair of pairs(run)) found.add(pair)
    found.add(UNSPACED.test(run) ? [...run].at(-1)! : shortened(run))
    if (found.size >= MAX_TOKENS) break
  }
  return [...found].slice(0, MAX_TOKENS)
}

/** The tokens as one text: the document of an FTS5 table created with `tokenize='ascii'`, or the lexemes of a tsvector. */
export function ftsDocument(text: string): string {
  return tokens(text).join(' ')
}

/** A match must contain all tokens of `all` and a token that begins with `prefix`. */
export type SearchQuery = { all: string[]; prefix: string }

/** Parses the first 200 characters of a search input; null if they contain no word. */
export function queryTokens(search: string): SearchQuery | null {
  const start = search.slice(0, MAX_QUERY_LENGTH * 10).normalize('NFC')
  const found: string[] = []
  for (const run of runs([...start].slice(0, MAX_QUERY_LENGTH).join(''))) {
    if (!UNSPACED.test(run)) found.push(shortened(run))
    else if (isSingleCharacter(run)) found.push(run)
    else found.push(...pairs(run))
  }
  const prefix = found.pop()
  return prefix === undefined ? null : { all: [...new Set(found)], prefix }
}

/** A single character of a script without spaces is indexed as the first character of a pair, so it is searched for as a prefix. */
function terms({ all, prefix }: SearchQuery): { token: string; beginning: boolean }[] {
  return [...all.map((token) => ({ token, beginning: isSingleCharacter(token) })), { token: prefix, beginning: true }]
}

/** The query for MATCH of FTS5. */
export function ftsQuery(query: SearchQuery): string {
  return terms(query)
    .map(({ token, beginning }) => `"${token.replaceAll('"', '""')}"${beginning ? '*' : ''}`)
    .join(' AND ')
}

/** The query for PostgreSQL, to be cast to tsquery. */
export function tsQuery(query: SearchQuery): string {
  return terms(query)
    .map(({ token, beginning }) => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${beginning ? ':*' : ''}`)
    .join(' & ')
}

/** Whether a text with these tokens matches; the full-text indexes of both databases give the same result. */
export function isFound(query: SearchQuery, found: readonly string[]): boolean {
  return terms(query).every(({ token, beginning }) => found.some((one) => (beginning ? one.startsWith(token) : one === token)))
}
