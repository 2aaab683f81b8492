import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { readTar } from '@lyceum/importers/tar'
import { openPromise } from 'yauzl'
import { CommandError } from '../../../server/src/cli/terminal.ts'

/** A file of a folder or an archive. */
export interface Found {
  readonly path: string
  readonly content: Buffer
}

/** Limits memory use: larger archives are rejected before they are unpacked. */
export const MOST_FILES = 5000
export const MOST_BYTES = 128 * 1024 * 1024
const DEEPEST = 8
const LONGEST = 500

/** Metadata that operating systems add to folders and archives. */
const LEFTOVER = /(?:^|\/)(?:__MACOSX|Thumbs\.db|desktop\.ini|\.(?!\.?(?:\/|$))[^/]*)(?:\/|$)/i

export const isLeftover = (path: string): boolean => LEFTOVER.test(path)

/** The reason to reject a path of an archive; null if it is safe. */
export const pathTrouble = (path: string): string | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them belongs into a name
  if (/[\u0000-\u001f\\]/.test(path)) return 'its name has invalid characters'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'its path is outside of the archive'
  const parts = path.split('/')
  if (parts.some((part) => part === '..' || part === '.' || part === '')) return 'its path is outside of the archive'
  if (parts.length > DEEPEST || path.length > LONGEST) return 'its path is too long'
  return null
}

const TYPE = 0o170000
const LINK = 0o120000

/** The regular files of a zip archive. The library rejects unsafe paths and entries larger than declared. */
export async function* zipFiles(file: string): AsyncGenerator<Found> {
  const zip = await openPromise(file, { strictFileNames: true, validateEntrySizes: true })
  if (zip.entryCount > 2 * MOST_FILES) throw new CommandError(`it has more than ${MOST_FILES} files`)
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName
    if (path.endsWith('/') || isLeftover(path)) continue
    if (((entry.externalFileAttributes >>> 16) & TYPE) === LINK) throw new CommandError(`${path} is not a regular file`)
    if (entry.isEncrypted()) throw new CommandError(`${path} is encrypted`)
    bytes += entry.uncompressedSize
    if (bytes > MOST_BYTES) throw new CommandError(`it unpacks to more than ${MOST_BYTES >> 20} MB`)
    const content = Buffer.concat(await Array.fromAsync((await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>))
    if (crc32(content) !== entry.crc32) throw new CommandError(`${path} is damaged`)
    yield { path, content }
  }
}

/** Includes headers and padding. */
const MOST_STREAM = 2 * MOST_BYTES

async function* limited(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > MOST_STREAM) throw new CommandError(`it unpacks to more than ${MOST_BYTES >> 20} MB`)
    yield chunk
  }
}

/** The regular files of a tar archive. Links and devices are rejected. */
export async function* tarFiles(stream: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  for await (const { name, size, type, body } of readTar(limited(stream))) {
    const path = name.replace(/^(?:\.\/)+/, '')
    if (size > MOST_BYTES) throw new CommandError(`${path} is too large`)
    if (type === 'directory' || path === '') continue
    if (type !== 'file') throw new CommandError(`${path} is not a regular file`)
    yield { path, content: await buffer(body) }
  }
}
