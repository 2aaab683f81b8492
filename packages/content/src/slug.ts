import { randomBytes } from 'node:crypto'

/** Pairs of a letter and its Latin spelling. The Russian letters include Ukrainian, Bulgarian, Serbian and Macedonian ones. */
const SPELLING = new Map(
  (
    'ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ĸ k ŋ ng ŧ t ə e ' +
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o ' +
    'а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ  ы y ь  э e ю yu я ya ' +
    'є ie і i ґ g ђ dj ј j љ lj њ nj ћ c ѕ dz џ dz'
  )
    .split(' ')
    .flatMap((word, i, words): [string, string][] => (i % 2 === 0 ? [[word, words[i + 1] ?? '']] : [])),
)

const MAX_SOURCE = 1000

function cutAtHyphen(slug: string, max: number): string {
  if (slug.length <= max) return slug
  const cut = slug.slice(0, max + 1).lastIndexOf('-')
  return slug.slice(0, cut > max / 2 ? cut : max).replace(/-+$/, '')
}

/** Lower-case letters a-z, digits and single hyphens; '' if no part of the text has a Latin spelling. */
export function slugify(text: string, max = 80): string {
  const spelled = text
    .slice(0, MAX_SOURCE)
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{ASCII}]/gu, (letter) => SPELLING.get(letter) ?? letter)
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ]/gu, '')
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => SPELLING.get(letter) ?? '-')
  return cutAtHyphen(spelled.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''), max)
}

const MAX_WORDS = 8
const MAX_LENGTH = 60

/** The approximate visible text at the beginning of a message: without tags, URLs and Markdown syntax. */
function withoutMarkup(message: string): string {
  return message
    .slice(0, MAX_SOURCE)
    .replace(/^ {0,3}(?:```|~~~).*$/gm, ' ')
    .replace(/!?\[([^[\]]{0,200})\]\([^()\s]{0,400}(?: [^()]{0,200})?\)/g, ' $1 ')
    .replace(/<\/?[a-z!][^<>]{0,400}>/gi, ' ')
    .replace(/&(?:[a-z]{2,10}|#\d{1,7}|#x[\da-f]{1,6});/gi, ' ')
    .replace(/\b(?:https?:\/\/|www\.)(?:www\.)?/gi, '')
    .replace(/[*_~`#>|[\]\\]+/g, ' ')
}

/** The text that a slug is derived from: the title, or else the first words of the message (at most 8 words, 60 characters). */
export function slugSource(title: string | null | undefined, message: string): string {
  if (title?.trim()) return title.trim()
  const words = withoutMarkup(message).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  while (words.length > 1 && words.join(' ').length > MAX_LENGTH) words.pop()
  return words.join(' ').slice(0, MAX_LENGTH).toWellFormed()
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Six random characters (30 bits) that make a slug unique if it is taken. */
export function randomSuffix(): string {
  return Array.from(randomBytes(6), (byte) => BASE32[byte & 31]).join('')
}
