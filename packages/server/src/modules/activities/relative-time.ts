import { parseTimestamp } from '../../core/clock.ts'

const UNITS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** The age of a stored datetime in words: “just now”, “5 minutes ago”. */
export const relativeTime = (datetime: string, now: string): string => {
  const seconds = (parseTimestamp(now).getTime() - parseTimestamp(datetime).getTime()) / 1000
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
