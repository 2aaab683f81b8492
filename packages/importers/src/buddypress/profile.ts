import type { ArchiveRecord } from '@lyceum/contract/archive'
import { isArray, readMeta } from '../wordpress/index.ts'
import { siteNamed, socialAddress, webAddress } from './social-sites.ts'
import { plainText } from './text.ts'

export interface ProfileField {
  readonly id: number
  readonly type: string
  readonly name: string
  /** The part of the name in this field. BuddyPress has the full name; in BuddyBoss it is configurable. */
  readonly part: 'name' | 'first_name' | 'last_name' | 'nickname' | null
  /** Visibility level if the person chose none. */
  readonly visibility: string
  readonly mayChoose: boolean
  /** Display format of dates: a format of PHP's date(), or `elapsed`. */
  readonly dateFormat: string
}

export interface ProfileValue {
  readonly field: ProfileField
  readonly value: string
  /** Visibility level that the person chose. */
  readonly chosen: string | undefined
}

type Person = ArchiveRecord<'people'>
export interface Profile
  extends Pick<Person, 'display_name' | 'first_name' | 'last_name' | 'short_description' | 'location' | 'website' | 'social_links'> {
  readonly nickname?: string
  /** Names that are hidden from some members. */
  readonly hiddenNames: readonly string[]
  /** Number of values withheld because they are not visible to all members. */
  readonly withheld: number
}

const SEEN_BY_ALL = new Set(['', 'public', 'loggedin'])

/** Whether all members see the value. Unknown levels, added by plugins, count as restricted. */
export const isPublic = ({ field, chosen }: Pick<ProfileValue, 'field' | 'chosen'>): boolean =>
  SEEN_BY_ALL.has((field.mayChoose ? chosen : undefined) ?? field.visibility)

const BIOGRAPHY =
  /^(?:about(?: (?:me|you|myself|yourself|us))?|bio(?:graphy|graphical info)?|short bio|(?:self )?introduction|(?:über|ueber) mich|biografie|sobre m[ií]|biografía|à propos(?: de moi)?|présentation|biographie|chi sono|su di me|biografia|over mij|om mig|om meg)$/
const LOCATION =
  /^(?:location|city|town|country|region|place|residence|where (?:do you|i) live|based in|ort|wohnort|stadt|land|standort|ciudad|país|ubicación|ville|pays|lieu|localisation|città|paese|luogo|cidade|woonplaats|plaats)$/
const WEBSITE =
  /^(?:(?:my |your )?(?:web ?site|web ?page|home ?page|web|site|blog|url)(?: url| address)?|webseite|sitio web|site web|sito web|sito)$/

const named = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s:*?!.()[\]/_-]+/g, ' ')
    .trim()

/** Keys and scalars of a serialized list; null for other text. */
const listOf = (value: string): [string, string][] | null => {
  if (!/^a:\d+:\{/.test(value)) return null
  const { value: list } = readMeta(value)
  if (!isArray(list)) return []
  return [...list].flatMap(([key, item]): [string, string][] =>
    typeof item === 'string' || typeof item === 'number' ? [[key, String(item)]] : [],
  )
}

const has = (format: string, letters: RegExp) => letters.test(format.replace(/\\./g, ''))

/** A date with only the parts that the site shows. A birthday shown without a year is imported without it. */
export const shownDate = (value: string, format: string): string => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? []
  if (!year || !month || !day || year === '0000') return ''
  if (format === 'elapsed') return year
  const all = /[cru]/
  const parts = [
    has(format, /[Yyo]/) || has(format, all) ? year : null,
    has(format, /[FmMnt]/) || has(format, all) ? month : null,
    has(format, /[djz]/) || has(format, all) ? day : null,
  ]
  return parts.filter((part) => part !== null).join('-')
}

/** A value as the profile displays it. */
const shownValue = ({ type, dateFormat }: ProfileField, value: string): string => {
  if (type === 'datebox') return shownDate(value, dateFormat)
  if (type === 'gender') return plainText(value.replace(/^(?:his|her|their)_/, ''))
  const list = listOf(value)
  return list
    ? list
        .map(([, item]) => plainText(item))
        .filter((item) => item !== '')
        .join(', ')
    : plainText(value)
}

const NOT_SHOWN = new Set(['membertypes', 'checkbox_acceptance', 'placeholder', 'option'])

/**
 * Builds a profile from field values in order. Values without a matching profile field follow the biography, a line each. `biography` is used if no
 * field contains one.
 */
export const profileOf = (values: readonly ProfileValue[], biography = ''): Profile => {
  const names: Partial<Record<NonNullable<ProfileField['part']>, string>> = {}
  const social: Record<string, string> = {}
  const about: string[] = []
  const places: string[] = []
  const lines: string[] = []
  const hiddenNames: string[] = []
  let website = ''
  let withheld = 0
  for (const entry of values) {
    const { field, value } = entry
    if (NOT_SHOWN.has(field.type)) continue
    const text = field.type === 'socialnetworks' ? '' : shownValue(field, value)
    if (text === '' && field.type !== 'socialnetworks') continue
    if (!isPublic(entry)) {
      withheld++
      if (field.part) hiddenNames.push(text)
      continue
    }
    const name = plainText(field.name)
    const line = () => lines.push(`${name}: ${text}`)
    const site = siteNamed(name)
    if (field.type === 'socialnetworks')
      for (const [network, address] of listOf(value) ?? []) {
        const key = siteNamed(network)
        const url = socialAddress(key ?? network, address)
        if (key && url) social[key] ??= url
        else if (url) lines.push(`${network}: ${url}`)
      }
    else if (field.part) names[field.part] = text
    else if (BIOGRAPHY.test(named(name)) || field.type === 'wp-biography') about.push(text)
    else if (LOCATION.test(named(name))) places.push(text)
    else if (site && !social[site]) {
      const url = socialAddress(site, text)
      if (url) social[site] = url
      else line()
    } else if ((WEBSITE.test(named(name)) || field.type === 'url' || field.type === 'web') && website === '' && webAddress(text))
      website = webAddress(text) ?? ''
    else line()
  }
  if (about.length === 0 && biography.trim() !== '') about.push(plainText(biography))
  const description = [...about, lines.join('\n')].filter((part) => part !== '').join('\n\n')
  const first = names.first_name
  return {
    ...(names.name && { display_name: names.name }),
    ...(first && { first_name: first }),
    ...(names.last_name && { last_name: names.last_name }),
    ...(names.nickname && { nickname: names.nickname }),
    ...(description && { short_description: description }),
    ...(places.length > 0 && { location: places.join(', ') }),
    ...(website && { website }),
    ...(Object.keys(social).length > 0 && { social_links: social }),
    hiddenNames,
    withheld,
  }
}
