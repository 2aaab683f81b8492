import type { Services } from '../../core/context.ts'

/** Push services answer within a second. */
const SLOW_MS = 5000
/** How long a member gets no further push messages after a slow one. */
const REST_MS = 300_000
/** Members who are remembered; the oldest is forgotten first. */
const MOST = 10_000

/**
 * Members choose where their push messages go. Whoever's device keeps the server waiting gets no messages for a while: however many devices
 * and messages there are, they take the places of others for a few seconds. `now`: milliseconds.
 */
export const createPatience = (now: () => number = () => performance.now()) => {
  const over = new Map<number, number>()
  return {
    isOver: (userId: number): boolean => (over.get(userId) ?? Number.NEGATIVE_INFINITY) > now(),

    /** Runs `send`, and notes whether it was slow, even where it succeeded. */
    during: async (userId: number, send: () => Promise<void>): Promise<void> => {
      const started = now()
      try {
        await send()
      } finally {
        if (now() - started >= SLOW_MS) {
          over.delete(userId)
          over.set(userId, now() + REST_MS)
          const [oldest] = over.keys()
          if (over.size > MOST && oldest !== undefined) over.delete(oldest)
        }
      }
    },
  }
}

const known = new WeakMap<Services['database'], ReturnType<typeof createPatience>>()

export const patienceOf = ({ database }: Pick<Services, 'database'>): ReturnType<typeof createPatience> => {
  const patience = known.get(database) ?? createPatience()
  known.set(database, patience)
  return patience
}
