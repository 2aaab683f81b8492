import { DateTime } from 'luxon'
import { parseTimestamp, timestamp } from '../../platform/clock.ts'

export type DigestFrequency = 'daily' | 'weekly' | 'never'

/** Hour of the community's day at which digests go out; the weekly ones on Mondays. */
const HOUR = 8

/**
 * When the next digest of that frequency is due: the first 08:00 after `now` in that time zone, for weekly ones on a Monday. Who gets none is
 * looked at again when a weekly one would be due.
 */
export const nextDigest = (frequency: DigestFrequency, now: string, zone: string): string => {
  const local = DateTime.fromJSDate(parseTimestamp(now), { zone })
  const start = frequency === 'daily' ? local.startOf('day') : local.startOf('week')
  const at = (shift: object) => start.plus(shift).set({ hour: HOUR })
  const first = at({})
  const next = first > local ? first : at(frequency === 'daily' ? { days: 1 } : { weeks: 1 })
  return timestamp(next.toJSDate())
}

/** The seconds that a digest tells about when there was none before. */
export const periodOf = (frequency: DigestFrequency): number => (frequency === 'daily' ? 1 : 7) * 24 * 3600
