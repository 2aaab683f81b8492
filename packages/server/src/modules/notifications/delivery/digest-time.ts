import { DateTime } from 'luxon'
import { parseTimestamp, timestamp } from '../../../core/clock.ts'

export type DigestFrequency = 'daily' | 'weekly' | 'never'

/** When digests are sent, in the community's time zone; `day` applies to weekly digests. */
interface DigestTime {
  readonly time: string
  readonly day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'
}
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DEFAULT_TIME: DigestTime = { time: '08:00', day: 'mon' }

/**
 * When the next digest is due: the first such time after `now`, for weekly digests on the given day. Members without digests get a weekly
 * slot, at which their preference is checked again.
 */
export const nextDigest = (frequency: DigestFrequency, now: string, zone: string, { time, day }: DigestTime = DEFAULT_TIME): string => {
  const [hour = 8, minute = 0] = time.split(':').map(Number)
  const local = DateTime.fromJSDate(parseTimestamp(now), { zone })
  const start = frequency === 'daily' ? local.startOf('day') : local.startOf('week').plus({ days: DAYS.indexOf(day) })
  const at = (shift: object) => start.plus(shift).set({ hour, minute })
  const first = at({})
  const next = first > local ? first : at(frequency === 'daily' ? { days: 1 } : { weeks: 1 })
  return timestamp(next.toJSDate())
}

/** Seconds covered by a member's first digest. */
export const periodOf = (frequency: DigestFrequency): number => (frequency === 'daily' ? 1 : 7) * 24 * 3600
