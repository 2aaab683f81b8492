import unhomoglyph from 'unhomoglyph'
import { replacing } from '../replace-characters.ts'

/** Invisible characters: joiners, soft hyphens, direction marks, fillers, variation selectors. */
const INVISIBLE = /\p{Cf}|\u115f|\u1160|[\u17b4\u17b5]|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu
/** Combining marks. Precomposed letters (ñ, ö, й) are letters of their own and stay. */
const LOOSE_MARKS = /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g
/** Vowel signs and elongation, which are optional in Arabic and Hebrew. */
const VOWEL_MARKS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g
/** Squared letters (🅰), which Unicode normalization does not change. */
const SQUARED = /[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu

/** Ligatures of whole phrases, which Unicode normalization expands to up to 18 letters. */
const PHRASES = /[\ufdfa\ufdfb]/g

/** Flags are pairs of regional indicators, which can also spell a word. */
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu
const fromSmallCapitals = replacing('ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz')

const ASCII = /^[\x20-\x7e\n\r\t]*$/

const regionalLetter = (sign: string): string => String.fromCharCode(97 + (sign.codePointAt(0) ?? 0) - 0x1f1e6)

const squaredLetter = (letter: string): string => String.fromCharCode(97 + (((letter.codePointAt(0) ?? 0) - 0x1f130) % 32))

/** Folds a text for comparison: one form for letters of all widths and styles, lower case, without invisible characters. */
export const fold = (text: string): string => {
  if (ASCII.test(text)) return text.toLowerCase()
  const lower = text
    .replace(INVISIBLE, '')
    .replace(LOOSE_MARKS, '')
    .replace(PHRASES, ' ')
    .normalize('NFKC')
    .replace(SQUARED, squaredLetter)
    .replace(REGIONAL, regionalLetter)
    .toLowerCase()
  return fromSmallCapitals(lower)
    .replace(/i\u0307/g, 'i')
    .replace(VOWEL_MARKS, '')
    .replaceAll('ς', 'σ')
}

const plainLetters = replacing('ıi øo łl đd ðd þth æae œoe ßss')

/** A folded word without diacritics. Only for longer words: short words may differ by diacritics alone. */
export const withoutMarks = (word: string): string => plainLetters(word.normalize('NFD').replace(LOOSE_MARKS, '').normalize('NFC'))

/** Latin letters, each with the Cyrillic and the Greek letter that look like it. */
const LOOKALIKES = 'aаα bвβ cсϲ dԁδ eеε hһη iіι jјϳ kкκ mмμ nпν oоο pрρ qԛ sѕσ tтτ uцυ wѡω xхχ yуγ'.split(' ')
const toLatin = replacing(LOOKALIKES.flatMap(([latin = '', ...others]) => others.map((other) => other + latin)).join(' '))
const toCyrillic = replacing(LOOKALIKES.map((letters) => letters.slice(0, 2)).join(' '))

const LATIN = /\p{Script=Latin}/u
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

/** The words that a word mixing scripts may stand for; empty for words of one script, as natural words are. */
export const singleScriptForms = (word: string): readonly string[] =>
  OTHER.test(word) && LATIN.test(word) ? [toLatin(word), toCyrillic(word)] : []

/** Letters that no natural Latin word contains: other alphabets and phonetic letters. */
const FOREIGN = /[^\0-\u024f\u1e00-\u1eff]/u
/** Words of one of these scripts alone are natural, even if they look like Latin words (сор, РОТА). */
const OTHER_SCRIPT_ALONE = /^(?:[\p{Script=Cyrillic}\p{N}]+|[\p{Script=Greek}\p{N}]+)$/u

/** The form shared by all words that look alike (the skeleton of Unicode TR 39). */
export const lookalike = (word: string): string => unhomoglyph(word).toLowerCase()

/** The skeleton of a word of a text; undefined if it cannot be a disguised Latin word. */
export const latinLookalike = (word: string): string | undefined =>
  FOREIGN.test(word) && !OTHER_SCRIPT_ALONE.test(word) ? lookalike(word) : undefined

const COMMENT_START = '<!--'
const COMMENT_END = '-->'

/** Removes HTML comments, which readers do not see; an unterminated one stays. */
const withoutComments = (text: string): string => {
  let shown = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(COMMENT_START, from)
    const end = start < 0 ? -1 : text.indexOf(COMMENT_END, start + COMMENT_START.length)
    if (end < 0) return shown + text.slice(from)
    shown += text.slice(from, start)
    from = end + COMMENT_END.length
  }
}

/** A run that a right-to-left override displays backwards, up to the end of its line. */
const OVERRIDDEN = /\u202e([^\u202c\u202d\u2069\n]+)/gu

/** The text as displayed: without comments, and with overridden runs also in display order. */
export const asDisplayed = (text: string): string =>
  (text.includes(COMMENT_START) ? withoutComments(text) : text).replace(
    OVERRIDDEN,
    (whole, run: string) => `${whole}\n${Array.from(run).toReversed().join('')}`,
  )

/** Maps digits and symbols to the letters they replace; `l` and 1 both become i. */
export const skeleton = replacing('0o 1i 3e 4a 5s 7t 8b @a $s !i |i €e li')
