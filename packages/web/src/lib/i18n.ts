import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'

/** Supported languages by code, with their native names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

const KEY = 'language'
/** Languages written from right to left, in case one is added. */
const RTL_LANGUAGES = new Set(['ar', 'fa', 'he', 'ur'])
/** Namespaces the first page needs. Others load with their pages. */
const AT_ONCE = ['common', 'feeds']

/** Translations are separate JSON files referenced by URL, because browsers parse JSON faster than code. */
const files = import.meta.glob<string>('../locales/*/*.json', { query: '?url', import: 'default', eager: true })

const wordsAt = async (url: string): Promise<Record<string, string>> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the words at ${url} were answered with ${response.status}`)
  return (await response.json()) as Record<string, string>
}

const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, part, done) => {
    const url = files[`../locales/${language}/${part}.json`]
    if (!url) return done(new Error(`there are no words for ${part} in ${language}`), null)
    wordsAt(url).then(
      (words) => done(null, words),
      (error) => done(error, null),
    )
  },
}

const isLanguage = (code: string | null | undefined): code is Language => code !== null && code !== undefined && code in LANGUAGES

const wanted = (): Language => {
  const stored = localStorage.getItem(KEY)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((name) => name.split('-')[0]).find(isLanguage) ?? 'en'
}

/** The language of the server's error messages. */
const SERVER: Language = 'en'

const show = (language: Language) => {
  if (language !== SERVER) void i18next.loadNamespaces('errors')
  document.documentElement.lang = language
  document.documentElement.dir = RTL_LANGUAGES.has(language) ? 'rtl' : 'ltr'
}

/** The locale for dates, numbers and lists: the browser's regional variant of the current language, such as “en-GB”. */
export const locale = (): string => navigator.languages.find((name) => name.split('-')[0] === i18next.language) ?? i18next.language

/** The language chosen on this device; empty for that of the browser. */
export const storedLanguage = (): Language | '' => {
  const stored = localStorage.getItem(KEY)
  return isLanguage(stored) ? stored : ''
}

/** Switches the language and stores it on this device; empty for that of the browser. */
export const setLanguage = async (chosen: Language | ''): Promise<void> => {
  if (chosen) localStorage.setItem(KEY, chosen)
  else localStorage.removeItem(KEY)
  const language = wanted()
  if (language === i18next.language) return
  await i18next.changeLanguage(language)
  show(language)
}

export const initI18n = async (): Promise<void> => {
  const language = wanted()
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({ lng: language, fallbackLng: 'en', ns: AT_ONCE, defaultNS: 'common', interpolation: { escapeValue: false } })
  show(language)
}
