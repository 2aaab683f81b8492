import { isUtf8 } from 'node:buffer'
import { Entry, openPromise } from 'yauzl'
import { UnreadableSource } from '../../source.ts'
import { createFileIndex } from './file-index.ts'
import type { Uploads } from './model.ts'

const TYPE = 0o170000
const LINK = 0o120000
/** Pictures and documents are already compressed; a higher ratio indicates a decompression bomb. */
const MOST_RATIO = 400
const SMALL = 1024 * 1024

const NEEDED = ['relativeOffsetOfLocalHeader', 'compressedSize', 'uncompressedSize', 'compressionMethod', 'generalPurposeBitFlag', 'crc32']

/** Opens a `.zip` and reads its files in place. Links, encrypted files and unsafe paths are skipped. */
export const uploadsInZip = async (file: string, directory?: string): Promise<Uploads> => {
  const index = createFileIndex(directory)
  try {
    const zip = await openPromise(file, { autoClose: false, decodeStrings: false, validateEntrySizes: true })
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw ?? (entry.fileName as unknown as Buffer)
      const path = isUtf8(name) ? name.toString('utf8') : name.toString('latin1')
      if (path.endsWith('/') || ((entry.externalFileAttributes >>> 16) & TYPE) === LINK || entry.isEncrypted()) continue
      if (entry.uncompressedSize > SMALL && entry.uncompressedSize > entry.compressedSize * MOST_RATIO) continue
      index.add(path, Object.fromEntries(NEEDED.map((key) => [key, entry[key as keyof Entry]])))
    }
    return {
      open: async (path) => {
        const place = index.find<Partial<Entry>>(path)
        return place ? zip.openReadStreamPromise(Object.assign(Object.create(Entry.prototype), place) as Entry) : null
      },
      list: index.list,
      close: async () => {
        zip.close()
        index.close()
      },
    }
  } catch (error) {
    index.close()
    throw new UnreadableSource(`${file} cannot be read: ${(error as Error).message}`)
  }
}
