import { describe, expect, it } from 'vitest'
import { delayAfter, pauseAfter, SLOW_FAILURES } from './retry-policy.ts'

describe('delays', () => {
  const first = () =>
    Array.from({ length: 50 }, (_, id) => Array.from({ length: 10 }, (__, i) => delayAfter(i + 1, { event_id: 7000 + id, webhook_id: 3 })))

  it('grow, with jitter', () => {
    const many = first()
    for (const list of many) expect(list.slice(0, 5)).toEqual(list.slice(0, 5).toSorted((a, b) => a - b))
    expect(Math.max(...many.map(([delay = 0]) => delay))).toBeLessThanOrEqual(6)
    expect(new Set(many.map((list) => list[3])).size).toBeGreaterThan(10)
  })

  it('of three retries outlast an hour, of ten three days', () => {
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
    for (const list of first()) {
      expect(sum(list.slice(0, 3))).toBeGreaterThan(2 * 3600)
      expect(sum(list)).toBeGreaterThan(3 * 24 * 3600)
      expect(sum(list)).toBeLessThan(5 * 24 * 3600)
    }
  })

  it('of a slow webhook start late and end at fifteen minutes', () => {
    expect([0, SLOW_FAILURES - 1, SLOW_FAILURES, SLOW_FAILURES + 1, 1000].map(pauseAfter)).toEqual([0, 0, 15, 30, 900])
  })
})
