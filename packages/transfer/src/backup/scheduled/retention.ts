import type { BackupKind } from '../place/names.ts'
import { parseBackupName } from '../place/names.ts'
import type { Place, StoredBackup } from '../place/place.ts'

/** The backups of a community of one kind, newest first. */
export const backupsOf = async (place: Place, mark: string, kind?: BackupKind): Promise<StoredBackup[]> => {
  const own = (await place.list()).flatMap((backup) => {
    const parsed = parseBackupName(backup.name)
    return parsed?.mark === mark && (kind === undefined || parsed.kind === kind) ? [{ ...backup, createdAt: parsed.createdAt }] : []
  })
  return own.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).map(({ name, size }) => ({ name, size }))
}

/** Deletes all but the newest backups of a kind. Always keeps the newest verified one. Other communities' files are not touched. */
export const prune = async (
  place: Place,
  { mark, kind, keep, proven }: { mark: string; kind: BackupKind; keep: number; proven: string | null },
): Promise<void> => {
  for (const { name } of (await backupsOf(place, mark, kind)).slice(keep)) if (name !== proven) await place.remove(name)
}
