import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBackupFile } from '../backup-file.ts'
import { nullIfMissing } from '../manifest.ts'
import { parseBackupName } from './names.ts'
import type { Place, StoredBackup } from './place.ts'

const DRAFT = /^(.+)\.\d+-[0-9a-f]{8}\.part$/
const STALE_MS = 24 * 3_600_000

/** Removes unfinished files of killed processes: they contain the secret. Only one scheduled backup runs at a time. */
const removeStaleDrafts = async (directory: string, name: string): Promise<void> => {
  const own = parseBackupName(name)
  for (const entry of await readdir(directory)) {
    const draft = parseBackupName(DRAFT.exec(entry)?.[1] ?? '')
    if (!draft || draft.mark !== own?.mark) continue
    const found = await stat(join(directory, entry)).catch(nullIfMissing)
    const isDead = own.kind === 'scheduled' && draft.kind === 'scheduled'
    if (isDead || (found && Date.now() - found.mtimeMs > STALE_MS)) await rm(join(directory, entry), { force: true })
  }
}

export const createDirectoryPlace = (directory: string): Place => ({
  list: async () => {
    const backups: StoredBackup[] = []
    for (const name of (await readdir(directory).catch(nullIfMissing)) ?? []) {
      const found = parseBackupName(name) && (await stat(join(directory, name)).catch(nullIfMissing))
      if (found?.isFile()) backups.push({ name, size: found.size })
    }
    return backups
  },
  write: async (name, fill) => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await removeStaleDrafts(directory, name)
    return writeBackupFile(join(directory, name), fill)
  },
  read: (name, _folder, work) => work(join(directory, name)),
  remove: (name) => rm(join(directory, name), { force: true }),
  close: async () => {},
})
