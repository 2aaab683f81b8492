import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkPath, isFull, StorageUnavailable, type Store } from './store.ts'

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
export const createDiskStore = (root: string): Store => {
  const place = (path: string) => join(root, checkPath(path))

  return {
    kind: 'disk',
    put: async (path, file) => {
      const target = place(path)
      const directory = dirname(target)
      const unfinished = join(directory, `${randomUUID()}.tmp`)
      try {
        if (await mkdir(directory, { recursive: true, mode: 0o700 })) await syncDirectory(root)
        await copyFile(file, unfinished)
        await sync(unfinished)
        await rename(unfinished, target)
        await syncDirectory(directory)
      } catch (error) {
        await rm(unfinished, { force: true })
        failed(error)
      }
    },
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
