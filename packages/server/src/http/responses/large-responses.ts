import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { NextChunk } from '../../cache/json-fragments.ts'
import { createSemaphore } from '../../util/semaphore.ts'
import { type Owner, ownerOf, type Unsent, type UnsentReservation } from './unsent-bytes.ts'

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
export const createLargeResponses = (unsent: Unsent) => {
  const gate = createSemaphore<Owner>({ concurrent: AT_ONCE, perKey: PER_OWNER, waitingPerKey: WAITING_PER_OWNER })
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

export type LargeResponses = ReturnType<typeof createLargeResponses>

/** Responses with more bytes are sent in chunks, each after the client has read the previous one. */
export const LARGE = 128 * 1024
const CHUNK_BYTES = 64 * 1024

function* portionsOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  }
}

/** Sends a body in chunks after the head has been sent; informs `holding` whenever the client has read some. */
export const sendInChunks = (response: ServerResponse, pieces: readonly Buffer[], holding: UnsentReservation): void => {
  const portions = portionsOf(pieces)
  const send = () => {
    holding.moved()
    for (;;) {
      if (response.destroyed) return
      const { value, done } = portions.next()
      if (done) return void response.end()
      if (response.write(value)) continue
      response.once('drain', send)
      return
    }
  }
  send()
}

/** Across all requests, one chunk is produced per turn of the event loop. */
const turns = createSemaphore<Owner>({ concurrent: 1, perKey: 1 })

interface Reserved {
  readonly owner: Owner
  /** Bytes that `holding` counts: the largest chunk, and what the response retains besides. */
  readonly size: number
  readonly retained: number
  readonly holding: UnsentReservation
}

/** Sends chunks that are produced after the client has read the previous one. A response that cannot be completed is aborted. */
export const sendGenerated = async (
  response: ServerResponse,
  next: NextChunk,
  { owner, size, retained, holding }: Reserved,
): Promise<void> => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const make = () =>
    turns.run(owner, async () => {
      // Closed responses, which are not counted any more, leave the queue at once.
      if (!response.destroyed) await setImmediate()
      return response.destroyed ? null : next()
    })
  // A function of its own, so that nothing holds a chunk that has been sent while the response waits for its turn.
  const sendNext = async (): Promise<boolean> => {
    const chunk = await make()
    if (response.destroyed) return false
    if (!chunk) {
      response.end()
      return false
    }
    // The reservation remains while no chunk exists, because the next one will need it.
    holding.resize(Math.max(size, retained + chunk.length))
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal })
    holding.moved()
    return true
  }
  try {
    while (await sendNext()) {}
  } catch (error) {
    response.destroy()
    if (!gone.signal.aborted) throw error
  }
}
