import { crc32 } from 'node:zlib'
import { openPromise } from 'yauzl'
import { CommandError } from '../terminal.ts'
import { type Found, isLeftover, MOST_BYTES, MOST_FILES } from './safe-path.ts'

const TYPE = 0o170000
const LINK = 0o120000

/** The plain files of a zip archive. The library refuses paths that lead out of it, and entries that are larger than they say. */
export async function* zipFiles(file: string): AsyncGenerator<Found> {
  const zip = await openPromise(file, { strictFileNames: true, validateEntrySizes: true })
  if (zip.entryCount > 2 * MOST_FILES) throw new CommandError(`it has more than ${MOST_FILES} files`)
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName
    if (path.endsWith('/') || isLeftover(path)) continue
    if (((entry.externalFileAttributes >>> 16) & TYPE) === LINK) throw new CommandError(`${path} is refused: it is a link`)
    if (entry.isEncrypted()) throw new CommandError(`${path} is encrypted`)
    bytes += entry.uncompressedSize
    if (bytes > MOST_BYTES) throw new CommandError(`it unpacks to more than ${MOST_BYTES >> 20} MB`)
    const content = Buffer.concat(await Array.fromAsync((await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>))
    if (crc32(content) !== entry.crc32) throw new CommandError(`${path} is damaged`)
    yield { path, content }
  }
}
