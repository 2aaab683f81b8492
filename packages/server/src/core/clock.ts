/** Where the time comes from; tests hand in one that they move. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A date as it is stored and sent: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

let lastSecond = Number.NaN
let lastText = ''

/** The present moment in the stored form. */
export const nowOf = (clock: Clock): string => {
  const now = clock.now()
  const second = Math.floor(now.getTime() / 1000)
  if (second === lastSecond) return lastText
  lastSecond = second
  lastText = timestamp(now)
  return lastText
}

/** `seconds` after (or, negative, before) a stored datetime. */
export const shift = (datetime: string, seconds: number): string => timestamp(new Date(parseTimestamp(datetime).getTime() + seconds * 1000))

/** Reads the stored form or the one with a T; the result is an Invalid Date for a day or time that does not exist. */
export const parseTimestamp = (datetime: string): Date => {
  const date = new Date(`${datetime.replace(' ', 'T')}Z`)
  // JavaScript rolls 31 February over into March; a date that does not come back as it went in does not exist.
  return Number.isNaN(date.getTime()) || timestamp(date) !== datetime.replace('T', ' ') ? new Date(Number.NaN) : date
}

/** The stored form of a datetime a client sent, or null when no such moment exists. */
export const normalizeDatetime = (input: string): string | null => {
  const date = parseTimestamp(input)
  return Number.isNaN(date.getTime()) ? null : timestamp(date)
}
