import { describe, expect, test } from 'vitest'
import { createRandom, createWeights, mix, seedFrom } from './random.ts'

const draw = <T>(count: number, from: () => T) => Array.from({ length: count }, from)
const mean = (list: number[]) => list.reduce((sum, each) => sum + each, 0) / list.length

describe('random numbers', () => {
  test('the same seed gives the same sequence, a neighbouring one another', () => {
    const [a, b, c] = [createRandom(7), createRandom(7), createRandom(8)]
    const first = draw(50, a.next)
    expect(draw(50, b.next)).toEqual(first)
    expect(draw(50, c.next)).not.toEqual(first)
    b.reseed(7)
    expect(draw(50, b.next)).toEqual(first)
  })

  test('reseeding forgets the second half of a pair of gaussians', () => {
    const random = createRandom(1)
    const first = random.gaussian()
    random.reseed(1)
    expect(random.gaussian()).toBe(first)
  })

  test('distributions have the shape that they promise', () => {
    const random = createRandom(3)
    expect(mean(draw(20_000, random.float))).toBeCloseTo(0.5, 1)
    expect(mean(draw(20_000, random.gaussian))).toBeCloseTo(0, 1)
    expect(mean(draw(20_000, () => random.gaussian() ** 2))).toBeCloseTo(1, 1)
    expect(mean(draw(20_000, () => random.exponential(5)))).toBeCloseTo(5, 0)
    expect(Math.min(...draw(5_000, () => random.pareto(1.5)))).toBeGreaterThanOrEqual(1)
    expect(new Set(draw(500, () => random.int(3, 6)))).toEqual(new Set([3, 4, 5, 6]))
  })

  test.each([0.7, 1, 1.4])('zipf with exponent %d stays in range and prefers the first', (exponent) => {
    const random = createRandom(5)
    const counts = new Array<number>(20).fill(0)
    for (let i = 0; i < 20_000; i++) counts[random.zipf(20, exponent)]!++
    expect(counts.every((count) => count > 0)).toBe(true)
    expect(counts[0]).toBeGreaterThan(counts[4]! * 1.5)
    expect(counts[4]).toBeGreaterThan(counts[19]!)
  })

  test('shuffle keeps everybody', () => {
    const list = draw(40, () => 0).map((_, index) => index)
    const shuffled = createRandom(2).shuffle([...list])
    expect(shuffled).not.toEqual(list)
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(list)
  })

  test('weights are obeyed, and a prefix hides the rest', () => {
    const weights = createWeights([1, 0, 3, 96])
    const random = createRandom(9)
    const picks = draw(10_000, () => weights.pick(random, 3))
    expect(picks.filter((pick) => pick === 2).length / picks.length).toBeCloseTo(0.75, 1)
    expect(picks).not.toContain(1)
    expect(picks).not.toContain(3)
    expect([weights.at(0), weights.at(0.999)]).toEqual([0, 3])
  })

  test('any text is a seed, and numbers are seeds by their digits', () => {
    expect(seedFrom('1')).toBe(seedFrom(1))
    expect(new Set(draw(1_000, () => 0).map((_, index) => seedFrom(index))).size).toBe(1_000)
    expect(mix(1, 2)).not.toBe(mix(2, 1))
  })
})
