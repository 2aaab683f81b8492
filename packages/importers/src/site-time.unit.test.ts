import { expect, test } from 'vitest'
import { fromSeconds, UTC, zoneOf } from './site-time.ts'

test('a named zone has summer time', () => {
  const berlin = zoneOf('Europe/Berlin', '0')
  expect(berlin.toUtc('2024-01-15 12:00:00')).toBe('2024-01-15 11:00:00')
  expect(berlin.toUtc('2024-07-15 00:30:00')).toBe('2024-07-14 22:30:00')
  // 02:30 does not exist on the first of these days, and exists twice on the other.
  expect(berlin.toUtc('2024-03-31 02:30:00')).toBe('2024-03-31 01:30:00')
  expect(berlin.toUtc('2024-03-31 01:59:59')).toBe('2024-03-31 00:59:59')
  expect(berlin.toUtc('2024-03-31 03:00:00')).toBe('2024-03-31 01:00:00')
  expect(berlin.toUtc('2024-10-27 02:30:00')).toBe('2024-10-27 00:30:00')
  expect(berlin.toUtc('2024-10-27 03:00:00')).toBe('2024-10-27 02:00:00')
})

test('zones whose offset is no full hour', () => {
  expect(zoneOf('Australia/Lord_Howe', null).toUtc('2024-07-01 12:15:00')).toBe('2024-07-01 01:45:00')
  expect(zoneOf('', '5.75').toUtc('2024-07-01 00:00:00')).toBe('2024-06-30 18:15:00')
  expect(zoneOf(null, '-3').toUtc('2024-12-31 23:00:00')).toBe('2025-01-01 02:00:00')
})

test('unknown zones are UTC', () => {
  for (const [name, hours] of [
    ['Mars/Olympus', ''],
    [null, null],
    ['', '99'],
    ['x', 'NaN'],
  ] as const)
    expect(zoneOf(name, hours).toUtc('2024-07-01 12:00:00')).toBe('2024-07-01 12:00:00')
})

test('zero, impossible and absent times are null', () => {
  for (const time of [
    null,
    undefined,
    '',
    '0000-00-00 00:00:00',
    '2024-02-30 10:00:00',
    '2024-13-01',
    '1970-01-01 01:00:00',
    'soon',
    '2024-01-01 25:00:00',
  ])
    expect(UTC.toUtc(time)).toBe(null)
  expect(UTC.toUtc('2024-02-29')).toBe('2024-02-29 00:00:00')
  expect(UTC.toUtc('2024-02-29T10:11:12+00:00')).toBe('2024-02-29 10:11:12')
})

test('seconds', () => {
  expect(fromSeconds(1_700_000_000)).toBe('2023-11-14 22:13:20')
  expect(fromSeconds(0)).toBe(null)
  expect(fromSeconds(null)).toBe(null)
})
