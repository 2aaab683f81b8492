/** Seeded random numbers (xoshiro128**): the same seed gives the same sequence everywhere. Never for anything secret. */
export interface Random {
  /** Starts over as the stream that belongs to this seed. */
  reseed(seed: number): void
  /** An unsigned 32-bit integer. */
  next(): number
  /** A float in [0, 1). */
  float(): number
  /** An integer in [min, max], both included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Normal distribution of mean 0 and deviation 1. */
  gaussian(): number
  exponential(mean: number): number
  /** Pareto distributed, at least 1: the smaller the exponent, the heavier the tail. */
  pareto(exponent: number): number
  /** An index of 0…count-1 by Zipf's law: the first one is the most frequent. */
  zipf(count: number, exponent?: number): number
  /** Reorders in place and returns the list. */
  shuffle<T>(list: T[]): T[]
}

/** Mixes two integers into one unsigned 32-bit integer: for streams and choices that must not depend on an order. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** A seed as typed on the command line, as an integer; any text is a seed. */
export function seedFrom(seed: number | string): number {
  const text = String(seed)
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return mix(h, text.length)
}

export function createRandom(seed: number): Random {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let spare = Number.NaN

  function reseed(value: number): void {
    // splitmix32: neighbouring seeds must not give similar streams
    let state = value | 0
    const split = () => {
      state = (state + 0x9e3779b9) | 0
      let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
      return z ^ (z >>> 15)
    }
    a = split()
    b = split()
    c = split()
    d = split() | 1
    spare = Number.NaN
  }

  function next(): number {
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }

  const float = () => next() / 4294967296
  const int = (min: number, max: number) => min + Math.floor(float() * (max - min + 1))

  function gaussian(): number {
    if (!Number.isNaN(spare)) {
      const kept = spare
      spare = Number.NaN
      return kept
    }
    const radius = Math.sqrt(-2 * Math.log(1 - float()))
    const angle = 2 * Math.PI * float()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }

  /** The continuous law, inverted: exact enough, and no table however long the list. */
  function zipf(count: number, exponent = 1): number {
    const u = float()
    const s = 1 - exponent
    const x = Math.abs(s) < 1e-9 ? (count + 1) ** u : (u * ((count + 1) ** s - 1) + 1) ** (1 / s)
    return Math.min(count - 1, Math.floor(x) - 1)
  }

  function shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = int(0, i)
      const moved = list[i] as T
      list[i] = list[j] as T
      list[j] = moved
    }
    return list
  }

  reseed(seed)
  return {
    reseed,
    next,
    float,
    int,
    chance: (probability) => float() < probability,
    pick: <T>(list: readonly T[]) => list[Math.floor(float() * list.length)] as T,
    gaussian,
    exponential: (mean) => -mean * Math.log(1 - float()),
    pareto: (exponent) => (1 - float()) ** (-1 / exponent),
    zipf,
    shuffle,
  }
}

/** Weighted choice over a fixed list; `prefix` limits it to the first so many entries, at no extra cost. */
export interface Weights {
  pick(random: Random, prefix?: number): number
  /** The choice that belongs to a fraction in [0, 1). */
  at(fraction: number, prefix?: number): number
}

export function createWeights(weights: ArrayLike<number>): Weights {
  const sums = new Float64Array(weights.length)
  let sum = 0
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]!
    sums[i] = sum
  }
  const at = (fraction: number, prefix = weights.length) => searchSums(sums, 0, prefix, fraction)
  return { at, pick: (random, prefix) => at(random.float(), prefix) }
}

/** The index in [from, to) whose share of the running sums holds the fraction `u`; `sums` may belong to a longer list. */
export function searchSums(sums: Float64Array, from: number, to: number, u: number): number {
  const base = from === 0 ? 0 : sums[from - 1]!
  const wanted = base + u * (sums[to - 1]! - base)
  let low = from
  let high = to - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle]! > wanted) high = middle
    else low = middle + 1
  }
  return low
}
