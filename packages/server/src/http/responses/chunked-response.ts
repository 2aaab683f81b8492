import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { createFairSemaphore } from '../../util/fair-semaphore.ts'
import type { Holding, Owner } from './unsent-bytes.ts'

/** Responses with more bytes are sent in chunks, each after the client has read the previous one. */
export const LARGE = 128 * 1024
const CHUNK_BYTES = 64 * 1024

function* portionsOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  }
}

/** Sends a body in chunks after the head has been sent; informs `holding` whenever the client has read some. */
export const paced = (response: ServerResponse, pieces: readonly Buffer[], holding: Holding): void => {
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
const turns = createFairSemaphore<Owner>({ concurrent: 1, perOwner: 1, waitingPerOwner: Number.POSITIVE_INFINITY })

/** Memory of such a response besides its chunk: the list from which it is produced. */
const BESIDE = 64 * 1024

/** Sends chunks that are produced after the client has read the previous one. A response that cannot be completed is aborted. */
export const madeWhenTaken = async (
  response: ServerResponse,
  portions: AsyncIterable<Buffer>,
  owner: Owner,
  holding: Holding,
): Promise<void> => {
  const iterator = portions[Symbol.asyncIterator]()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const make = () =>
    turns.run(owner, async () => {
      await setImmediate()
      return iterator.next()
    })
  try {
    while (!response.destroyed) {
      const { value, done } = await make()
      if (done) return void response.end()
      holding.resize(value.length + BESIDE)
      if (!response.write(value)) await once(response, 'drain', { signal: gone.signal })
      holding.moved()
    }
  } catch (error) {
    response.destroy()
    if (!gone.signal.aborted) throw error
  } finally {
    await iterator.return?.()
  }
}
