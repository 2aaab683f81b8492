import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growthOf, notFlat } from './flat.ts'

const over = (count: number, value: (n: number) => number) => Array.from({ length: count }, (_, n) => value(n))
const BOUNDS = { memory: { growth: 10, most: 500 } }
const told = (memory: readonly number[]) => notFlat({ memory }, BOUNDS)

test.each<[string, number[]]>([
  ['what stays', over(100, () => 200)],
  ['what is collected now and then', over(100, (n) => 200 + (n % 5) * 8)],
  ['what warms up', over(100, (n) => 200 - 150 * Math.exp(-n / 12))],
  ['a step in the first half', over(100, (n) => (n < 40 ? 100 : 300))],
  ['one spike', over(100, (n) => (n === 80 ? 450 : 200))],
  ['what falls', over(100, (n) => 400 - n)],
])('flat is %s', (_name, list) => {
  expect(told(list)).toEqual([])
})

test.each<[string, number[], RegExp]>([
  ['what leaks a little all the time', over(100, (n) => 100 + n * 0.3), /grew by 15/],
  ['what leaks between collections', over(100, (n) => 100 + n * 0.4 + (n % 10) * 4), /grew by/],
  ['a step in the last quarter', over(100, (n) => (n < 80 ? 100 : 120)), /grew by 40/],
  ['what was too high for a moment', over(100, (n) => (n === 30 ? 600 : 100)), /came to 600/],
  ['what was hardly looked at', over(5, () => 1), /looked at 5 times/],
])('told is %s', (_name, list, words) => {
  expect(told(list)).toEqual([expect.stringMatching(words)])
})

test('a steady leak is detected by its growth in the second half, despite noise', () => {
  const leak = fc.record({
    rate: fc.double({ min: 0, max: 2, noNaN: true }),
    noise: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 200, maxLength: 200 }),
  })
  fc.assert(
    fc.property(leak, ({ rate, noise }) => {
      const grown = growthOf(over(200, (n) => n * rate + (noise[n] ?? 0)))
      expect(Math.abs(grown - rate * 100)).toBeLessThanOrEqual(2 * 3 + 2 * rate)
    }),
  )
})
