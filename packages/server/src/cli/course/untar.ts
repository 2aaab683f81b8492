import { readTar } from '../backup/tar.ts'
import { CommandError } from '../terminal.ts'
import { type Found, MOST_BYTES } from './safe-path.ts'

/** Room for headers and padding beside the files. */
const MOST_STREAM = 2 * MOST_BYTES
const MOST_HEADER = 64 * 1024

async function* limited(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > MOST_STREAM) throw new CommandError(`it unpacks to more than ${MOST_BYTES >> 20} MB`)
    yield chunk
  }
}

const whole = async (body: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(body))

/** The path in an extended header: lines of `length key=value`. */
const paxPath = (header: Buffer): string | null => {
  for (let at = 0; at < header.length; ) {
    const length = Number.parseInt(header.toString('latin1', at, at + 12), 10)
    if (!(length > 0)) return null
    const record = header.toString('utf8', at, at + length - 1)
    const path = / path=([\s\S]*)$/.exec(record)
    if (path) return path[1] as string
    at += length
  }
  return null
}

/** The plain files of a tar archive; links and devices are refused. */
export async function* tarFiles(stream: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  let longName: string | null = null
  for await (const { name, size, type, body } of readTar(limited(stream))) {
    const path: string = (longName ?? name).replace(/^(?:\.\/)+/, '')
    const isHeader = type === 'x' || type === 'L'
    if (size > (isHeader || type === 'g' ? MOST_HEADER : MOST_BYTES)) throw new CommandError(`${path} is too large`)
    if (isHeader) {
      const header = await whole(body)
      longName = type === 'x' ? (paxPath(header) ?? longName) : header.toString('utf8').replace(/\0.*$/s, '')
      continue
    }
    if (type === 'g') continue
    longName = null
    if (type === '5' || path === '' || path.endsWith('/')) continue
    if (type !== '0' && type !== '') throw new CommandError(`${path} is refused: it is a link, or no file at all`)
    yield { path, content: await whole(body) }
  }
}
