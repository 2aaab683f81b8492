import unhomoglyph from 'unhomoglyph'

/** Characters that are not seen: joiners, soft hyphens, direction marks, fillers, variation selectors. */
const INVISIBLE = /\p{Cf}|\u115f|\u1160|[\u17b4\u17b5]|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu
/** Marks put on letters one by one. Letters that come with theirs (ñ, ö, й) are letters of their own and stay. */
const LOOSE_MARKS = /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g
/** Vowel signs and lengthening, which Arabic and Hebrew are written with or without. */
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g
/** Squared letters (🅰), which no normalisation makes letters of. */
const SQUARED = /[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu

/** Flags are pairs of regional indicators; one or a row of them spells a word. */
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu
const SMALL_CAPITALS = new Map(
  Array.from('ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'.matchAll(/(.)(.)/gu), ([, from = '', to = '']) => [from, to]),
)
const SMALL_CAPITAL = new RegExp(`[${[...SMALL_CAPITALS.keys()].join('')}]`, 'gu')

const ASCII = /^[\x20-\x7e\n\r\t]*$/

const regionalLetter = (sign: string): string => String.fromCharCode(97 + (sign.codePointAt(0) ?? 0) - 0x1f1e6)

const unsquared = (letter: string): string => String.fromCharCode(97 + (((letter.codePointAt(0) ?? 0) - 0x1f130) % 32))

/** A text as it is compared: letters of all widths and styles in one form, in lower case, without what is not seen. */
export const fold = (text: string): string => {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(INVISIBLE, '')
    .replace(LOOSE_MARKS, '')
    .normalize('NFKC')
    .replace(SQUARED, unsquared)
    .replace(REGIONAL, regionalLetter)
    .toLowerCase()
    .replace(SMALL_CAPITAL, (letter) => SMALL_CAPITALS.get(letter) ?? letter)
    .replace(/i\u0307/g, 'i')
    .replace(POINTS, '')
    .replaceAll('ς', 'σ')
}

const PLAIN: Readonly<Record<string, string>> = {
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
}
const SPECIAL = /[ıøłđðþæœß]/g

/** A folded word without the marks of its letters; to be compared for longer words only, since short ones differ by them alone. */
export const withoutMarks = (word: string): string =>
  word
    .normalize('NFD')
    .replace(LOOSE_MARKS, '')
    .normalize('NFC')
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)

const LOOKALIKES = [
  ['a', 'а', 'α'],
  ['b', 'в', 'β'],
  ['c', 'с', 'ϲ'],
  ['d', 'ԁ', 'δ'],
  ['e', 'е', 'ε'],
  ['h', 'һ', 'η'],
  ['i', 'і', 'ι'],
  ['j', 'ј', 'ϳ'],
  ['k', 'к', 'κ'],
  ['m', 'м', 'μ'],
  ['n', 'п', 'ν'],
  ['o', 'о', 'ο'],
  ['p', 'р', 'ρ'],
  ['q', 'ԛ', ''],
  ['s', 'ѕ', 'σ'],
  ['t', 'т', 'τ'],
  ['u', 'ц', 'υ'],
  ['w', 'ѡ', 'ω'],
  ['x', 'х', 'χ'],
  ['y', 'у', 'γ'],
] as const

const toLatin = new Map<string, string>()
const toCyrillic = new Map<string, string>()
for (const [latin, cyrillic, greek] of LOOKALIKES) {
  toLatin.set(cyrillic, latin)
  toCyrillic.set(latin, cyrillic)
  if (greek) toLatin.set(greek, latin)
}

const LATIN = /\p{Script=Latin}/u
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

const replaced = (word: string, map: ReadonlyMap<string, string>) => Array.from(word, (letter) => map.get(letter) ?? letter).join('')

/** What a word may stand for that mixes letters of several scripts; none for words of one script, as all natural ones are. */
export const unmixed = (word: string): readonly string[] =>
  OTHER.test(word) && LATIN.test(word) ? [replaced(word, toLatin), replaced(word, toCyrillic)] : []

/** Letters that no natural word in the Latin alphabet has: those of other alphabets, and phonetic ones. */
const FOREIGN = /[^\0-\u024f\u1e00-\u1eff]/u
/** Words of one of these scripts alone are natural, even where they look like Latin ones (сор, РОТА). */
const OTHER_SCRIPT_ALONE = /^(?:[\p{Script=Cyrillic}\p{N}]+|[\p{Script=Greek}\p{N}]+)$/u

/** The form that all words which look alike share (the skeleton of Unicode TR 39). */
export const lookalike = (word: string): string => unhomoglyph(word).toLowerCase()

/** The same for a word of a text; undefined where it cannot be a Latin word in disguise. */
export const disguised = (word: string): string | undefined =>
  FOREIGN.test(word) && !OTHER_SCRIPT_ALONE.test(word) ? lookalike(word) : undefined

const COMMENT_START = '<!--'
const COMMENT_END = '-->'

/** Without HTML comments, which no reader sees; an unterminated one stays. */
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

/** What a right-to-left override displays backwards, up to the end of its line. */
const OVERRIDDEN = /\u202e([^\u202c\u202d\u2069\n]+)/gu

/** A text as a reader sees it: without comments, and with overridden runs in the order in which they are displayed. */
export const displayed = (text: string): string =>
  (text.includes(COMMENT_START) ? withoutComments(text) : text).replace(
    OVERRIDDEN,
    (whole, run: string) => `${whole}\n${Array.from(run).toReversed().join('')}`,
  )

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '€': 'e',
  l: 'i',
}
const LEET_OR_L = /[0134578@$!|€l]/g

/** The same for a word and for its spelling with digits and signs; 1 stands for both i and l. */
export const skeleton = (word: string): string => word.replace(LEET_OR_L, (sign) => LEET[sign] ?? sign)
