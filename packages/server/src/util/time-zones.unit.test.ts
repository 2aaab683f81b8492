import { expect, test } from 'vitest'
import { dayBounds, fromWallClock, isTimeZone } from './time-zones.ts'

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['+02:00', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Nowhere/Land', false],
  ['', false],
  ['Europe/Berlin\0', false],
])('%j is a time zone: %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is)
})

test.each([
  ['2026-01-15 12:00:00', 'UTC', '2026-01-15 12:00:00'],
  ['2026-01-15 12:00:00', 'Europe/Berlin', '2026-01-15 11:00:00'],
  ['2026-07-15T12:00:00', 'Europe/Berlin', '2026-07-15 10:00:00'],
  ['2026-01-15 00:30:00', 'Asia/Kolkata', '2026-01-14 19:00:00'],
  ['2026-01-15 12:00:00', '-03:30', '2026-01-15 15:30:00'],
  // Clocks go from 02:00 to 03:00, so that 02:30 is never shown.
  ['2026-03-29 01:59:59', 'Europe/Berlin', '2026-03-29 00:59:59'],
  ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29 01:30:00'],
  ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29 01:00:00'],
  // Clocks go from 03:00 to 02:00, so that 02:30 is shown twice.
  ['2026-10-25 01:59:59', 'Europe/Berlin', '2026-10-24 23:59:59'],
  ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25 00:30:00'],
  ['2026-10-25 03:00:00', 'Europe/Berlin', '2026-10-25 02:00:00'],
  // Half an hour, and in the other half of the year.
  ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04 14:45:00'],
  ['9999-12-31 23:00:00', 'America/New_York', '9999-12-31 23:59:59'],
  ['0001-01-01 00:00:00', 'Asia/Tokyo', '0001-01-01 00:00:00'],
])('%s in %s is %s', (datetime, zone, moment) => {
  expect(fromWallClock(datetime, zone)).toBe(moment)
})

test.each([
  ['2026-03-10', 'UTC', '2026-03-10 00:00:00', '2026-03-11 00:00:00'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28 23:00:00', '2026-03-29 22:00:00'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24 22:00:00', '2026-10-25 23:00:00'],
  // Clocks were put forward at midnight: the day began at one o’clock.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04 03:00:00', '2018-11-05 02:00:00'],
  ['2024-02-29', 'UTC', '2024-02-29 00:00:00', '2024-03-01 00:00:00'],
  ['9999-12-31', 'UTC', '9999-12-31 00:00:00', '9999-12-31 23:59:59'],
  ['0000-01-01', 'UTC', '0001-01-01 00:00:00', '0001-01-01 00:00:00'],
])('%s in %s begins at %s and ends at %s', (day, zone, start, end) => {
  expect(dayBounds(day, zone)).toEqual({ start, end })
})

test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', 'tomorrow'])('there is no %s', (day) => {
  expect(dayBounds(day, 'UTC')).toBeNull()
})
