/** Consecutive failures that open the breaker. */
const FAILURE_THRESHOLD = 12
const MIN_OPEN_MS = 5000
const MAX_OPEN_MS = 60_000

/** A circuit breaker: blocks calls to a failing service, and lets a single probe through after a while. `now` in milliseconds. */
export const createCircuitBreaker = () => {
  let failures = 0
  let until = 0
  let probing = false
  return {
    /** Milliseconds to wait; 0 to proceed, in which case the caller must report the outcome. */
    enter: (now: number): number => {
      if (failures < FAILURE_THRESHOLD) return 0
      if (now < until) return until - now
      if (probing) return MIN_OPEN_MS
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
      if (failures >= FAILURE_THRESHOLD) until = now + Math.min(MAX_OPEN_MS, MIN_OPEN_MS * 2 ** Math.min(10, failures - FAILURE_THRESHOLD))
    },
  }
}
