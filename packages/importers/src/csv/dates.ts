import { datetimeFromText, datetimeOf } from '../datetime.ts'

/** Whether the day or the month comes first in dates such as 3/4/2024. */
export type Order = 'day' | 'month'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The time of day at the end of a date, such as ` at 3:45 PM` or `, 15:45:10 UTC`. */
const TIME = /,? (?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)? ?([ap]\.?m\.?)?$/i
const ZONE = / ?(?:utc|gmt|z)$/i
/** 3/4/2024, 3-4-24 */
const NUMERIC = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/
/** 3.4.2024: dates with dots always have the day first. */
const DOTTED = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})$/
/** April 3rd, 2024 */
const MONTH_FIRST = /^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? ?(\d{4})$/i
/** 3 April 2024 */
const DAY_FIRST = /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})$/i
/** 2024/04/03 */
const YEAR_FIRST = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/

/** Longer texts are not parsed as dates. */
const LONGEST = 60

const EXCEL_EPOCH = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

const yearOf = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text))
const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

const hourOf = (hour: string, half: string | undefined): number => {
  const number = Number(hour)
  return half === undefined ? number : (number % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
}

const datetime = (year: number, month: number, day: number, time: readonly (string | undefined)[]): string | null => {
  const [hour = '0', minute = '0', second = '0', half] = time
  const parts = [year, month - 1, day, hourOf(hour, half), Number(minute), Number(second)] as const
  const date = new Date(Date.UTC(...parts))
  const isReal = date.getUTCMonth() === parts[1] && date.getUTCDate() === day && date.getUTCHours() === parts[3] && Number(minute) < 60
  return isReal ? datetimeOf(date.getTime()) : null
}

/** Splits a date into the text of the day and the time of day. */
const partsOf = (value: string) => {
  const text = value
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST + 1)
  const local = text.replace(ZONE, '')
  const [found = '', ...time] = TIME.exec(local) ?? []
  return { text, day: local.slice(0, local.length - found.length), time }
}

/** The order of day and month that a date implies; null if it is ambiguous or independent of the order. */
export const orderIn = (text: string): Order | null => {
  const found = NUMERIC.exec(partsOf(text).day)
  if (!found) return null
  const [first, second] = [Number(found[1]), Number(found[2])]
  return first > 12 && second <= 12 ? 'day' : second > 12 && first <= 12 ? 'month' : null
}

/** Whether a date has different meanings depending on the order of day and month. */
export const isAmbiguous = (text: string): boolean => {
  const found = NUMERIC.exec(partsOf(text).day)
  return found !== null && Number(found[1]) <= 12 && Number(found[2]) <= 12 && Number(found[1]) !== Number(found[2])
}

/** Parses seconds or milliseconds since 1970, or spreadsheet days since 1900. */
const numberedDate = (text: string): string | null => {
  if (/^\d{13}$/.test(text)) return datetimeOf(Number(text))
  if (/^\d{10}$/.test(text)) return datetimeOf(Number(text) * 1000)
  return /^\d{5}(?:\.\d+)?$/.test(text) ? datetimeOf(Math.round((EXCEL_EPOCH + Number(text) * DAY_MS) / 1000) * 1000) : null
}

/** Year, month and day. */
const dayOf = (text: string, order: Order): readonly [number, number, number] | null => {
  const year = YEAR_FIRST.exec(text)
  if (year) return [Number(year[1]), Number(year[2]), Number(year[3])]
  const dotted = DOTTED.exec(text)
  if (dotted) return [yearOf(dotted[3] as string), Number(dotted[2]), Number(dotted[1])]
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) return [Number(monthFirst[3]), monthOf(monthFirst[1] as string), Number(monthFirst[2])]
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) return [Number(dayFirst[3]), monthOf(dayFirst[2] as string), Number(dayFirst[1])]
  const numeric = NUMERIC.exec(text)
  if (!numeric) return null
  const [first, second] = [Number(numeric[1]), Number(numeric[2])]
  return [yearOf(numeric[3] as string), ...(order === 'day' ? ([second, first] as const) : ([first, second] as const))]
}

/** Converts a date of a member list to UTC; null if it is invalid. */
export const dateOf = (value: string, order: Order): string | null => {
  const { text, day, time } = partsOf(value)
  if (text === '' || text.length > LONGEST) return null
  const known = numberedDate(text) ?? datetimeFromText(text.replace(/ ?utc$/i, 'Z'))
  if (known) return known
  const date = dayOf(day, order)
  return date && datetime(...date, time)
}
