import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TarEntry } from '@lyceum/importers/tar'
import { containsCommunity } from '../../../server/src/cli/interrupted-restore.ts'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import {
  appliedMigrations,
  type Database,
  type Db,
  insertRows,
  listTables,
  type Table,
  type Value,
  writeSequences,
} from '../../../server/src/db/index.ts'
import { loadSecret } from '../../../server/src/secrets/server-secret.ts'
import type { Storage } from '../../../server/src/storage/index.ts'
import { readArchive } from './archive.ts'
import { importRows } from './import-rows.ts'
import { MANIFEST, type Manifest, MEDIA, nullIfMissing, ROWS, readManifest, SECRET } from './manifest.ts'
import { placeMedia } from './place-media.ts'
import { beginMoving, endMoving, recoverRestore, STAGING } from './restore-journal.ts'

export interface LoadOptions {
  readonly database: Database
  readonly dataDir: string
  /** LYCEUM_SECRET; empty if the secret is stored in the data directory. */
  readonly envSecret: string
  readonly file: string
  readonly now: string
  /** The configured storage of media. */
  readonly storage?: Storage
  /** For a test restore: collects the paths of media instead of storing them. */
  readonly mediaPaths?: Set<string>
  /** Called repeatedly. @throws to abort the restore */
  readonly check?: () => Promise<void>
  /** Receives the duration of the migration to this version in milliseconds. */
  readonly onMigrated?: (milliseconds: number) => void
}

const occupied = (what: string) =>
  new CommandError(`${what}; restore the backup to an empty place: set a new LYCEUM_DATA_DIR (and an empty database)`)

/** Returns whether the data directory already has the secret of the backup. @throws CommandError if the target is not empty */
const requireEmpty = async ({ database, dataDir, envSecret }: LoadOptions, manifest: Manifest, secret: string) => {
  if (envSecret && !loadSecret(dataDir, envSecret).equals(Buffer.from(secret.trim(), 'hex'))) {
    throw new CommandError('LYCEUM_SECRET is not the secret of this backup; unset it, and the secret of the backup is used')
  }
  if (await containsCommunity(database)) throw occupied('the database contains a community')
  const applied = await appliedMigrations(database.read)
  const tooNew = applied.filter((name) => !manifest.migrations.includes(name))
  if (tooNew.length > 0) throw occupied('the database has tables of a newer Lyceum than the backup')
  const files = await readdir(join(dataDir, 'media')).catch(nullIfMissing)
  if (files?.some((name) => !name.startsWith('.'))) throw occupied(`${join(dataDir, 'media')} holds files`)
  const present = await readFile(join(dataDir, 'secret'), 'utf8').catch(nullIfMissing)
  if (present !== null && present.trim() !== secret.trim()) throw occupied(`${dataDir} contains the secret of another community`)
  return { hadSecret: present !== null }
}

/** Reads the first two files: manifest and secret. */
const readHead = async (file: string): Promise<{ manifest: Manifest; secret: string }> => {
  let manifest: Manifest | null = null
  for await (const { name, body } of readArchive(file)) {
    if (name === MANIFEST) manifest = readManifest(await text(body))
    else if (name === SECRET && manifest) return { manifest, secret: await text(body) }
    else break
  }
  throw new CommandError(`${file} contains no community`)
}

const writeWhole = async (path: string, body: AsyncIterable<Buffer>) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, body, { flag: 'wx', mode: 0o600, flush: true })
}

/** Path segments of media files: no hidden names, parent folders or other separators. */
const SEGMENT = /^[^./\\\0][^/\\\0]*$/
const isMedia = (name: string) => name.startsWith(MEDIA) && name.split('/').every((segment) => SEGMENT.test(segment))

