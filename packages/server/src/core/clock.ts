/** The source of time; tests pass one that they control. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A datetime as it is stored and sent: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

let lastSecond = Number.NaN
let lastText = ''

/** The current time in the stored form. */
export const nowOf = (clock: Clock): string => {
  const now = clock.now()
  const second = Math.floor(now.getTime() / 1000)
  if (second === lastSecond) return lastText
  lastSecond = second
  lastText = timestamp(now)
  return lastText
}

/** `seconds` after (or before, if negative) a stored datetime. */
export const shift = (datetime: string, seconds: number): string => timestamp(new Date(parseTimestamp(datetime).getTime() + seconds * 1000))

/** Parses the stored form or one with a T. The result is an Invalid Date if the day or time does not exist. */
export const parseTimestamp = (datetime: string): Date => {
  const date = new Date(`${datetime.replace(' ', 'T')}Z`)
  // JavaScript rolls 31 February over into March. A date that changes in a round trip does not exist.
  return Number.isNaN(date.getTime()) || timestamp(date) !== datetime.replace('T', ' ') ? new Date(Number.NaN) : date
}

/** The stored form of a datetime from a client; null if it does not exist. */
export const normalizeDatetime = (input: string): string | null => {
  const date = parseTimestamp(input)
  return Number.isNaN(date.getTime()) ? null : timestamp(date)
}
