/** A minimal reader and writer of the tar format (ustar) with plain files, so that any tool can read a backup. */

const BLOCK = 512
const MOST_SIZE = 8 ** 11 - 1
const LONGEST_NAME = 100
const LONGEST_PREFIX = 155

export interface Entry {
  readonly name: string
  readonly size: number
  /** The tar type flag: `0` file, `5` folder and so on; empty in old archives. */
  readonly type: string
  /** The content, to be read to its end before the next entry. */
  readonly body: AsyncIterable<Buffer>
}

/** Splits a name at a slash into the prefix and name fields of ustar if it is too long for one. */
const splitName = (name: string): [prefix: string, name: string] => {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return ['', name]
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= LONGEST_PREFIX && Buffer.byteLength(rest) <= LONGEST_NAME) return [prefix, rest]
  }
  throw new Error(`the name ${name} is too long for a backup`)
}

const checksum = (header: Buffer): number => {
  let sum = 8 * 0x20
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += header[i] ?? 0
  return sum
}

/** The header of a file; `seconds` is its modification time. */
export const tarHeader = (name: string, size: number, seconds: number): Buffer => {
  if (size > MOST_SIZE) throw new Error(`${name} is too large for a backup`)
  const header = Buffer.alloc(BLOCK)
  const [prefix, rest] = splitName(name)
  const octal = (value: number, at: number, length: number) => header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  header.write(rest, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(seconds, 136, 12)
  header.write('0', 156)
  header.write('ustar\0' + '00', 257)
  header.write(prefix, 345)
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The padding of the last block of a file. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

export const TAR_END = Buffer.alloc(2 * BLOCK)

const text = (header: Buffer, at: number, length: number) => {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

const number = (header: Buffer, at: number, length: number): number => {
  const value = Number.parseInt(text(header, at, length), 8)
  if (!Number.isSafeInteger(value)) throw new Error('the archive is damaged')
  return value
}

/** The files of an archive, one after the other. */
export async function* readTar(stream: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const source = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  /** The next bytes of the stream, at most `most`. */
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

  for (;;) {
    const header = await exactly(BLOCK)
    if (header.every((byte) => byte === 0)) return
    if (number(header, 148, 8) !== checksum(header)) throw new Error('the archive is damaged')
    const prefix = text(header, 345, LONGEST_PREFIX)
    const size = number(header, 124, 12)
    let left = size
    const body = async function* () {
      while (left > 0) {
        const part = await some(left)
        left -= part.length
        yield part
      }
    }
    yield { name: `${prefix ? `${prefix}/` : ''}${text(header, 0, LONGEST_NAME)}`, size, type: text(header, 156, 1), body: body() }
    while (left > 0) left -= (await some(left)).length
    await exactly(tarPadding(size).length)
  }
}
