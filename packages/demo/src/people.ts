import { CULTURES, NICK_BACK, NICK_FRONT } from './names.ts'
import { createRandom, createWeights, mix, type Random } from './random.ts'
import { BIO_WORDS, TOPICS } from './text/data.ts'
import { render, slotLists } from './text/template.ts'
import type { Language } from './text/types.ts'
import { voiceOf } from './text.ts'

export interface Person {
  username: string
  display_name: string
  first_name: string
  last_name: string
  email: string
  short_description: string
  location: string
  website: string
  social_links: Record<string, string>
  is_verified: 0 | 1
  language: Language
}

/** What the rest of the generator needs of everybody, small enough to be kept for all. */
export interface Names {
  usernames: string[]
  firstNames: string[]
  /** Index into CULTURES. */
  cultures: Uint8Array
}

const cultureWeights = createWeights(CULTURES.map(({ weight }) => weight))
const STREAM = 0x9e091e

/** Usernames are 3–30 of a-z 0-9 _ - and unique. */
export function nameAll(count: number, seed: number): Names {
  const random = createRandom(0)
  const taken = new Set<string>()
  const usernames: string[] = []
  const firstNames: string[] = []
  const cultures = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    random.reseed(mix(seed ^ STREAM, index))
    const name = draw(random)
    let username = usernameFor(random, name)
    while (taken.has(username))
      username = `${username.slice(0, 25).replace(/[-_]?\d+$/, '')}${random.pick(['', '-', '_'])}${random.int(2, 9999)}`
    taken.add(username)
    usernames.push(username)
    firstNames.push(name.first)
    cultures[index] = name.culture
  }
  return { usernames, firstNames, cultures }
}

export function personAt(index: number, seed: number, names: Names): Person {
  const random = createRandom(mix(seed ^ STREAM, index))
  const name = draw(random)
  const username = names.usernames[index]!
  const { language, places } = CULTURES[name.culture]!
  // from here on other streams: the number of draws above depends on the name
  random.reseed(mix(seed ^ STREAM, -1 - index))
  const place = random.pick(places)
  return {
    username,
    display_name: random.chance(0.06) ? username : name.display,
    first_name: name.first,
    last_name: name.last,
    email: `${username}@example.${random.pick(['org', 'com', 'net'])}`,
    short_description: bio(random, language, place),
    location: random.chance(0.75) ? place : '',
    website: random.chance(0.22) ? website(random, username) : '',
    social_links: random.chance(0.12)
      ? { [random.pick(['twitter', 'youtube', 'linkedin', 'instagram'])]: `https://social.example.com/${username}` }
      : {},
    is_verified: random.chance(0.05) ? 1 : 0,
    language,
  }
}

interface Drawn {
  culture: number
  first: string
  last: string
  display: string
  /** In Latin letters, for the username. */
  latin: [string, string]
}

function draw(random: Random): Drawn {
  const culture = cultureWeights.pick(random)
  const { given, family, familyFirst } = CULTURES[culture]!
  const [first, nativeFirst] = random.pick(given).split('=') as [string, string?]
  const [last, nativeLast] = random.pick(family).split('=') as [string, string?]
  const native = nativeFirst !== undefined && nativeLast !== undefined && random.chance(0.6)
  const [shownFirst, shownLast] = native ? [nativeFirst, nativeLast] : [first, last]
  return {
    culture,
    first: shownFirst,
    last: shownLast,
    display: shown(random, shownFirst, shownLast, native && familyFirst === true),
    latin: [first, last],
  }
}

function shown(random: Random, first: string, last: string, familyFirst: boolean): string {
  if (familyFirst) return random.chance(0.8) ? `${last} ${first}` : `${last}${first}`
  const form = random.float()
  if (form < 0.7) return `${first} ${last}`
  if (form < 0.86) return `${first} ${[...last][0]}.`
  return form < 0.97 ? first : `${first} “${random.pick(NICK_BACK)}” ${last}`
}

function usernameFor(random: Random, { latin }: Drawn): string {
  const [first, last] = latin.map(plain) as [string, string]
  const form = random.float()
  const year = random.chance(0.35) ? String(random.int(66, 105) % 100).padStart(2, '0') : ''
  const name =
    form < 0.2
      ? `${first}${random.pick(['_', '-', ''])}${last}`
      : form < 0.38
        ? `${first[0]}${last}${year}`
        : form < 0.56
          ? `${first}${random.pick(['_', '-', ''])}${last[0]}${year}`
          : form < 0.68
            ? `${first}${year || random.int(1, 99)}`
            : form < 0.94
              ? `${random.pick(NICK_FRONT)}${random.pick(['', '', '_', '-'])}${random.pick(NICK_BACK)}${random.chance(0.3) ? random.int(1, 99) : ''}`
              : `${last}${random.pick(['_', '-'])}${random.pick(NICK_BACK)}`
  return (name.length < 3 ? `${name}${random.int(100, 999)}` : name).slice(0, 30)
}

const LETTERS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^a-z]/g, (letter) => LETTERS[letter] ?? letter.normalize('NFD').replace(/[^a-z]/g, ''))
}

const hobbies = new Map<Language, string[]>()

function bio(random: Random, language: Language, place: string): string {
  if (random.chance(0.15)) return ''
  const { bios, lists } = voiceOf(language)
  const own = slotLists(BIO_WORDS, lists, { hobby: hobbiesOf(language), city: [place.split(',')[0]!] })
  return render(random.pick(bios), { frame: random.next(), random, lists: own, mention: () => '', op: () => '' })
}

/** Outside English, the topics of a language say what its people like to do. */
function hobbiesOf(language: Language): string[] {
  if (language === 'en') return BIO_WORDS.hobby
  const known = hobbies.get(language)
  if (known) return known
  const list = TOPICS.filter((topic) => topic.language === language).flatMap((topic) => topic.lists.hobby ?? [])
  hobbies.set(language, list)
  return list
}

const website = (random: Random, username: string) =>
  random.pick([
    `https://${username.replaceAll('_', '-')}.example.com`,
    `https://example.org/~${username}`,
    `https://www.example.com/${username}`,
    `https://blog.example.org/${username}`,
  ])
