import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import { hasFooter, type Write } from './archive.ts'
import { isEncrypted } from './encryption.ts'
import { nullIfMissing } from './manifest.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Removes the unfinished file when the process is terminated: it contains the secret. */
const takingAlong = async <T>(draft: string, work: () => Promise<T>): Promise<T> => {
  const end = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true })
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes unfinished files of this backup whose process was killed: they contain the secret. */
const removeDrafts = async (file: string): Promise<void> => {
  for (const name of await readdir(dirname(file))) {
    const pid = name.startsWith(`${basename(file)}.`) ? /\.(\d+)-[0-9a-f]{8}\.part$/.exec(name)?.[1] : undefined
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(file), name), { force: true })
  }
}

/** A mistyped name must not overwrite a file that is not a backup. */
const refuseForeign = async (file: string): Promise<void> => {
  const handle = await open(file, 'r').catch(nullIfMissing)
  if (!handle) return
  const isBackup = await isEncrypted(handle)
    .then((encrypted) => encrypted || hasFooter(handle))
    .catch(() => false)
  await handle.close()
  if (!isBackup) throw new CommandError(`${file} exists and is not a backup; choose another name`)
}

/**
 * Creates a backup file that only its owner can read. Once it is complete and synced to disk, it gets its final name, replacing an existing
 * file. Returns its size in bytes.
 */
export const writeBackupFile = async (file: string, fill: (write: Write) => Promise<unknown>): Promise<number> => {
  await refuseForeign(file)
  await removeDrafts(file)
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.part`
  return takingAlong(draft, async () => {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await fill((chunk) => handle.appendFile(chunk))
      await handle.sync()
      const { size } = await handle.stat()
      await handle.close()
      await rename(draft, file)
      return size
    } catch (error) {
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
      throw error
    }
  })
}
