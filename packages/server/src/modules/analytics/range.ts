import { DateTime } from 'luxon'
import { parseTimestamp } from '../../core/clock.ts'
import type { ReadRequest } from '../../core/context.ts'
import { invalidParameter } from '../../core/errors.ts'
import { needsPrimary } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'
import { type Bucket, bucketsAtMost, bucketsOf, daysFrom, type Span, shiftDay } from './date-buckets.ts'
import { readState } from './rollup-state.ts'
import { rollupsOf } from './rollup-worker.ts'

const DEFAULT_DAYS = 30
const MOST_BUCKETS = 10_000
/** Beyond these, days cannot be counted on from in four digits. */
const EARLIEST = '1000-01-01'
const LATEST = '9000-12-31'

/** Days of the community, both included, and which figures are read. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly today: string
  readonly generation: number
  /** Changes whenever these do, on PostgreSQL (`rowVersion`). */
  readonly version: string | null
}

interface Days {
  readonly date_from?: string
  readonly date_to?: string
}

const existing = (field: string, day: string): string => {
  if (Number.isNaN(parseTimestamp(`${day} 00:00:00`).getTime())) throw invalidParameter(field, 'must be a valid date')
  if (day < EARLIEST || day > LATEST) throw invalidParameter(field, `must be from ${EARLIEST} to ${LATEST}`)
  return day
}

/**
 * The days that are asked for: the last 30 unless said. Brings the figures up to date before they are read, which a replica learns too late.
 * @throws invalid_parameter
 */
export const rangeOf = async ({ db, now, services }: ReadRequest, { date_from, date_to }: Days): Promise<Range> => {
  needsPrimary(db)
  const zone = await readSetting(db, 'timezone')
  const today = DateTime.fromSQL(now, { zone: 'utc' }).setZone(zone).toFormat('yyyy-MM-dd')
  const to = date_to === undefined ? today : existing('date_to', date_to)
  const from = date_from === undefined ? shiftDay(to, 1 - DEFAULT_DAYS) : existing('date_from', date_from)
  if (from > to) throw invalidParameter('date_from', 'must not be after date_to')
  await rollupsOf(services).catchUp()
  const { generation, version } = await readState(db)
  return { from, to, today, generation, version }
}

/** As many days right before. */
export const rangeBefore = ({ from, to, ...rest }: Range): Range => ({
  ...rest,
  from: shiftDay(from, -daysFrom(from, to)),
  to: shiftDay(from, -1),
})

/** @throws invalid_parameter where they would be too many */
export const bucketsIn = ({ from, to }: Range, span: Span): Bucket[] => {
  if (bucketsAtMost(span, from, to) > MOST_BUCKETS)
    throw invalidParameter('date_from', `is too far before date_to: at most ${MOST_BUCKETS} intervals are possible`)
  return bucketsOf(span, from, to)
}
