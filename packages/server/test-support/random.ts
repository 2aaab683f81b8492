/** A seeded random generator. */
export interface Random {
  /** An integer from 0 to `below` − 1. */
  int(below: number): number
  /** True with a probability of 1 in `n`. */
  oneIn(n: number): boolean
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    int: (below) => Math.floor(next() * below),
    oneIn: (n) => next() * n < 1,
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] as never,
  }
}
