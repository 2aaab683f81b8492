import { Readable } from 'node:stream'
import { runChecks } from '../../../server/src/cli/doctor/run-checks.ts'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import { nowOf, systemClock } from '../../../server/src/core/clock.ts'
import { countRows, type Database, openDatabase } from '../../../server/src/db/index.ts'
import { freeBytes, type ObjectStorage, type Storage } from '../../../server/src/storage/index.ts'
import { verifyArchive } from './archive.ts'
import { loadBackup } from './load.ts'

/** Number of posts, and of comments, to render again. */
const SAMPLE = 2000

/** A storage that only knows which files exist. */
const storageOf = (paths: ReadonlySet<string>): Storage => {
  const store: ObjectStorage = {
    kind: 'disk',
    put: async () => {},
    putAll: async () => {},
    get: async (path) => (paths.has(path) ? Readable.from([]) : null),
    remove: async () => {},
    has: async (path) => paths.has(path),
    list: async function* (shard) {
      for (const path of paths) if (path.startsWith(`${shard}/`)) yield { path, size: 0, modifiedAt: Number.POSITIVE_INFINITY }
    },
  }
  return { current: store, of: (kind) => ({ ...store, kind }), close: async () => {} }
}

export interface ProofOptions {
  /** A verified or unverified backup that is not encrypted. */
  readonly file: string
  /** An empty folder. */
  readonly folder: string
  readonly key?: string
  /** Free space in bytes that must remain on the disk of the folder. */
  readonly minFreeBytes: number
}

interface Proof {
  readonly rows: number
  readonly media: number
  readonly createdAt: string
  /** Milliseconds of the migration to this version. */
  readonly migrationMs: number
}

const compareCounts = async ({ read }: Database, tables: readonly { readonly name: string; readonly rows: number }[]): Promise<void> => {
  for (const { name, rows } of tables) {
    const found = await countRows(read, () => name)
    if (found !== rows) throw new CommandError(`${name} has ${found} rows after the restore, expected ${rows}`)
  }
}

/**
 * Restores a backup of any database into a temporary SQLite file, compares the row counts, and checks the data like
 * `lyceum doctor`. Media are read, but not stored.
 * @throws CommandError if a check fails
 */
export const proveBackup = async ({ file, folder, key, minFreeBytes }: ProofOptions, isMigrated = false): Promise<Proof> => {
  const check = async () => {
    if (((await freeBytes(folder)) ?? minFreeBytes) < minFreeBytes)
      throw new CommandError('the disk has not enough free space for a test restore')
  }
  await verifyArchive(file, key)
  const database = openDatabase({ url: '', dataDir: folder, poolSize: 2 })
  const mediaPaths = new Set<string>()
  let migrationMs = 0
  try {
    const { rows, media, created_at, tables } = await loadBackup({
      ...{ database, dataDir: folder, envSecret: '', file, now: nowOf(systemClock), mediaPaths, check },
      onMigrated: (milliseconds) => {
        migrationMs = milliseconds
      },
    })
    // A migration may add and remove rows, and rename tables.
    if (!isMigrated) await compareCounts(database, tables)
    const { violations } = await runChecks(database, { now: created_at, sample: SAMPLE, storage: storageOf(mediaPaths) })
    const [first] = violations
    if (first)
      throw new CommandError(
        `it was restored, but lyceum doctor found: ${violations.map(({ check: name }) => name).join(', ')}. Expected: ${first.about}`,
      )
    return { rows, media, createdAt: created_at, migrationMs }
  } finally {
    await database.close()
  }
}
