import { open } from 'node:fs/promises'

/** A line of a file, numbered from 1. `text` is null if the line exceeds the limit. */
export interface Line {
  readonly number: number
  readonly text: Buffer | null
}

const CHUNK_BYTES = 256 * 1024
const LINE_BREAK = 10

/** The lines of a file. Lines of more than `mostBytes` are discarded. */
export async function* linesOf(path: string, mostBytes: number): AsyncGenerator<Line> {
  const file = await open(path, 'r')
  try {
    let parts: Buffer[] = []
    let length = 0
    let number = 0
    const keep = (part: Buffer) => {
      length += part.length
      if (length > mostBytes) parts = []
      else parts.push(part)
    }
    const take = (): Line => {
      number++
      const text = length > mostBytes ? null : parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
      parts = []
      length = 0
      return { number, text }
    }
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES)
      if (bytesRead === 0) break
      const chunk = buffer.subarray(0, bytesRead)
      let at = 0
      for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, at)) {
        keep(chunk.subarray(at, end))
        at = end + 1
        yield take()
      }
      if (at < chunk.length) keep(chunk.subarray(at))
    }
    if (length > 0) yield take()
  } finally {
    await file.close()
  }
}
