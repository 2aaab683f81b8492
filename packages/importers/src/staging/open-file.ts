import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { openPromise } from 'yauzl'
import { UnreadableSource } from '../source.ts'

export interface Limits {
  /** Maximum decompressed size. */
  readonly bytes: number
  /** Maximum compression ratio. Dumps have less than 50, decompression bombs about 1,000. */
  readonly ratio: number
}

export const DUMP_LIMITS: Limits = { bytes: 1024 ** 4, ratio: 400 }
/** The ratio is not checked for smaller files. */
const RATIO_COUNTS_FROM = 64 * 1024 * 1024
const CHUNK = 1024 * 1024

const beginsWith = (start: Uint8Array, ...bytes: number[]) => bytes.every((byte, at) => start[at] === byte)

/** The type of a file by its first bytes. */
export const fileType = async (file: string): Promise<'gzip' | 'zip' | 'postgres' | 'other'> => {
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0)
    if (beginsWith(buffer, 0x1f, 0x8b)) return 'gzip'
    if (beginsWith(buffer, 0x50, 0x4b, 0x03, 0x04)) return 'zip'
    return buffer.toString('latin1').startsWith('PGDMP') ? 'postgres' : 'other'
  } finally {
    await handle.close()
  }
}

async function* limited(stream: AsyncIterable<Buffer>, read: () => number, limits: Limits): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > limits.bytes) throw new UnreadableSource(`The file unpacks to more than ${limits.bytes} bytes.`)
    if (bytes > RATIO_COUNTS_FROM && bytes / read() > limits.ratio)
      throw new UnreadableSource(`The file unpacks to more than ${limits.ratio} times its size, so it is not a dump.`)
    yield chunk
  }
}

/** The only .sql file of a zip archive. */
const zipMember = async (file: string): Promise<AsyncIterable<Buffer>> => {
  const zip = await openPromise(file, { autoClose: false, validateEntrySizes: true })
  const dumps = []
  for await (const entry of zip.eachEntry()) if (/\.sql$/i.test(entry.fileName)) dumps.push(entry)
  const [dump] = dumps
  if (!dump || dumps.length > 1) {
    zip.close()
    throw new UnreadableSource(`The zip archive must have exactly one .sql file; it has ${dumps.length}.`)
  }
  const stream = await zip.openReadStreamPromise(dump)
  stream.once('close', () => zip.close())
  return limited(stream as AsyncIterable<Buffer>, () => dump.compressedSize, DUMP_LIMITS)
}

const gunzipped = (file: string, limits: Limits): AsyncIterable<Buffer> => {
  const packed = createReadStream(file, { highWaterMark: CHUNK })
  const unpacked = createGunzip({ chunkSize: CHUNK })
  packed.once('error', (error) => unpacked.destroy(error))
  unpacked.once('close', () => packed.destroy())
  return limited(packed.pipe(unpacked), () => packed.bytesRead, limits)
}

/** Converts UTF-16 to UTF-8. PowerShell writes command output as UTF-16. */
async function* inUtf8(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let first = true
  for await (const chunk of stream) {
    if (first && beginsWith(chunk, 0xff, 0xfe)) decoder = new TextDecoder('utf-16le')
    if (first && beginsWith(chunk, 0xfe, 0xff)) decoder = new TextDecoder('utf-16be')
    first = false
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk
  }
}

const damage: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'The file is truncated: its compressed data ends too early.',
  Z_DATA_ERROR: 'The file is damaged: its compressed data is invalid.',
  ENOENT: 'There is no such file.',
  EISDIR: 'This is a folder.',
  EACCES: 'The file cannot be read: permission denied.',
}

const explained = (error: unknown, file: string): unknown => {
  const reason = damage[(error as NodeJS.ErrnoException).code ?? '']
  return reason ? new UnreadableSource(`${file}: ${reason}`) : error
}

/** Streams a dump, decompressed. UTF-16 is converted to UTF-8; other encodings are kept. */
export async function* readDumpFile(file: string, limits: Limits = DUMP_LIMITS): AsyncGenerator<Buffer> {
  try {
    const type = await fileType(file)
    const plain = type === 'gzip' ? gunzipped(file, limits) : type === 'zip' ? await zipMember(file) : null
    yield* inUtf8(plain ?? createReadStream(file, { highWaterMark: CHUNK }))
  } catch (error) {
    throw explained(error, file)
  }
}

export const isFolder = async (place: string): Promise<boolean> => (await stat(place).catch(() => null))?.isDirectory() ?? false
