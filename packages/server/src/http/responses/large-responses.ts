import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { createFairSemaphore } from '../../util/fair-semaphore.ts'
import { LARGE } from './chunked-response.ts'
import { type Owner, ownerOf, type Unsent } from './unsent-bytes.ts'

/** Maximum number of large responses produced concurrently, in total and per owner, and of those waiting per owner. */
const AT_ONCE = 2
const PER_OWNER = 1
const WAITING_PER_OWNER = 20
/** Maximum number of remembered operations with large responses; the oldest is evicted first. */
const MOST_KNOWN = 2000

/**
 * Handles responses that are expected to be large, judged by the last response of the same operation to the same owner: refused early if
 * there is no room, produced a few at a time, and with a turn of the event loop for other requests in between.
 */
export const createLargeAnswers = (unsent: Unsent) => {
  const gate = createFairSemaphore<Owner>({ concurrent: AT_ONCE, perOwner: PER_OWNER, waitingPerOwner: WAITING_PER_OWNER })
  const sizes = new Map<string, number>()
  const keyOf = (request: FastifyRequest, operation: string) => `${ownerOf(request)} ${operation}`

  return {
    /** Runs `make`, in its turn if the response is likely to be large. @throws 429, 503 */
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

    /** Records the size of a response in bytes. */
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
