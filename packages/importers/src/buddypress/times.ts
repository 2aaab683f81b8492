import { fromSeconds, UTC } from '../site-time.ts'

/** The first valid time. BuddyPress stores UTC. */
export const validTime = (...texts: readonly (string | null | undefined)[]): string | null => {
  for (const text of texts) {
    const time = UTC.toUtc(text)
    if (time !== null) return time
  }
  return null
}

/** The latest of the times that are not null. */
export const latest = (first: string, ...others: readonly (string | null)[]): string =>
  others.reduce<string>((found, time) => (time !== null && time > found ? time : found), first)

/** Converts Unix seconds in a file name to a time; null if it is implausible. */
export const timeOfSeconds = (seconds: number): string | null =>
  seconds > 1_000_000_000 && seconds < 7_000_000_000 ? fromSeconds(seconds) : null
