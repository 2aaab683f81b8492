import { fromSeconds, UTC } from '../site-time.ts'

/** The first valid time of several; tables of BuddyPress are in UTC. */
export const validTime = (...texts: readonly (string | null | undefined)[]): string | null => {
  for (const text of texts) {
    const time = UTC.toUtc(text)
    if (time !== null) return time
  }
  return null
}

/** The later of times, of which at least one is valid. */
export const latest = (first: string, ...others: readonly (string | null)[]): string =>
  others.reduce<string>((found, time) => (time !== null && time > found ? time : found), first)

/** A time from seconds in the name of a file; null unless it is plausible. */
export const timeOfSeconds = (seconds: number): string | null =>
  seconds > 1_000_000_000 && seconds < 7_000_000_000 ? fromSeconds(seconds) : null
