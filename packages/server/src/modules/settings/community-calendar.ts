import { invalidParameter } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { dayBounds, dayIn } from '../../util/time-zones.ts'
import { readSetting } from './repository.ts'

/** `from` is inclusive, `before` exclusive; undefined is unbounded. */
export interface Span {
  readonly from: string | undefined
  readonly before: string | undefined
}

interface Days {
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
}

/** Converts a range of days (`YYYY-MM-DD`, both included) to timestamps. @throws invalid_parameter for an invalid date */
export const spanIn = (zone: string, { date_from, date_to }: Days): Span => {
  const bounds = (field: string, day: string | undefined) => {
    if (day === undefined) return undefined
    const found = dayBounds(day, zone)
    if (!found) throw invalidParameter(field, 'must be a valid date')
    return found
  }
  return { from: bounds('date_from', date_from)?.start, before: bounds('date_to', date_to)?.end }
}

export const spanOfDays = async (db: Db, days: Days): Promise<Span> =>
  days.date_from === undefined && days.date_to === undefined
    ? { from: undefined, before: undefined }
    : spanIn(await readSetting(db, 'timezone'), days)

/** The day of a timestamp in the community's time zone. */
export const dayOf = async (db: Db, datetime: string): Promise<string> => dayIn(await readSetting(db, 'timezone'), datetime)

/** For many timestamps: returns a function that gives the start of a timestamp's day. */
export const dayStarts = async (db: Db): Promise<(datetime: string) => string> => {
  const zone = await readSetting(db, 'timezone')
  return (datetime) => dayBounds(dayIn(zone, datetime), zone)?.start ?? datetime
}
