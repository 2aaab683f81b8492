import { de } from './de.ts'
import { en } from './en.ts'
import type { Language, Texts } from './shape.ts'

const TEXTS: Readonly<Record<Language, Texts>> = { en, de }

/** Languages written from right to left, in case one is added. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

export const textsIn = (lang: Language = 'en'): Texts => TEXTS[lang]
export const directionOf = (lang: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(lang) ? 'rtl' : 'ltr')
