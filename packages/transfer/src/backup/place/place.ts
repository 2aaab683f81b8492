import type { Write } from '../archive.ts'

export interface StoredBackup {
  readonly name: string
  readonly size: number
}

/** Where backups are stored. */
export interface Place {
  /** Lists complete backups; ignores other files. */
  list(): Promise<StoredBackup[]>
  /** Stores a backup under its name once it is complete. Returns its size in bytes. */
  write(name: string, fill: (write: Write) => Promise<unknown>): Promise<number>
  /** Runs work on a local file of a backup. If a copy is needed, it is created in `folder`. */
  read<T>(name: string, folder: string, work: (file: string) => Promise<T>): Promise<T>
  remove(name: string): Promise<void>
  close(): Promise<void>
}