/** Unpacks media and secret to a staging folder; they are moved to their final paths once the rows are inserted. */
const stage = async ({ file, mediaPaths, check }: LoadOptions, staging: string): Promise<number> => {
  let media = 0
  for await (const { name, body } of readArchive(file)) {
    await check?.()
    if (name === MANIFEST || name.startsWith(ROWS)) continue
    if (name !== SECRET && !isMedia(name)) throw new CommandError(`${file} contains an unexpected file: ${name}`)
    if (name !== SECRET) media += 1
    if (name !== SECRET && mediaPaths) mediaPaths.add(name.slice(MEDIA.length))
    else await writeWhole(join(staging, name), body)
  }
  return media
}

const moveStaged = async (staging: string, dataDir: string): Promise<void> => {
  await rm(join(dataDir, 'media'), { recursive: true, force: true })
  await rename(join(staging, 'media'), join(dataDir, 'media')).catch(nullIfMissing)
  await rename(join(staging, SECRET), join(dataDir, SECRET))
}

const rowsOf = async ({ body }: TarEntry): Promise<Value[][]> =>
  (await text(body))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Value[])

/** Names of tables and columns become part of SQL, so they must be exactly those of the schema version of the backup. */
const checkTables = (file: string, tables: ReadonlyMap<string, Manifest['tables'][number]>, known: readonly Table[]): void => {
  const names = new Set(known.map(({ name }) => name))
  for (const name of tables.keys()) if (!names.has(name)) throw new CommandError(`${file} contains an unknown table: ${name}`)
  for (const { name, columns } of known) {
    const table = tables.get(name)
    if (!table) throw new CommandError(`${file} is incomplete: it lacks the table ${name}`)
    const expected = new Set(columns)
    if (table.columns.length !== expected.size || !table.columns.every((column) => expected.has(column)))
      throw new CommandError(`${file} has unexpected columns in the table ${name}`)
  }
}

const loadRows = async (db: Db, { file, check }: LoadOptions, manifest: Manifest): Promise<number> => {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  checkTables(file, tables, await listTables(db))
  const loaded = new Map<string, number>()
  for await (const entry of readArchive(file)) {
    await check?.()
    if (!entry.name.startsWith(ROWS)) continue
    const table = tables.get(entry.name.slice(ROWS.length).split('/')[0] ?? '')
    if (!table) throw new CommandError(`${file} contains rows of an unknown table: ${entry.name}`)
    const rows = await rowsOf(entry)
    await insertRows(db, table.name, table.columns, rows)
    loaded.set(table.name, (loaded.get(table.name) ?? 0) + rows.length)
  }
  let total = 0
  for (const { name, rows } of manifest.tables) {
    const found = loaded.get(name) ?? 0
    if (found !== rows) throw new CommandError(`${file} has ${found} rows of ${name}, expected ${rows}`)
    total += rows
  }
  await writeSequences(db, manifest.sequences)
  return total
}

/** Restores a verified backup to an empty data directory and database, all or nothing. */
export const loadBackup = async (options: LoadOptions) => {
  const { database, dataDir, file, now } = options
  const { manifest, secret } = await readHead(file)
  await recoverRestore(dataDir, await containsCommunity(database))
  const journal = await requireEmpty(options, manifest, secret)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const staging = join(dataDir, STAGING)
  try {
    const media = await stage(options, staging)
    const rows = await database.write(async (db) => {
      const count = await importRows(db, now, manifest.migrations, () => loadRows(db, options, manifest), options.onMigrated)
      await placeMedia(db, manifest, staging, options)
      // The last step before the commit, because rows without their secret would be unusable.
      await beginMoving(dataDir, journal)
      await moveStaged(staging, dataDir)
      return count
    })
    await endMoving(dataDir)
    return { rows, media, created_at: manifest.created_at, tables: manifest.tables }
  } catch (error) {
    // If the database is unavailable, the next command processes the journal.
    const committed = await containsCommunity(database).catch(() => null)
    if (committed !== null) await recoverRestore(dataDir, committed)
    throw error
  }
}
