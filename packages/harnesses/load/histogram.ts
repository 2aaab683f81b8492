/** Times in ms. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** Buckets per doubling: a value is at most 3 % above the measurement. */
const STEPS = 24
const LEAST_MS = 0.05
const SIZE = STEPS * 24

/** A histogram of durations with constant memory. */
export const createHistogram = () => {
  const counts = new Uint32Array(SIZE)
  let count = 0
  let most = 0

  const upTo = (share: number): number => {
    let left = Math.ceil(count * share)
    for (let i = 0; i < SIZE; i++) {
      left -= counts[i] ?? 0
      if (left <= 0) return Math.min(most, LEAST_MS * 2 ** ((i + 1) / STEPS))
    }
    return most
  }

  return {
    add: (ms: number) => {
      const step = Math.min(SIZE - 1, Math.max(0, Math.floor(Math.log2(ms / LEAST_MS) * STEPS)))
      counts[step] = (counts[step] ?? 0) + 1
      count += 1
      most = Math.max(most, ms)
    },
    times: (): Times => ({ count, p50: count === 0 ? 0 : upTo(0.5), p99: count === 0 ? 0 : upTo(0.99), most }),
    clear: () => {
      counts.fill(0)
      count = 0
      most = 0
    },
  }
}
