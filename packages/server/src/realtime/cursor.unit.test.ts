import { expect, test } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'

test.each([
  [[0, 0] as const, 0],
  [[7, 0] as const, 1_773_144_000],
  [[123_456_789_012, 345] as const, 1_773_144_000],
  [[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const, 1_773_144_000],
])('a cursor is read as it was written: %j', (position, at) => {
  expect(readCursor(writeCursor(position, at))).toEqual({ position, at })
})

test.each(['', '1', '1-2', '1-2-', '-1-2-3', '1-2-3-4', 'A-0-0', '1-2-3\n', ' 1-2-3', 'zzzzzzzzzzz-0-0', '1.5-0-0'])(
  '%j is rejected',
  (text) => {
    expect(readCursor(text)).toBeUndefined()
  },
)
