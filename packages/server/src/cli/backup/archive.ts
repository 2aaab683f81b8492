import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { CommandError } from '../terminal.ts'
import { type Entry, readTar, TAR_END, tarHeader, tarPadding } from './tar.ts'

/**
 * A backup is a tar archive compressed with zstd, which ends in a frame that decompressors skip: a mark and the SHA-256 of all bytes
 * before the sum itself. So `tar --zstd -tf FILE` lists it, and one changed bit anywhere is found before anything is read from it.
 */
const SKIPPED_FRAME = 0x184d2a5e
const MARK = 'LYCEUM-BACKUP-1\n'
const SUM = 32
const FOOTER = 8 + MARK.length + SUM

const footerStart = (): Buffer => {
  const start = Buffer.alloc(8 + MARK.length)
  start.writeUInt32LE(SKIPPED_FRAME, 0)
  start.writeUInt32LE(MARK.length + SUM, 4)
  start.write(MARK, 8)
  return start
}

export interface ArchiveWriter {
  /** Adds a file; the body must be exactly `size` bytes long. */
  add(name: string, size: number, body: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** A process that is told to end meanwhile takes its draft with it: it holds the secret, and nobody would miss it. */
const takingAlong = async <T>(draft: string, work: () => Promise<T>): Promise<T> => {
  const end = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true })
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/**
 * Makes a backup file that only its owner reads. It appears under its name when it is complete and on disk; whatever stood there under
 * that name is replaced only then. Gives its size in bytes.
 */
export const writeArchive = async (file: string, seconds: number, fill: (archive: ArchiveWriter) => Promise<void>): Promise<number> => {
  await refuseForeign(file)
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`
  return takingAlong(draft, () => writeDraft(draft, file, seconds, fill))
}

const writeDraft = async (draft: string, file: string, seconds: number, fill: (archive: ArchiveWriter) => Promise<void>) => {
  const handle = await open(draft, 'wx', 0o600)
  try {
    const sum = createHash('sha256')
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } })
    const store = async () => {
      for await (const chunk of compress as AsyncIterable<Buffer>) {
        sum.update(chunk)
        await handle.appendFile(chunk)
      }
    }
    const stored = store()
    // Its failure is told by the write that waits for it, or at the end.
    stored.catch(() => {})
    const put = async (chunk: Buffer) => {
      if (!compress.write(chunk)) await Promise.race([once(compress, 'drain'), stored])
    }
    await fill({
      add: async (name, size, body) => {
        await put(tarHeader(name, size, seconds))
        let written = 0
        for await (const chunk of body) {
          written += chunk.length
          await put(chunk)
        }
        if (written !== size) throw new CommandError(`${name} changed while it was read`)
        await put(tarPadding(size))
      },
    })
    compress.end(TAR_END)
    await stored
    const start = footerStart()
    await handle.appendFile(Buffer.concat([start, sum.update(start).digest()]))
    await handle.sync()
    const { size } = await handle.stat()
    await handle.close()
    await rename(draft, file)
    return size
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

const damaged = (file: string) => new CommandError(`${file} is not a complete backup of Lyceum: it is damaged, or something else`)

const READ_BYTES = 1 << 18

/** The bytes of a file from its start up to `end`. */
async function* bytesOf(handle: FileHandle, end: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < end; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, Math.min(READ_BYTES, end - at), at)
    if (bytesRead === 0) throw new Error('the file became shorter while it was read')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Length of what stands before the footer, or null where there is none. */
const contentLength = async (handle: FileHandle): Promise<number | null> => {
  const { size } = await handle.stat()
  if (size < FOOTER) return null
  const start = footerStart()
  const { buffer } = await handle.read(Buffer.alloc(start.length), 0, start.length, size - FOOTER)
  return buffer.equals(start) ? size - FOOTER : null
}

/** A mistyped name must not cost the file that bears it. */
const refuseForeign = async (file: string): Promise<void> => {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const length = await contentLength(handle).catch(() => null)
  await handle.close()
  if (length === null) throw new CommandError(`${file} exists and is not a backup; choose another name`)
}

/** @throws CommandError for a file that is cut off, changed in any bit, or no backup at all */
export const verifyArchive = async (file: string): Promise<void> => {
  const handle = await open(file, 'r')
  try {
    const length = await contentLength(handle)
    if (length === null) throw damaged(file)
    const sum = createHash('sha256')
    for await (const chunk of bytesOf(handle, length + 8 + MARK.length)) sum.update(chunk)
    const { buffer } = await handle.read(Buffer.alloc(SUM), 0, SUM, length + 8 + MARK.length)
    if (!sum.digest().equals(buffer)) throw damaged(file)
  } finally {
    await handle.close()
  }
}

/** The files of a backup that was verified. */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const handle = await open(file, 'r')
  const { size } = await handle.stat()
  const plain = createZstdDecompress()
  const fed = pipeline(bytesOf(handle, size - FOOTER), plain)
  fed.catch(() => {})
  try {
    yield* readTar(plain)
  } finally {
    plain.destroy()
    await fed.catch(() => {})
    await handle.close()
  }
}
