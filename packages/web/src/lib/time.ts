import { locale } from './i18n.ts'

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A moment of the API: `2026-11-20 09:30:00`, UTC. */
export const toDate = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`)

/** How long ago that was, in the reader's language: “3 hours ago”. */
export const ago = (text: string, now = Date.now()): string => {
  const seconds = (toDate(text).getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' })
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return format.format(Math.trunc(seconds / size), unit)
}

/** The whole moment, as the reader's clock and language have it. */
export const whole = (text: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'short' }).format(toDate(text))

/** A day: “20 November 2026”. */
export const day = (text: string): string => new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }).format(toDate(text))

/** A time of the day: “9:30”. */
export const clock = (text: string): string => new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(toDate(text))
