import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TAR_END, tarHeader, tarPadding } from '../tar/index.ts'

/** Thrown for a place where no archive can be written. The message is shown to the person who chose it. */
export class UnusablePlace extends Error {
  override name = 'UnusablePlace'
}

/** An archive that is being written. */
export interface Target {
  /** A private folder for temporary files, on the file system of the archive. */
  readonly folder: string
  /** Moves a file of `folder` into the archive. */
  readonly add: (path: string, file: string, bytes: number) => Promise<void>
  /** Moves the complete archive to its final path. */
  readonly finish: () => Promise<void>
  readonly abandon: () => Promise<void>
}

const PACKED = /\.(?:tar\.gz|tgz)$/i
const OTHER_FILE = /\.(?:zip|tar|gz|bz2|xz|7z|zst|tzst|jsonl?|sql|csv)$/i
/** Constant, so that equal content produces identical archives. */
const MTIME_S = Date.UTC(2000, 0, 1) / 1000

const intoFolder = (draft: string, place: string): Target => ({
  folder: draft,
  add: async (path, file) => {
    const target = join(draft, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(file, target)
  },
  finish: async () => {
    await rmdir(place).catch(() => {})
    await rename(draft, place)
  },
  abandon: () => rm(draft, { recursive: true, force: true }),
})

const intoTar = (draft: string, place: string): Target => {
  const packed = join(draft, 'archive')
  const tar = new PassThrough()
  const written = pipeline(tar, createGzip(), createWriteStream(packed, { flags: 'wx', mode: 0o600, flush: true }))
  written.catch(() => {})
  // If writing the file failed, report that error instead of the stream's.
  const put = async (chunk: Buffer) => {
    if (!tar.write(chunk)) await Promise.race([once(tar, 'drain'), written])
  }
  return {
    folder: draft,
    add: async (name, file, size) => {
      await put(tarHeader(name, size, MTIME_S))
      for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) await put(chunk)
      await put(tarPadding(size))
      await rm(file)
    },
    finish: async () => {
      tar.end(TAR_END)
      await written
      await rename(packed, place)
      await rm(draft, { recursive: true })
    },
    abandon: async () => {
      tar.destroy(new Error('writing the archive was aborted'))
      await written.catch(() => {})
      await rm(draft, { recursive: true, force: true })
    },
  }
}

const isFree = async (place: string): Promise<boolean> => {
  const stats = await lstat(place).catch(() => null)
  if (!stats) return true
  return !PACKED.test(place) && stats.isDirectory() && (await readdir(place)).length === 0
}

/** @throws UnusablePlace if the place exists or its name has an unsupported extension */
export const checkPlace = async (place: string): Promise<void> => {
  if (!PACKED.test(place) && OTHER_FILE.test(place))
    throw new UnusablePlace(`${place} is not a valid archive name: use a new folder, or a file that ends with .tar.gz`)
  if (!(await isFree(place))) throw new UnusablePlace(`${place} exists; choose another name`)
}

/**
 * Starts an archive: a file if the name ends with `.tar.gz` or `.tgz`, otherwise a folder. It is written under a temporary name and renamed
 * when it is complete. Only its owner can read it.
 * @throws UnusablePlace
 */
export const openTarget = async (place: string): Promise<Target> => {
  await checkPlace(place)
  const draft = `${place.replace(/[/\\]$/, '')}.part`
  try {
    await mkdir(draft, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UnusablePlace(`there is no folder ${dirname(place)}`)
    if (code === 'EEXIST')
      throw new UnusablePlace(`${draft} exists: another export is running, or was interrupted; if it was interrupted, delete it`)
    throw error
  }
  return PACKED.test(place) ? intoTar(draft, place) : intoFolder(draft, place)
}
