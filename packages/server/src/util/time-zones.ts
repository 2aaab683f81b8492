import { DateTime, Info } from 'luxon'
import { timestamp } from '../core/clock.ts'

const FIRST = '0001-01-01 00:00:00'
const LAST = '9999-12-31 23:59:59'

const stored = (moment: DateTime): string => {
  const utc = moment.toUTC()
  if (utc.year < 1) return FIRST
  return utc.year > 9999 ? LAST : timestamp(utc.toJSDate())
}

/** Whether the time zone exists: `Europe/Berlin`, `UTC`, `+02:00`. */
export const isTimeZone = (name: string): boolean => Info.isValidIANAZone(name)

/**
 * The stored moment of a local datetime in a time zone. If clocks were set back and show it twice, the first moment; if they were set
 * forward over it, the moment is later by the same amount.
 */
export const fromWallClock = (datetime: string, zone: string): string => {
  const times = DateTime.fromISO(datetime.replace(' ', 'T'), { zone }).getPossibleOffsets().map(stored)
  return times.sort()[0] ?? datetime
}

/** Start of a day (`YYYY-MM-DD`) and of the next one in a time zone, in the stored form; null if the day does not exist. */
export const dayBounds = (day: string, zone: string): { start: string; end: string } | null => {
  const begin = DateTime.fromISO(day, { zone }).startOf('day')
  return begin.isValid ? { start: stored(begin), end: stored(begin.plus({ days: 1 }).startOf('day')) } : null
}

/** The day (`YYYY-MM-DD`) of a stored datetime in a time zone. */
export const dayIn = (zone: string, datetime: string): string =>
  zone === 'UTC' ? datetime.slice(0, 10) : (DateTime.fromSQL(datetime, { zone: 'UTC' }).setZone(zone).toISODate() ?? datetime.slice(0, 10))
