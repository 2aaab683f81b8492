import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { UnreadableSource } from '../../source.ts'
import { readTar } from '../../tar/index.ts'
import { DUMP_LIMITS, readDumpFile } from '../open-file.ts'
import { createFileIndex } from './file-index.ts'
import type { Uploads } from './model.ts'

interface Place {
  readonly start: number
  readonly size: number
}

/** Opens a `.tar` or `.tar.gz`, copying its files to one temporary file. Links, devices and unsafe paths are skipped. */
export const uploadsInTar = async (file: string, directory?: string): Promise<Uploads> => {
  const index = createFileIndex(directory)
  const data = join(index.folder, 'data')
  const target = createWriteStream(data, { highWaterMark: 1024 * 1024 })
  try {
    let written = 0
    for await (const { name, type, body } of readTar(readDumpFile(file, DUMP_LIMITS))) {
      if (type !== 'file') continue
      const start = written
      for await (const chunk of body) {
        written += chunk.length
        if (!target.write(chunk)) await once(target, 'drain')
      }
      index.add(name, { start, size: written - start } satisfies Place)
    }
    target.end()
    await finished(target)
  } catch (error) {
    target.destroy()
    index.close()
    throw error instanceof UnreadableSource ? error : new UnreadableSource(`${file} cannot be read: ${(error as Error).message}`)
  }
  return {
    open: async (path) => {
      const place = index.find<Place>(path)
      if (!place) return null
      return place.size === 0 ? Readable.from([]) : createReadStream(data, { start: place.start, end: place.start + place.size - 1 })
    },
    list: index.list,
    close: async () => index.close(),
  }
}
