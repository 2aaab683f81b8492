import { DateTime } from 'luxon'
import { parseTimestamp, timestamp } from '../../core/clock.ts'

export type DigestFrequency = 'daily' | 'weekly' | 'never'

/** When digests go out where the community is: HH:MM, and the day of weekly ones. */
export interface DigestTime {
  readonly time: string
  readonly day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
}
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const USUAL: DigestTime = { time: '08:00', day: 'mon' }

/**
 * When the next digest of that frequency is due: the first such time after `now` in that time zone, for weekly ones on that day. Who gets none is
 * looked at again when a weekly one would be due.
 */
export const nextDigest = (frequency: DigestFrequency, now: string, zone: string, { time, day }: DigestTime = USUAL): string => {
  const [hour = 8, minute = 0] = time.split(':').map(Number)
  const local = DateTime.fromJSDate(parseTimestamp(now), { zone })
  const start = frequency === 'daily' ? local.startOf('day') : local.startOf('week').plus({ days: DAYS.indexOf(day) })
  const at = (shift: object) => start.plus(shift).set({ hour, minute })
  const first = at({})
  const next = first > local ? first : at(frequency === 'daily' ? { days: 1 } : { weeks: 1 })
  return timestamp(next.toJSDate())
}

/** The seconds that a digest tells about when there was none before. */
export const periodOf = (frequency: DigestFrequency): number => (frequency === 'daily' ? 1 : 7) * 24 * 3600
