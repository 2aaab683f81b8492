import { remember } from '@lyceum/content/lazy'
import { DateTime } from 'luxon'
import { DAY_MS, endOf, type Span, shiftDay, startOf } from '../../util/days.ts'

/** Stored value of each span. */
export const SPAN_NUMBERS: Readonly<Record<Span, number>> = { day: 1, week: 7, month: 30 }

/** 20260310 for 2026-03-10: the stored form of days in member rollups. */
export const numberOfDay = (day: string): number => Number(day.replaceAll('-', ''))

/** The number of days from first to last, both included. */
export const daysFrom = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / DAY_MS + 1

export interface Bucket {
  /** The Monday of a week, the first day of a month. */
  readonly start: string
  /** The days of the bucket that are in the range. */
  readonly first: string
  readonly last: string
}

/** The days, weeks or months that a range touches, in order; the outer ones are cut to the range. */
export const bucketsOf = (span: Span, from: string, to: string): Bucket[] => {
  const buckets: Bucket[] = []
  for (let first = from; first <= to; ) {
    const start = startOf(span, first)
    const end = endOf(span, start)
    buckets.push({ start, first, last: end < to ? end : to })
    first = shiftDay(end, 1)
  }
  return buckets
}

export const bucketsAtMost = (span: Span, from: string, to: string): number =>
  Math.ceil(daysFrom(from, to) / { day: 1, week: 7, month: 28 }[span]) + 1

export interface Piece {
  readonly span: Span
  readonly first: string
  readonly last: string
}

const SMALLER = { month: 'week', week: 'day', day: null } as const

/** Splits the days into few pieces: whole months, whole weeks before and after them, and the remaining days. */
export const piecesOf = (from: string, to: string, span: Span = 'month'): Piece[] => {
  if (from > to) return []
  const smaller = SMALLER[span]
  if (smaller === null) return [{ span, first: from, last: to }]
  const begin = startOf(span, from) === from ? from : shiftDay(endOf(span, startOf(span, from)), 1)
  const lastStart = startOf(span, to)
  const end = endOf(span, lastStart) === to ? to : shiftDay(lastStart, -1)
  if (begin > end) return piecesOf(from, to, smaller)
  return [...piecesOf(from, shiftDay(begin, -1), smaller), { span, first: begin, last: end }, ...piecesOf(shiftDay(end, 1), to, smaller)]
}

interface Hour {
  readonly day: string
  readonly hour: number
}

const MAX_CACHED = 100_000
const QUARTERS = ['00', '15', '30', '45']

/**
 * Converts stored datetimes to local day and hour. Zone offsets are multiples of 15 minutes, so one cached result serves a quarter of an
 * hour.
 */
export const clockOf = (zone: string): ((at: string) => Hour) => {
  if (zone === 'UTC') return (at) => ({ day: at.slice(0, 10), hour: Number(at.slice(11, 13)) })
  const hourOf = remember((quarter): Hour => {
    const shown = DateTime.fromSQL(quarter, { zone: 'utc' }).setZone(zone)
    return { day: shown.toFormat('yyyy-MM-dd'), hour: shown.hour }
  }, MAX_CACHED)
  return (at) => hourOf(`${at.slice(0, 14)}${QUARTERS[Math.floor(Number(at.slice(14, 16)) / 15)]}`)
}
