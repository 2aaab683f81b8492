/** A line without its line break; `bytes` is null if it exceeds the limit. */
export interface Line {
  readonly number: number
  readonly bytes: Buffer | null
}

const NEWLINE = 10
const RETURN = 13

/** The lines of a stream. Lines of more than `longest` bytes are discarded. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Line[]> {
  let number = 0
  let parts: Buffer[] = []
  let length = 0
  const finish = (last: Buffer): Line => {
    number += 1
    const whole = length + last.length > longest ? null : parts.length === 0 ? last : Buffer.concat([...parts, last])
    parts = []
    length = 0
    return { number, bytes: whole?.at(-1) === RETURN ? whole.subarray(0, -1) : whole }
  }
  for await (const chunk of chunks) {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(finish(chunk.subarray(start, end)))
      start = end + 1
    }
    const rest = chunk.subarray(start)
    length += rest.length
    if (length > longest) parts = []
    else if (rest.length > 0) parts.push(rest)
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [finish(Buffer.alloc(0))]
}
