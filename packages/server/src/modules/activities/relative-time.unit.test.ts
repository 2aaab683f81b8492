import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

test.each([
  ['2026-03-10 12:00:00', 'just now'],
  ['2026-03-10 11:59:01', 'just now'],
  ['2026-03-10 11:59:00', '1 minute ago'],
  ['2026-03-10 11:58:01', '1 minute ago'],
  ['2026-03-10 11:00:01', '59 minutes ago'],
  ['2026-03-10 11:00:00', '1 hour ago'],
  ['2026-03-09 12:00:01', '23 hours ago'],
  ['2026-03-09 12:00:00', '1 day ago'],
  ['2026-03-04 12:00:00', '6 days ago'],
  ['2026-03-03 12:00:00', '1 week ago'],
  ['2026-02-09 12:00:00', '4 weeks ago'],
  ['2026-02-08 12:00:00', '1 month ago'],
  ['2025-03-11 12:00:00', '12 months ago'],
  ['2025-03-10 12:00:00', '1 year ago'],
  ['2020-03-10 12:00:00', '6 years ago'],
  ['2026-03-10 12:00:30', 'just now'],
])('%s is %s', (datetime, words) => {
  expect(relativeTime(datetime, '2026-03-10 12:00:00')).toBe(words)
})
