import { de } from './de.ts'
import { en } from './en.ts'
import type { Language, Texts } from './shape.ts'

const TEXTS: Readonly<Record<Language, Texts>> = { en, de }

/** Languages written from right to left, in case one is added. */
const RTL_LANGUAGES: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

export const textsIn = (lang: Language = 'en'): Texts => TEXTS[lang]
export const directionOf = (lang: string): 'ltr' | 'rtl' => (RTL_LANGUAGES.has(lang) ? 'rtl' : 'ltr')
