import { BLOCK, checksum, FIELDS, LONGEST_NAME, LONGEST_PREFIX, paddingOf } from './blocks.ts'

const MOST_SIZE = 8 ** 11 - 1

/** Splits a long name at a slash into the prefix and name fields of ustar; null if it does not fit. */
const splitName = (name: string): readonly [prefix: string, name: string] | null => {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return ['', name]
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= LONGEST_PREFIX && Buffer.byteLength(rest) <= LONGEST_NAME && rest !== '') return [prefix, rest]
  }
  return null
}

interface Header {
  readonly name: readonly [prefix: string, name: string]
  readonly size: number
  readonly seconds: number
  readonly type: string
}

const headerBlock = ({ name: [prefix, name], size, seconds, type }: Header): Buffer => {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) => header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  header.write(name, FIELDS.name[0])
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, ...FIELDS.size)
  octal(seconds, 136, 12)
  header.write(type, FIELDS.type[0])
  header.write('ustar\0' + '00', 257)
  header.write(prefix, FIELDS.prefix[0])
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, FIELDS.checksum[0])
  return header
}

/** A record of an extended header. It starts with its own length. */
const paxRecord = (key: string, value: string | number): Buffer => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (rest + String(length).length !== length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

/** The header of a file; `seconds` is its modification time. Values that do not fit are written to an extended header. */
export const tarHeader = (name: string, size: number, seconds: number): Buffer => {
  const split = splitName(name)
  const extended = Buffer.concat([
    ...(split === null ? [paxRecord('path', name)] : []),
    ...(size > MOST_SIZE ? [paxRecord('size', size)] : []),
  ])
  const header = headerBlock({ name: split ?? ['', 'long-name'], size: size > MOST_SIZE ? 0 : size, seconds, type: '0' })
  if (extended.length === 0) return header
  const before = headerBlock({ name: ['', 'extended-header'], size: extended.length, seconds, type: 'x' })
  return Buffer.concat([before, extended, tarPadding(extended.length), header])
}

/** The padding of the last block of a file. */
export const tarPadding = (size: number): Buffer => Buffer.alloc(paddingOf(size))

export const TAR_END = Buffer.alloc(2 * BLOCK)
