import { IANAZone } from 'luxon'

/** Converts times of a site to UTC. */
export interface Zone {
  /** `YYYY-MM-DD HH:MM:SS` in UTC; null for missing, zero and invalid times. */
  readonly toUtc: (siteTime: string | null | undefined) => string | null
}

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?/
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const two = (number: number): string => (number < 10 ? `0${number}` : String(number))

/** The last day formatted, since records of a day are usually next to each other. */
const lastDay = { number: Number.NaN, text: '' }

const formatUtc = (ms: number): string => {
  const day = Math.floor(ms / DAY_MS)
  if (day !== lastDay.number) Object.assign(lastDay, { number: day, text: new Date(ms).toISOString().slice(0, 10) })
  const seconds = Math.floor((ms - day * DAY_MS) / 1000)
  return `${lastDay.text} ${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Milliseconds of a time, read as UTC; null if it is invalid. */
const msOf = (text: string | null | undefined): number | null => {
  const parts = TIME.exec(text?.trim() ?? '')
  if (!parts) return null
  const part = (at: number): number => Number(parts[at] ?? 0)
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)]
  // Zero dates, and zero dates that a time zone conversion has shifted.
  if (year < 1971 || year > 9990) return null
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60 ? ms : null
}

/** Identity conversion, for times in UTC. */
export const UTC: Zone = {
  toUtc: (time) => {
    const ms = msOf(time)
    return ms === null ? null : formatUtc(ms)
  },
}

const fixedZone = (hours: number): Zone => ({
  toUtc: (time) => {
    const ms = msOf(time)
    return ms === null ? null : formatUtc(ms - hours * HOUR_MS)
  },
})

/** An ambiguous local time is the earlier of the two; a nonexistent one uses the offset before the change, as in PHP. */
const namedZone = (zone: IANAZone): Zone => {
  const offsetOf = (local: number): number => {
    const before = zone.offset(local - DAY_MS) * 60_000
    const after = zone.offset(local + DAY_MS) * 60_000
    if (before === after || zone.offset(local - before) * 60_000 === before) return before
    return zone.offset(local - after) * 60_000 === after ? after : before
  }
  /** Cached offsets of days; null for days near an offset change. */
  const offsets = new Map<number, number | null>()
  const offsetOfDay = (day: number): number | null => {
    const known = offsets.get(day)
    if (known !== undefined) return known
    const before = zone.offset((day - 1) * DAY_MS) * 60_000
    const offset = before === zone.offset((day + 2) * DAY_MS) * 60_000 ? before : null
    offsets.set(day, offset)
    return offset
  }
  return {
    toUtc: (time) => {
      const local = msOf(time)
      if (local === null) return null
      return formatUtc(local - (offsetOfDay(Math.floor(local / DAY_MS)) ?? offsetOf(local)))
    },
  }
}

/** The time zone of a site, from its name or else its UTC offset in hours. */
export const zoneOf = (name: string | null, hours: string | number | null): Zone => {
  const zone = name ? IANAZone.create(name.trim()) : null
  if (zone?.isValid) return namedZone(zone)
  const offset = Number(hours)
  return hours !== null && Number.isFinite(offset) && Math.abs(offset) <= 15 ? fixedZone(offset) : UTC
}

/** Converts seconds since 1970 to the time format of archives. */
export const fromSeconds = (seconds: number | null): string | null =>
  seconds !== null && seconds > 31_536_000 && seconds < 2.5e11 ? formatUtc(seconds * 1000) : null
