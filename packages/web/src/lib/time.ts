import { locale } from './i18n.ts'

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Parses an API timestamp: `2026-11-20 09:30:00`, UTC. */
export const toDate = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`)

/** Relative time in the user's language: “3 hours ago”. */
export const relativeTime = (text: string, now = Date.now()): string => {
  const seconds = (toDate(text).getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' })
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return format.format(Math.trunc(seconds / size), unit)
}

/** Full date and time in the user's time zone and locale. */
export const fullDateTime = (text: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'short' }).format(toDate(text))

/** A date: “20 November 2026”. */
export const dateOf = (text: string): string => new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }).format(toDate(text))

/** A time of day: “9:30”. */
export const timeOfDay = (text: string): string => new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(toDate(text))
