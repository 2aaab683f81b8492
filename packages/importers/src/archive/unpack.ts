import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UnreadableSource } from '../source.ts'
import { readTar, type TarEntry } from '../tar/index.ts'

export interface UnpackLimits {
  /** Total size of all entries. */
  readonly mostBytes: number
  readonly mostEntries: number
  /** Maximum ratio of unpacked to packed bytes. It is not checked up to `freeBytes`. */
  readonly mostRatio: number
  readonly freeBytes: number
}

const MB = 2 ** 20
/** JSON Lines compress 10 to 20 times; a ratio of 1,000 indicates a decompression bomb. */
export const UNPACK_LIMITS: UnpackLimits = {
  mostBytes: Number.MAX_SAFE_INTEGER,
  mostEntries: 20_000_000,
  mostRatio: 250,
  freeBytes: 64 * MB,
}
/** Disk space that unpacking must leave free. */
const RESERVE_BYTES = 256 * MB

const GZIP = Buffer.from([0x1f, 0x8b])
const ZIP = Buffer.from('PK')

/** Paths of the files of an archive, optionally inside one top-level folder. */
const MEMBER = /^(?:\.\/)*(?:[^/]+\/)?(manifest\.json|[a-z][a-z_]{0,49}\.jsonl|media\/[0-9a-f]{64})$/
const LEAVES = /(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|^[a-z]:/i

const startOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Fails when unpacked data exceeds the limits. */
const createMeter = (limits: UnpackLimits) => {
  let packed = 0
  let unpacked = 0
  const passing = (count: (bytes: number) => void) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          count(chunk.length)
          done(null, chunk)
        } catch (error) {
          done(error as Error)
        }
      },
    })
  return {
    packed: () =>
      passing((bytes) => {
        packed += bytes
      }),
    unpacked: () =>
      passing((bytes) => {
        unpacked += bytes
        if (unpacked > limits.mostBytes) throw new UnreadableSource('there is not enough disk space to unpack it')
        if (unpacked > limits.freeBytes && unpacked > limits.mostRatio * packed)
          throw new UnreadableSource(`it expands to more than ${limits.mostRatio} times its size`)
      }),
  }
}

const store = async ({ name, type, body }: TarEntry, folder: string): Promise<void> => {
  const [, path] = MEMBER.exec(name) ?? []
  if (LEAVES.test(name)) throw new UnreadableSource(`it contains an unsafe path: ${JSON.stringify(name)}`)
  if (type === 'other') throw new UnreadableSource(`${JSON.stringify(name)} is not a regular file`)
  if (path === undefined || type !== 'file') return
  try {
    await pipeline(body, createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new UnreadableSource(`it contains ${path} twice`)
    throw error
  }
}

const unpackTar = async (stream: Readable, folder: string, mostEntries: number): Promise<void> => {
  let count = 0
  for await (const entry of readTar(stream)) {
    if (++count > mostEntries) throw new UnreadableSource(`it has more than ${mostEntries} entries`)
    await store(entry, folder)
  }
}

/**
 * Unpacks the files of an archive from a `.tar` or `.tar.gz` file into an empty folder. Other entries are never written.
 * @throws UnreadableSource
 */
export const unpackArchive = async (file: string, folder: string, limits = UNPACK_LIMITS): Promise<void> => {
  const start = await startOf(file)
  if (start.subarray(0, ZIP.length).equals(ZIP)) throw new UnreadableSource('it is a zip file; unpack it and use the folder')
  const isPacked = start.subarray(0, GZIP.length).equals(GZIP)
  if (!isPacked && start.toString('latin1', 257, 262) !== 'ustar') throw new UnreadableSource('it is neither a folder nor a .tar.gz file')
  const { bavail, bsize } = await statfs(folder)
  const meter = createMeter({ ...limits, mostBytes: Math.min(limits.mostBytes, Math.max(0, bavail * bsize - RESERVE_BYTES)) })
  await mkdir(join(folder, 'media'), { mode: 0o700 })
  const source = createReadStream(file, { highWaterMark: MB })
  const unpacked = meter.unpacked()
  const fed = isPacked
    ? pipeline(source, meter.packed(), createGunzip({ chunkSize: MB }), unpacked)
    : pipeline(source, meter.packed(), unpacked)
  fed.catch(() => {})
  try {
    await unpackTar(unpacked, folder, limits.mostEntries)
    await fed
  } catch (error) {
    source.destroy()
    await fed.catch(() => {})
    if (error instanceof UnreadableSource) throw error
    throw new UnreadableSource(`${basename(file)} is damaged: ${(error as Error).message}`)
  }
}
