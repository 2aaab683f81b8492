import { CommandError } from '../../../server/src/cli/terminal.ts'
import { unknownMigrations } from '../../../server/src/db/index.ts'

export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const SECRET = 'secret'
export const MEDIA = 'media/'
export const ROWS = 'tables/'

/** Handles the error of a file operation: returns null if the file does not exist. */
export const nullIfMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Metadata of a backup, its first file. */
export interface Manifest {
  readonly format: number
  readonly created_at: string
  /** The migrations that had been applied. */
  readonly migrations: readonly string[]
  /** In an order that satisfies foreign keys. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: number }[]
  /** The last assigned id per table. */
  readonly sequences: Readonly<Record<string, number>>
  /** The backup includes media of an S3 store. */
  readonly has_bucket?: true
}

/** @throws CommandError if this version cannot restore the backup */
export const readManifest = (text: string): Manifest => {
  const manifest = JSON.parse(text) as Manifest
  const unknown = manifest.format === FORMAT ? unknownMigrations(manifest.migrations) : []
  if (manifest.format !== FORMAT || unknown.length > 0)
    throw new CommandError('the backup was made by a newer Lyceum; restore it with that version')
  return manifest
}
