import { describe, expect, test } from 'vitest'
import { shiftDay } from '../../util/days.ts'
import { fullWeeks, periodName, periodsOn, spanOf } from './rules.ts'

describe('the days of a group', () => {
  test.each([
    ['today', '2026-03-10', '2026-03-10', '2026-03-10'],
    ['this_week', '2026-03-10', '2026-03-09', '2026-03-15'],
    ['this_week', '2026-03-09', '2026-03-09', '2026-03-15'],
    ['this_week', '2026-03-15', '2026-03-09', '2026-03-15'],
    ['this_week', '2027-01-01', '2026-12-28', '2027-01-03'],
    ['this_month', '2026-02-10', '2026-02-01', '2026-02-28'],
    ['this_month', '2028-02-29', '2028-02-01', '2028-02-29'],
    ['this_month', '2026-12-31', '2026-12-01', '2026-12-31'],
    ['7_days', '2026-03-03', '2026-02-25', '2026-03-03'],
    ['30_days', '2026-03-03', '2026-02-02', '2026-03-03'],
  ] as const)('%s on %s', (group, today, first, last) => {
    expect(spanOf(group, today)).toEqual({ first, last })
  })

  test('have periods with distinct names', () => {
    expect(periodName('all_time', '2026-03-10')).toBe('all_time')
    expect([...periodsOn('2026-03-10').keys()]).toEqual([
      'today:2026-03-10',
      'this_week:2026-03-15',
      'this_month:2026-03-31',
      '7_days:2026-03-10',
      '30_days:2026-03-10',
    ])
  })
})

describe('full weeks', () => {
  const days = (...numbers: number[]) => new Set(numbers.map((n) => shiftDay('2026-03-01', n)))
  const from = (first: number, last: number) => days(...Array.from({ length: last - first + 1 }, (_, i) => first + i))
  const at = (n: number) => shiftDay('2026-03-01', n)

  test.each([
    ['six days', 6, from(1, 6), days(), []],
    ['seven days', 7, from(1, 7), days(), [7]],
    ['eight days', 8, from(1, 8), days(7), []],
    ['fourteen days', 14, from(1, 14), days(7), [14]],
    ['a gap', 8, days(1, 2, 3, 5, 6, 7, 8), days(), []],
    ['the missing day in the middle comes last', 4, from(1, 7), days(), [7]],
    ['the first day comes last', 1, from(1, 7), days(), [7]],
    ['it fills a second week too late', 8, from(1, 14), days(7), [14]],
  ] as const)('%s', (_name, day, active, given, expected) => {
    expect(fullWeeks([at(day)], active, given)).toEqual(expected.map(at))
  })
})
