import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'

/** Thrown for a place where no archive can be written; the message is for the person who named it. */
export class UnusablePlace extends Error {
  override name = 'UnusablePlace'
}

/** An archive that is being written. */
export interface Target {
  /** A private folder for temporary files, on the file system of the archive. */
  readonly folder: string
  /** Adds a file of `folder` to the archive and removes it from the folder. */
  readonly add: (path: string, file: string, bytes: number) => Promise<void>
  /** Moves the complete archive to its place. */
  readonly finish: () => Promise<void>
  readonly abandon: () => Promise<void>
}

const PACKED = /\.(?:tar\.gz|tgz)$/i
const OTHER_FILE = /\.(?:zip|tar|gz|bz2|xz|7z|zst|tzst|jsonl?|sql|csv)$/i
/** A constant, so that equal content gives equal bytes. */
const MTIME = new Date('2000-01-01T00:00:00Z')

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
  const { readable, controller } = createTarPacker()
  const written = pipeline(
    Readable.fromWeb(readable as never),
    createGzip(),
    createWriteStream(packed, { flags: 'wx', mode: 0o600, flush: true }),
  )
  written.catch(() => {})
  return {
    folder: draft,
    add: async (name, file, size) => {
      const body = controller.add({ name, size, mode: 0o600, mtime: MTIME, type: 'file' })
      try {
        await (Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>).pipeTo(body)
      } catch (error) {
        // The cause is the file that could not be written.
        await written
        throw error
      }
      await rm(file)
    },
    finish: async () => {
      controller.finalize()
      await written
      await rename(packed, place)
      await rm(draft, { recursive: true })
    },
    abandon: async () => {
      controller.error(new Error('the archive was abandoned'))
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

/** @throws UnusablePlace for a place that is taken or that names another kind of file */
export const checkPlace = async (place: string): Promise<void> => {
  if (!PACKED.test(place) && OTHER_FILE.test(place))
    throw new UnusablePlace(`${place} is no archive: name a new folder, or a file that ends with .tar.gz`)
  if (!(await isFree(place))) throw new UnusablePlace(`${place} exists; choose another name`)
}

/**
 * Starts an archive: a folder, or one file if the name ends with `.tar.gz` or `.tgz`. It is written under another name and appears when it is
 * complete. Only its owner can read it.
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
      throw new UnusablePlace(`${draft} exists: another export is writing it, or was interrupted; in that case, delete it`)
    throw error
  }
  return PACKED.test(place) ? intoTar(draft, place) : intoFolder(draft, place)
}
