import { describe, expect, test } from 'vitest'
import { endOf, shiftDay, startOf, weekdayOf } from '../../util/days.ts'
import { bucketsOf, clockOf, daysFrom, piecesOf } from './date-buckets.ts'

test('days, weeks and months', () => {
  expect([shiftDay('2026-02-28', 1), shiftDay('2028-02-28', 1), shiftDay('2026-01-01', -1)]).toEqual([
    '2026-03-01',
    '2028-02-29',
    '2025-12-31',
  ])
  expect(daysFrom('2026-03-01', '2026-03-31')).toBe(31)
  expect([weekdayOf('2026-03-09'), weekdayOf('2026-03-15')]).toEqual([0, 6])
  expect([startOf('week', '2026-03-15'), startOf('week', '2026-03-09'), startOf('month', '2026-03-15')]).toEqual([
    '2026-03-09',
    '2026-03-09',
    '2026-03-01',
  ])
  expect([endOf('month', '2026-02-01'), endOf('month', '2028-02-01'), endOf('month', '2025-12-01'), endOf('week', '2026-12-28')]).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2025-12-31',
    '2027-01-03',
  ])
})

test('buckets contain exactly the days of the range', () => {
  expect(bucketsOf('week', '2026-02-25', '2026-03-10')).toEqual([
    { start: '2026-02-23', first: '2026-02-25', last: '2026-03-01' },
    { start: '2026-03-02', first: '2026-03-02', last: '2026-03-08' },
    { start: '2026-03-09', first: '2026-03-09', last: '2026-03-10' },
  ])
  expect(bucketsOf('month', '2026-01-31', '2026-02-28')).toEqual([
    { start: '2026-01-01', first: '2026-01-31', last: '2026-01-31' },
    { start: '2026-02-01', first: '2026-02-01', last: '2026-02-28' },
  ])
  expect(bucketsOf('day', '2026-03-10', '2026-03-10')).toHaveLength(1)
})

test('pieces cover each day once', () => {
  expect(piecesOf('2026-03-01', '2026-03-30')).toEqual([
    { span: 'day', first: '2026-03-01', last: '2026-03-01' },
    { span: 'week', first: '2026-03-02', last: '2026-03-29' },
    { span: 'day', first: '2026-03-30', last: '2026-03-30' },
  ])
  expect(piecesOf('2026-03-01', '2026-03-31')).toEqual([{ span: 'month', first: '2026-03-01', last: '2026-03-31' }])
  expect(piecesOf('2026-01-31', '2026-04-01')).toEqual([
    { span: 'day', first: '2026-01-31', last: '2026-01-31' },
    { span: 'month', first: '2026-02-01', last: '2026-03-31' },
    { span: 'day', first: '2026-04-01', last: '2026-04-01' },
  ])
  const from = '2025-11-17'
  for (let length = 1; length < 200; length++) {
    const to = shiftDay(from, length - 1)
    const pieces = piecesOf(from, to)
    expect(pieces.reduce((sum, { first, last }) => sum + daysFrom(first, last), 0)).toBe(length)
    expect([pieces[0]?.first, pieces.at(-1)?.last]).toEqual([from, to])
    for (const [i, { first }] of pieces.slice(1).entries()) expect(first).toBe(shiftDay(pieces[i]?.last ?? '', 1))
  }
})

describe('local time', () => {
  test.each([
    ['UTC', '2026-03-10 23:59:59', '2026-03-10', 23],
    ['Asia/Kolkata', '2026-03-10 18:29:59', '2026-03-10', 23],
    ['Asia/Kolkata', '2026-03-10 18:30:00', '2026-03-11', 0],
    ['Asia/Kathmandu', '2026-03-10 18:14:59', '2026-03-10', 23],
    ['Asia/Kathmandu', '2026-03-10 18:15:00', '2026-03-11', 0],
    // Berlin switches from 2:00 to 3:00 on 29 March and from 3:00 to 2:00 on 25 October.
    ['Europe/Berlin', '2026-03-28 22:59:59', '2026-03-28', 23],
    ['Europe/Berlin', '2026-03-28 23:00:00', '2026-03-29', 0],
    ['Europe/Berlin', '2026-03-29 01:00:00', '2026-03-29', 3],
    ['Europe/Berlin', '2026-03-29 21:59:59', '2026-03-29', 23],
    ['Europe/Berlin', '2026-03-29 22:00:00', '2026-03-30', 0],
    ['Europe/Berlin', '2026-10-25 00:30:00', '2026-10-25', 2],
    ['Europe/Berlin', '2026-10-25 01:30:00', '2026-10-25', 2],
    ['Australia/Lord_Howe', '2026-04-04 15:00:00', '2026-04-05', 1],
  ])('%s at %s', (zone, at, day, hour) => {
    const clock = clockOf(zone)
    expect(clock(at)).toEqual({ day, hour })
    expect(clock(at)).toEqual({ day, hour })
  })
})
