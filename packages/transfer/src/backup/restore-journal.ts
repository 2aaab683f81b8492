import { existsSync } from 'node:fs'
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInterrupted, journalOf } from '../../../server/src/cli/interrupted-restore.ts'

/** The staging folder of a restore. */
export const STAGING = '.restore'
/** Older versions named their staging folder after the process. */
const STALE = /^\.restore(-\d+)?$/

interface Journal {
  /** The data directory had the same secret before. */
  readonly hadSecret: boolean
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const beginMoving = async (dataDir: string, journal: Journal): Promise<void> => {
  await writeFile(journalOf(dataDir), JSON.stringify(journal), { mode: 0o600, flush: true })
  await syncFolder(dataDir)
}

export const endMoving = async (dataDir: string): Promise<void> => {
  await rm(journalOf(dataDir), { force: true })
  await rm(join(dataDir, STAGING), { recursive: true, force: true })
}

/** Cleans up after an interrupted restore. Keeps its files if the rows were committed. The caller holds the data lock. */
export const recoverRestore = async (dataDir: string, committed: boolean): Promise<void> => {
  if (!existsSync(dataDir)) return
  if (isInterrupted(dataDir) && !committed) {
    const { hadSecret } = JSON.parse((await readFile(journalOf(dataDir), 'utf8')) || '{"hadSecret":false}') as Journal
    await rm(join(dataDir, 'media'), { recursive: true, force: true })
    if (!hadSecret) await rm(join(dataDir, 'secret'), { force: true })
  }
  for (const name of await readdir(dataDir)) if (STALE.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
  await endMoving(dataDir)
}
