/** Failures in a row after which nobody is sent any more. */
const MOST_FAILURES = 12
const SHORTEST_MS = 5000
const LONGEST_MS = 60_000

/**
 * Keeps callers from a machine that does not work. After a while one of them is let through; when he succeeds, all are.
 * `now` in milliseconds.
 */
export const createBreaker = () => {
  let failures = 0
  let until = 0
  let probing = false
  return {
    /** Milliseconds to wait; 0: go. Whoever goes tells how it went. */
    enter: (now: number): number => {
      if (failures < MOST_FAILURES) return 0
      if (now < until) return until - now
      if (probing) return SHORTEST_MS
      probing = true
      return 0
    },
    succeeded: () => {
      failures = 0
      probing = false
    },
    failed: (now: number) => {
      failures += 1
      probing = false
      if (failures >= MOST_FAILURES) until = now + Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(10, failures - MOST_FAILURES))
    },
  }
}
