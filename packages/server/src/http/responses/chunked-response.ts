import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { createFairSemaphore } from '../../util/fair-semaphore.ts'
import type { Holding, Owner } from './unsent-bytes.ts'

/** Answers with more bytes are sent in portions, each when the client has taken the one before it. */
export const LARGE = 128 * 1024
const PORTION = 64 * 1024

function* portionsOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += PORTION) yield bytes.subarray(at, at + PORTION)
  }
}

/** Sends the body of an answer whose head is out in portions, and tells `holding` whenever the client has taken some. */
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

/** One portion is produced per turn of the event loop, across all requests. */
const turns = createFairSemaphore<Owner>({ concurrent: 1, perOwner: 1, waitingPerOwner: Number.POSITIVE_INFINITY })

/** What the rest of such an answer costs beside its portion: the list that it is made of. */
const BESIDE = 64 * 1024

/** The same with portions that are made when the client has taken the one before. An answer that cannot be finished is cut off. */
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
