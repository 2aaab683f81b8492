import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { createFairSemaphore } from '../../util/fair-semaphore.ts'
import { LARGE } from './chunked-response.ts'
import { type Owner, ownerOf, type Unsent } from './unsent-bytes.ts'

/** Answers known to be large that are made at once, of everybody and of one owner, and those of one owner that may wait. */
const AT_ONCE = 2
const PER_OWNER = 1
const WAITING_PER_OWNER = 20
/** Operations of owners whose last answer was large; the oldest is forgotten first. */
const MOST_KNOWN = 2000

/**
 * Answers that will be large, judged by what the same operation last answered the same owner: they are refused before they are made where there
 * is no room for them, made a few at a time, and leave a turn of the event loop to others in between.
 */
export const createLargeAnswers = (unsent: Unsent) => {
  const gate = createFairSemaphore<Owner>({ concurrent: AT_ONCE, perOwner: PER_OWNER, waitingPerOwner: WAITING_PER_OWNER })
  const sizes = new Map<string, number>()
  const keyOf = (request: FastifyRequest, operation: string) => `${ownerOf(request)} ${operation}`

  return {
    /** Runs `make`, in its turn if the answer is likely to be large. @throws 429, 503 */
    make: <T>(request: FastifyRequest, operation: string, make: () => Promise<T>): Promise<T> => {
      const expected = sizes.size > 0 ? sizes.get(keyOf(request, operation)) : undefined
      if (expected === undefined) return make()
      const owner = ownerOf(request)
      return gate.run(owner, async () => {
        unsent.checkRoom(owner, expected)
        try {
          return await make()
        } finally {
          await setImmediate()
        }
      })
    },

    /** Remembers how large an answer was, in bytes. */
    note: (request: FastifyRequest, operation: string, size: number): void => {
      if (size <= LARGE && sizes.size === 0) return
      const key = keyOf(request, operation)
      sizes.delete(key)
      if (size <= LARGE) return
      const [oldest] = sizes.keys()
      if (sizes.size >= MOST_KNOWN && oldest !== undefined) sizes.delete(oldest)
      sizes.set(key, size)
    },
  }
}

export type LargeAnswers = ReturnType<typeof createLargeAnswers>
