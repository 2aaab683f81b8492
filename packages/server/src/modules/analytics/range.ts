import { parseTimestamp } from '../../core/clock.ts'
import type { ReadRequest } from '../../core/context.ts'
import { invalidParameter } from '../../core/errors.ts'
import { needsPrimary } from '../../db/index.ts'
import { type Span, shiftDay } from '../../util/days.ts'
import { dayOf } from '../settings/index.ts'
import { type Bucket, bucketsAtMost, bucketsOf, daysFrom } from './date-buckets.ts'
import { readState } from './rollup-state.ts'
import { rollupsOf } from './rollup-worker.ts'

const DEFAULT_DAYS = 30
const MAX_BUCKETS = 10_000
/** Beyond these, days could exceed four-digit years. */
const EARLIEST = '1000-01-01'
const LATEST = '9000-12-31'

/** Days of the community, both included, and the generation of rollups to read. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly today: string
  readonly generation: number
  /** Changes with the rollups, on PostgreSQL (`rowVersion`). */
  readonly version: string | null
}

export interface DayParameters {
  readonly date_from?: string
  readonly date_to?: string
}

const validDay = (field: string, day: string): string => {
  if (Number.isNaN(parseTimestamp(`${day} 00:00:00`).getTime())) throw invalidParameter(field, 'must be a valid date')
  if (day < EARLIEST || day > LATEST) throw invalidParameter(field, `must be from ${EARLIEST} to ${LATEST}`)
  return day
}

/**
 * The requested days, by default the last 30. First applies pending changes to the rollups, which requires the primary.
 * @throws invalid_parameter
 */
export const rangeOf = async ({ db, now, services }: ReadRequest, { date_from, date_to }: DayParameters): Promise<Range> => {
  needsPrimary(db)
  const today = await dayOf(db, now)
  const to = date_to === undefined ? today : validDay('date_to', date_to)
  const from = date_from === undefined ? shiftDay(to, 1 - DEFAULT_DAYS) : validDay('date_from', date_from)
  if (from > to) throw invalidParameter('date_from', 'must not be after date_to')
  await rollupsOf(services).catchUp()
  const { generation, version } = await readState(db)
  return { from, to, today, generation, version }
}

/** The same number of days right before the range. */
export const rangeBefore = ({ from, to, ...rest }: Range): Range => ({
  ...rest,
  from: shiftDay(from, -daysFrom(from, to)),
  to: shiftDay(from, -1),
})

/** @throws invalid_parameter for too many buckets */
export const bucketsIn = ({ from, to }: Range, span: Span): Bucket[] => {
  if (bucketsAtMost(span, from, to) > MAX_BUCKETS)
    throw invalidParameter('date_from', `is too far before date_to: at most ${MAX_BUCKETS} intervals are possible`)
  return bucketsOf(span, from, to)
}
