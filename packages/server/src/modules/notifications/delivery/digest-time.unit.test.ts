import { expect, test } from 'vitest'
import { nextDigest } from './digest-time.ts'

test.each([
  ['daily', '2026-03-10 07:59:59', 'UTC', '2026-03-10 08:00:00'],
  ['daily', '2026-03-10 08:00:00', 'UTC', '2026-03-11 08:00:00'],
  ['daily', '2026-12-31 23:00:00', 'UTC', '2027-01-01 08:00:00'],
  ['weekly', '2026-03-10 12:00:00', 'UTC', '2026-03-16 08:00:00'],
  ['weekly', '2026-03-16 07:00:00', 'UTC', '2026-03-16 08:00:00'],
  ['weekly', '2026-03-16 08:00:00', 'UTC', '2026-03-23 08:00:00'],
  ['never', '2026-03-10 12:00:00', 'UTC', '2026-03-16 08:00:00'],
  // Eight in the morning in that time zone, in summer and in winter.
  ['daily', '2026-03-28 12:00:00', 'Europe/Berlin', '2026-03-29 06:00:00'],
  ['daily', '2026-03-27 12:00:00', 'Europe/Berlin', '2026-03-28 07:00:00'],
  ['weekly', '2026-10-20 12:00:00', 'Europe/Berlin', '2026-10-26 07:00:00'],
  // There it is Monday already, or still Sunday.
  ['weekly', '2026-03-15 20:00:00', 'Pacific/Auckland', '2026-03-22 19:00:00'],
  ['weekly', '2026-03-15 18:00:00', 'Pacific/Auckland', '2026-03-15 19:00:00'],
  ['weekly', '2026-03-16 14:30:00', 'America/Los_Angeles', '2026-03-16 15:00:00'],
  ['daily', '2026-03-10 02:29:00', 'Asia/Kolkata', '2026-03-10 02:30:00'],
] as const)('%s after %s in %s is %s', (frequency, now, zone, next) => {
  expect(nextDigest(frequency, now, zone)).toBe(next)
})
