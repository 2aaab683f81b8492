import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { readTar, TAR_END, type TarEntry, tarHeader, tarPadding } from '@lyceum/importers/tar'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import { nullIfMissing } from './manifest.ts'

/**
 * A backup is a tar archive compressed with zstd. It ends in a skippable frame, which decompressors ignore: a mark and the SHA-256 of all
 * preceding bytes. So `tar --zstd -tf FILE` lists it, and a single changed bit is detected before any content is read.
 */
const SKIPPED_FRAME = 0x184d2a5e
const SUM = 32
/** Footers without and with an HMAC of the checksum. The HMAC key is not part of the backup. */
const FOOTERS = { plain: { mark: 'LYCEUM-BACKUP-1\n', bytes: SUM }, signed: { mark: 'LYCEUM-BACKUP-2\n', bytes: 2 * SUM } } as const
type FooterKind = keyof typeof FOOTERS

const footerStart = (kind: FooterKind): Buffer => {
  const { mark, bytes } = FOOTERS[kind]
  const start = Buffer.alloc(8 + mark.length)
  start.writeUInt32LE(SKIPPED_FRAME, 0)
  start.writeUInt32LE(mark.length + bytes, 4)
  start.write(mark, 8)
  return start
}

const signatureOf = (key: string, sum: Buffer): Buffer => createHmac('sha256', key).update(sum).digest()

export interface ArchiveWriter {
  /** Adds a file; the body must be exactly `size` bytes long. */
  add(name: string, size: number, body: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
}

/** Writes the next bytes of a backup. */
export type Write = (chunk: Buffer) => Promise<unknown>

interface EncodeOptions {
  /** Modification time of the files in the archive. */
  readonly seconds: number
  /** Key of the signature; empty for an unsigned backup. */
  readonly key?: string
}

/** Writes an archive as a stream, with its checksum at the end. */
export const encodeArchive = async (
  write: Write,
  { seconds, key = '' }: EncodeOptions,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> => {
  const sum = createHash('sha256')
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } })
  const store = async () => {
    for await (const chunk of compress as AsyncIterable<Buffer>) {
      sum.update(chunk)
      await write(chunk)
    }
  }
  const stored = store()
  // The next write, or the end, reports its failure.
  stored.catch(() => {})
  const put = async (chunk: Buffer) => {
    if (!compress.write(chunk)) await Promise.race([once(compress, 'drain'), stored])
  }
  try {
    await fill({
      add: async (name, size, body) => {
        await put(tarHeader(name, size, seconds))
        let written = 0
        for await (const chunk of body) {
          written += chunk.length
          await put(chunk)
        }
        if (written !== size) throw new CommandError(`${name} changed while it was being read`)
        await put(tarPadding(size))
      },
    })
    compress.end(TAR_END)
    await stored
  } finally {
    compress.destroy()
  }
  const start = footerStart(key ? 'signed' : 'plain')
  const digest = sum.update(start).digest()
  await write(Buffer.concat([start, digest, ...(key ? [signatureOf(key, digest)] : [])]))
}

const damaged = (file: string) => new CommandError(`${file} is not a complete backup of Lyceum: it is damaged, or not a backup`)

const READ_BYTES = 1 << 18

/** The bytes of a file from its start up to `end`. */
async function* bytesOf(handle: FileHandle, end: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < end; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, Math.min(READ_BYTES, end - at), at)
    if (bytesRead === 0) throw new Error('the file was truncated while it was being read')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

interface Footer {
  readonly kind: FooterKind
  /** Number of bytes before the footer. */
  readonly at: number
  /** Offset of the checksum. */
  readonly sumAt: number
}

/** Null if the file has no footer. */
const findFooter = async (handle: FileHandle): Promise<Footer | null> => {
  const { size } = await handle.stat()
  for (const kind of ['signed', 'plain'] as const) {
    const start = footerStart(kind)
    const at = size - start.length - FOOTERS[kind].bytes
    if (at < 0) continue
    const { buffer } = await handle.read(Buffer.alloc(start.length), 0, start.length, at)
    if (buffer.equals(start)) return { kind, at, sumAt: at + start.length }
  }
  return null
}

/** Whether a file has the footer of a complete, unencrypted backup. */
export const hasFooter = async (handle: FileHandle): Promise<boolean> => (await findFooter(handle)) !== null

/** Whether a backup is signed: `unchecked` if it is signed but no key is configured. */
export type Authenticity = 'signed' | 'unsigned' | 'unchecked'

/** @throws CommandError if the file does not exist */
export const openBackup = async (file: string): Promise<FileHandle> => {
  const found = await stat(file).catch(nullIfMissing)
  if (!found) throw new CommandError(`there is no file ${file}`)
  if (!found.isFile()) throw new CommandError(`${file} is a directory; use the path of a backup file`)
  return open(file, 'r')
}

/** @throws CommandError for a file that is truncated, modified, signed with another key, or not a backup */
export const verifyArchive = async (file: string, key = ''): Promise<Authenticity> => {
  const handle = await openBackup(file)
  try {
    const footer = await findFooter(handle)
    if (footer === null) throw damaged(file)
    const sum = createHash('sha256')
    for await (const chunk of bytesOf(handle, footer.sumAt)) sum.update(chunk)
    const { buffer } = await handle.read(Buffer.alloc(2 * SUM), 0, FOOTERS[footer.kind].bytes, footer.sumAt)
    const digest = sum.digest()
    if (!digest.equals(buffer.subarray(0, SUM))) throw damaged(file)
    if (footer.kind === 'plain') return 'unsigned'
    if (!key) return 'unchecked'
    if (!timingSafeEqual(signatureOf(key, digest), buffer.subarray(SUM)))
      throw new CommandError(`${file} was not signed with this LYCEUM_BACKUP_KEY: it was made with another key, or modified since`)
    return 'signed'
  } finally {
    await handle.close()
  }
}

/** The files of a verified backup. */
export async function* readArchive(file: string): AsyncGenerator<TarEntry> {
  const handle = await open(file, 'r')
  const plain = createZstdDecompress()
  const fed = pipeline(bytesOf(handle, (await findFooter(handle))?.at ?? 0), plain)
  fed.catch(() => {})
  try {
    yield* readTar(plain)
  } finally {
    plain.destroy()
    await fed.catch(() => {})
    await handle.close()
  }
}
