import type { Services } from '../../../core/context.ts'

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
export const createPushBackoff = (now: () => number = () => performance.now()) => {
  const pausedUntil = new Map<number, number>()
  return {
    isPaused: (userId: number): boolean => (pausedUntil.get(userId) ?? Number.NEGATIVE_INFINITY) > now(),

    /** Runs `send` and records whether it was slow, even if it succeeded. */
    track: async (userId: number, send: () => Promise<void>): Promise<void> => {
      const started = now()
      try {
        await send()
      } finally {
        if (now() - started >= SLOW_MS) {
          pausedUntil.delete(userId)
          pausedUntil.set(userId, now() + PAUSE_MS)
          const [oldest] = pausedUntil.keys()
          if (pausedUntil.size > MAX_TRACKED && oldest !== undefined) pausedUntil.delete(oldest)
        }
      }
    },
  }
}

const create = () => createPushBackoff()

/** The push backoff of this process. */
export const pushBackoffOf = ({ stateOf }: Pick<Services, 'stateOf'>): ReturnType<typeof createPushBackoff> => stateOf(create)
