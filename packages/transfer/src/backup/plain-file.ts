import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackup } from './archive.ts'
import { decrypting, isEncrypted, type Keys } from './encryption.ts'
import { nullIfMissing } from './manifest.ts'

const SCRATCH = '.backup-'
/** Older folders belong to killed processes. No test restore or restore takes longer. */
const STALE_MS = 24 * 3_600_000

/** Removes folders of killed processes: they may contain the secret. */
const removeStale = async (directory: string): Promise<void> => {
  for (const name of (await readdir(directory).catch(nullIfMissing)) ?? []) {
    if (!name.startsWith(SCRATCH)) continue
    const found = await stat(join(directory, name)).catch(nullIfMissing)
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(join(directory, name), { recursive: true, force: true })
  }
}

/** Runs work with a temporary folder that only its owner can read. Creates the parent directory if needed. */
export const withScratch = async <T>(directory: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const created = await mkdir(directory, { recursive: true, mode: 0o700 })
  await removeStale(directory)
  const folder = await mkdtemp(join(directory, SCRATCH))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    // Fails if the directory is not empty.
    if (created) await rmdir(directory).catch(() => {})
  }
}

/** Runs work on a backup file. An encrypted one is temporarily decrypted to the directory. */
export const withPlainFile = async <T>(file: string, keys: Keys, directory: string, work: (plain: string) => Promise<T>): Promise<T> => {
  const handle = await openBackup(file)
  const encrypted = await isEncrypted(handle).finally(() => handle.close())
  if (!encrypted) return work(file)
  return withScratch(directory, async (folder) => {
    const plain = join(folder, 'plain')
    await writeFile(plain, decrypting(file, createReadStream(file), keys), { flag: 'wx', mode: 0o600 })
    return work(plain)
  })
}

/** Copies a stream to a file in a folder. */
export const copyTo = async (folder: string, name: string, content: AsyncIterable<Buffer>): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, content, { flag: 'wx', mode: 0o600 })
  return file
}
