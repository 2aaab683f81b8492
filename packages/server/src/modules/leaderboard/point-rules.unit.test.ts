import { describe, expect, test } from 'vitest'
import { shiftDay } from '../../util/days.ts'
import { fullWeeks } from './point-rules.ts'

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
