import { expect, test } from 'vitest'
import { estimateBytes } from './lru-store.ts'

test('a value weighs what it holds, parts of one buffer once', () => {
  const closed = Buffer.alloc(4000)
  const fragment = { open: closed.subarray(0, 3900), closed }
  expect(estimateBytes(fragment)).toBeLessThan(4200)
  expect(estimateBytes(fragment)).toBeGreaterThan(4000)
  expect(estimateBytes({ value: ['x'.repeat(1000), 'y'.repeat(1000)] })).toBeGreaterThan(2000)
  expect(estimateBytes(Array.from({ length: 1000 }, (_, n) => n))).toBeGreaterThan(8000)
  expect(estimateBytes(new Map([['a', 'b'.repeat(500)]]))).toBeGreaterThan(500)
})
