import { DateTime, Info } from 'luxon'
import { timestamp } from '../core/clock.ts'

/** The moments that the stored form can tell. */
const FIRST = '0001-01-01 00:00:00'
const LAST = '9999-12-31 23:59:59'

const stored = (moment: DateTime): string => {
  const utc = moment.toUTC()
  if (utc.year < 1) return FIRST
  return utc.year > 9999 ? LAST : timestamp(utc.toJSDate())
}

/** Whether there is such a time zone: `Europe/Berlin`, `UTC`, `+02:00`. */
export const isTimeZone = (name: string): boolean => Info.isValidIANAZone(name)

/**
 * The moment at which clocks of a zone show a datetime, as it is stored. Where clocks were put back and show it twice, the first time;
 * where they were put forward over it, as much later as they were put forward.
 */
export const fromWallClock = (datetime: string, zone: string): string => {
  const times = DateTime.fromISO(datetime.replace(' ', 'T'), { zone }).getPossibleOffsets().map(stored)
  return times.sort()[0] ?? datetime
}

/** When a day (`YYYY-MM-DD`) and the one after it begin in a zone, as it is stored; null where there is no such day. */
export const dayBounds = (day: string, zone: string): { start: string; end: string } | null => {
  const begin = DateTime.fromISO(day, { zone }).startOf('day')
  return begin.isValid ? { start: stored(begin), end: stored(begin.plus({ days: 1 }).startOf('day')) } : null
}

/** The day (`YYYY-MM-DD`) that clocks of a zone show at a stored datetime. */
export const dayIn = (zone: string, datetime: string): string =>
  zone === 'UTC' ? datetime.slice(0, 10) : (DateTime.fromSQL(datetime, { zone: 'UTC' }).setZone(zone).toISODate() ?? datetime.slice(0, 10))
