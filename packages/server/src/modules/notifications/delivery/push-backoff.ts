import { LRUCache } from 'lru-cache'

/** Push services normally respond within a second. */
const SLOW_MS = 5000
/** How long a member gets no push messages after a slow one. */
const PAUSE_MS = 300_000
/** Maximum number of members tracked; the oldest is evicted first. */
const MAX_TRACKED = 10_000

/**
 * Backs off from members whose push endpoints are slow. Members choose their endpoints, so many slow ones could otherwise occupy all
 * delivery slots. `now` in milliseconds.
 */
export const createPushBackoff = (now: () => number) => {
  const paused = new LRUCache<number, true>({ max: MAX_TRACKED, ttl: PAUSE_MS, ttlResolution: 0, perf: { now } })
  return {
    isPaused: (userId: number): boolean => paused.has(userId),

    /** Runs `send` and records whether it was slow, even if it succeeded. */
    track: async (userId: number, send: () => Promise<void>): Promise<void> => {
      const started = now()
      try {
        await send()
      } finally {
        if (now() - started >= SLOW_MS) paused.set(userId, true)
      }
    },
  }
}

/** The push backoff of a process; an argument of `stateOf`. */
export const processPushBackoff = () => createPushBackoff(() => performance.now())
