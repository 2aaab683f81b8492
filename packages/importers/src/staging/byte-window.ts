/** A window of a stream in memory. Scanners read it from `at`; if it is too short, they call `more` and start again at `at`. */
export interface ByteWindow {
  bytes: Buffer
  /** Scan position. Bytes before it may be discarded. */
  at: number
  /** Whether the stream has ended. */
  ended: boolean
  /** Offset of `bytes` in the stream. */
  readonly offset: () => number
  /** At least doubles the bytes after `at`, so that repeated scans take linear time. */
  readonly more: () => Promise<void>
  /** Ends the stream early. */
  readonly close: () => Promise<void>
}

const LEAST = 256 * 1024

export const createByteWindow = (stream: AsyncIterable<Buffer>): ByteWindow => {
  const chunks = stream[Symbol.asyncIterator]()
  let offset = 0
  const window: ByteWindow = {
    bytes: Buffer.alloc(0),
    at: 0,
    ended: false,
    offset: () => offset,
    more: async () => {
      const rest = window.bytes.subarray(window.at)
      offset += window.at
      const parts = [rest]
      for (let added = 0; added < Math.max(LEAST, rest.length) && !window.ended; ) {
        const { value, done } = await chunks.next()
        if (done) window.ended = true
        else {
          parts.push(value)
          added += value.length
        }
      }
      window.bytes = parts.length === 1 ? rest : parts.length === 2 && rest.length === 0 ? (parts[1] as Buffer) : Buffer.concat(parts)
      window.at = 0
    },
    close: async () => {
      await chunks.return?.()
    },
  }
  return window
}
