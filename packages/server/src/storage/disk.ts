import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { forEachAtOnce } from '../util/at-once.ts'
import { checkPath, isFull, type NewFile, type ObjectStorage, StorageUnavailable } from './object-storage.ts'

/** File systems write the journal once for syncs at the same time. */
const SYNCS_AT_ONCE = 16

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code ?? ''

const failed = (error: unknown): never => {
  throw new StorageUnavailable(error, isFull(error))
}

const isMissing = (error: unknown) => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'

const sync = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename is durable only once its directory is synced. Windows does not support syncing directories. */
const syncDirectory = async (path: string) => {
  if (process.platform !== 'win32') await sync(path)
}

/** Stores files in a local or shared directory. */
export const createDiskStorage = (root: string): ObjectStorage => {
  const place = (path: string) => join(root, checkPath(path))

  /**
   * Each step is done for all files before the next one: the first sync of a file or of a directory makes the file system write what it has of
   * the others, too.
   */
  const putAll = async (files: readonly NewFile[]) => {
    const copies = files.map(({ from, to }) => {
      const target = place(to)
      return { from, target, unfinished: join(dirname(target), `${randomUUID()}.tmp`) }
    })
    const directories = [...new Set(copies.map(({ target }) => dirname(target)))]
    try {
      const made = await Promise.all(directories.map((directory) => mkdir(directory, { recursive: true, mode: 0o700 })))
      if (made.some((directory) => directory !== undefined)) await syncDirectory(root)
      await forEachAtOnce(SYNCS_AT_ONCE, copies, ({ from, unfinished }) => copyFile(from, unfinished))
      await forEachAtOnce(SYNCS_AT_ONCE, copies, ({ unfinished }) => sync(unfinished))
      for (const { unfinished, target } of copies) await rename(unfinished, target)
      await forEachAtOnce(SYNCS_AT_ONCE, directories, syncDirectory)
    } catch (error) {
      await Promise.all(copies.map(({ unfinished }) => rm(unfinished, { force: true })))
      failed(error)
    }
  }

  return {
    kind: 'disk',
    put: (path, from, type) => putAll([{ from, to: path, type }]),
    putAll,
    get: async (path, range) => {
      try {
        const handle = await open(place(path), 'r')
        return handle.createReadStream({ ...(range && { start: range.start, end: range.end }) })
      } catch (error) {
        return isMissing(error) ? null : failed(error)
      }
    },
    remove: async (path) => {
      await rm(place(path), { force: true }).catch(failed)
    },
    has: (path) =>
      stat(place(path)).then(
        () => true,
        (error) => (isMissing(error) ? false : failed(error)),
      ),
    async *list(shard) {
      const names = await readdir(join(root, shard)).catch((error) => (isMissing(error) ? [] : failed(error)))
      for (const name of names) {
        const found = await stat(join(root, shard, name)).catch((error) => (isMissing(error) ? null : failed(error)))
        if (found?.isFile()) yield { path: `${shard}/${name}`, size: found.size, modifiedAt: found.mtimeMs / 1000 }
      }
    },
  }
}
