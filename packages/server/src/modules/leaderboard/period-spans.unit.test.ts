import { describe, expect, test } from 'vitest'
import { periodName, periodsOn, spanOf } from './period-spans.ts'

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
