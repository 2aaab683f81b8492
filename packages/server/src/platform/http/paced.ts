import type { ServerResponse } from 'node:http'
import type { Holding } from './unsent.ts'

/** Answers with more bytes are sent in portions, each when the client has taken the one before it. */
export const LARGE = 128 * 1024
const PORTION = 64 * 1024

function* portionsOf(pieces: readonly (string | Buffer)[]): Generator<Buffer> {
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    for (let at = 0; at < bytes.length; at += PORTION) yield bytes.subarray(at, at + PORTION)
  }
}

/** Sends the body of an answer whose head is out in portions, and tells `holding` whenever the client has taken some. */
export const paced = (response: ServerResponse, pieces: readonly (string | Buffer)[], holding: Holding): void => {
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
