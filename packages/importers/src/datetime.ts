/** Predates all supported platforms; earlier times are invalid. */
const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)

/** Milliseconds since 1970 as `YYYY-MM-DD HH:MM:SS` in UTC; null for an implausible time. */
export const datetimeOf = (milliseconds: number | null): string | null =>
  milliseconds !== null && milliseconds >= EARLIEST && milliseconds < LATEST
    ? new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
    : null

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** An ISO 8601 or PostgreSQL timestamp, in UTC unless it has an offset; null if it is invalid. */
export const datetimeFromText = (text: string | null | undefined): string | null => {
  const found = TIMESTAMP.exec(text?.trim() ?? '')
  if (!found) return null
  const [, date, time = '00:00:00', zone = 'Z'] = found
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.length > 3 ? zone.slice(-2) : '00'}`
  return datetimeOf(Date.parse(`${date}T${time}${offset}`))
}
