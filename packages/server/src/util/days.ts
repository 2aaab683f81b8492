import { parseTimestamp, timestamp } from '../core/clock.ts'

export const SPANS = ['day', 'week', 'month'] as const
export type Span = (typeof SPANS)[number]

export const DAY_MS = 86_400_000

/** Adds days to a `YYYY-MM-DD` day, independent of time zones. */
export const shiftDay = (day: string, days: number): string =>
  timestamp(new Date(parseTimestamp(`${day} 00:00:00`).getTime() + days * DAY_MS)).slice(0, 10)

/** 0 for Monday. */
export const weekdayOf = (day: string): number => (new Date(Date.parse(day)).getUTCDay() + 6) % 7

/** The first day of the week (a Monday) or month that contains a day. */
export const startOf = (span: Span, day: string): string => {
  if (span === 'day') return day
  return span === 'month' ? `${day.slice(0, 7)}-01` : shiftDay(day, -weekdayOf(day))
}

/** The last day of the day, week or month with that start. */
export const endOf = (span: Span, start: string): string => {
  if (span === 'day') return start
  return span === 'week' ? shiftDay(start, 6) : shiftDay(startOf('month', shiftDay(start, 31)), -1)
}
