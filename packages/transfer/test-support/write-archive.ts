import { type ArchiveWriter, encodeArchive } from '../src/backup/archive.ts'
import { writeBackupFile } from '../src/backup/backup-file.ts'

/** A backup file with any content. */
export const writeArchive = (file: string, fill: (archive: ArchiveWriter) => Promise<void>) =>
  writeBackupFile(file, (write) => encodeArchive(write, { seconds: 0 }, fill))
