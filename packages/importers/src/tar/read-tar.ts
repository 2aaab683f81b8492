import { BLOCK, checksum, FIELDS, paddingOf } from './blocks.ts'

export interface TarEntry {
  readonly name: string
  readonly size: number
  /** `other`: links, devices and similar entries. */
  readonly type: 'file' | 'directory' | 'other'
  /** The content. Read it before the next entry; unread content is skipped. */
  readonly body: AsyncIterable<Buffer>
}

/** Maximum size of an extended header. */
const MOST_EXTENDED = 1 << 20

type Field = readonly [at: number, length: number]

const text = (header: Buffer, [at, length]: Field) => {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

const damaged = () => new Error('the archive is damaged')

const whole = (value: number): number => {
  if (!Number.isSafeInteger(value) || value < 0) throw damaged()
  return value
}

/** Parses an octal number, or a binary one if its first bit is set. */
const number = (header: Buffer, field: Field): number => {
  const [at, length] = field
  if (((header[at] ?? 0) & 0x80) === 0) {
    const digits = text(header, field).trim()
    return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? whole(Number.parseInt(digits, 8)) : whole(Number.NaN)
  }
  let value = (header[at] ?? 0) & 0x7f
  for (const byte of header.subarray(at + 1, at + length)) value = value * 256 + byte
  return whole(value)
}

/** The records of an extended header. */
const paxRecords = (bytes: Buffer): Map<string, string> => {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString('latin1', at, Math.max(at, space)))
    if (!Number.isSafeInteger(length) || length <= space - at || at + length > bytes.length) throw damaged()
    const record = bytes.toString('utf8', space + 1, at + length - 1)
    const equals = record.indexOf('=')
    if (equals < 0) throw damaged()
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

const TYPES: Readonly<Record<string, TarEntry['type']>> = { '': 'file', '0': 'file', '7': 'file', '5': 'directory' }

/** Extended header fields for the next entry. */
interface Extended {
  readonly name?: string | undefined
  readonly size?: number | undefined
}

/** Reads a stream in chunks of any length. @throws Error if it ends too early */
const createReader = (stream: AsyncIterable<Buffer>) => {
  const source = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** Returns at most `most` bytes. */
  const some = async (most: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { done, value } = await source.next()
      if (done) throw new Error('the archive ends too early')
      rest = value
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }
  const exactly = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const part = await some(left)
      parts.push(part)
      left -= part.length
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }
  const skip = async (length: number): Promise<void> => {
    for (let left = length; left > 0; ) left -= (await some(left)).length
  }
  /** Reads to the end of the stream, so that a checksum after the archive is verified. */
  const drain = async (): Promise<void> => {
    while (!(await source.next()).done);
  }
  return { some, exactly, skip, drain, close: () => source.return?.() }
}

/**
 * Streams the entries of a ustar, pax or GNU tar archive.
 * @throws Error if the archive is damaged or ends too early
 */
export async function* readTar(stream: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = createReader(stream)
  const contentOf = async (size: number): Promise<Buffer> => {
    if (size > MOST_EXTENDED) throw damaged()
    const content = await reader.exactly(size)
    await reader.skip(paddingOf(size))
    return content
  }
  let extended: Extended = {}
  try {
    for (;;) {
      const header = await reader.exactly(BLOCK)
      if (header.every((byte) => byte === 0)) return await reader.drain()
      if (number(header, FIELDS.checksum) !== checksum(header)) throw damaged()
      const type = text(header, FIELDS.type)
      const stored = number(header, FIELDS.size)
      if (type === 'x') {
        const records = paxRecords(await contentOf(stored))
        const given = records.get('size')
        extended = { name: records.get('path'), size: given === undefined ? undefined : whole(Number(given)) }
      } else if (type === 'L') extended = { ...extended, name: text(await contentOf(stored), [0, stored]) }
      else if (type === 'K' || type === 'g') await contentOf(stored)
      else {
        const size = extended.size ?? stored
        const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? text(header, FIELDS.prefix) : ''
        const name = extended.name ?? `${prefix ? `${prefix}/` : ''}${text(header, FIELDS.name)}`
        extended = {}
        let left = size
        const body = async function* () {
          while (left > 0) {
            const part = await reader.some(left)
            left -= part.length
            yield part
          }
        }
        const isOldDirectory = TYPES[type] === 'file' && name.endsWith('/')
        yield { name, size, type: isOldDirectory ? 'directory' : (TYPES[type] ?? 'other'), body: body() }
        await reader.skip(left)
        await reader.skip(paddingOf(size))
      }
    }
  } finally {
    await reader.close()
  }
}
