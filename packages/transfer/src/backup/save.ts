import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import {
  appliedMigrations,
  countRows,
  type Database,
  type Db,
  listTables,
  readRows,
  readSequences,
  type Table,
} from '../../../server/src/db/index.ts'
import { isStoredPath, type S3Storage } from '../../../server/src/storage/index.ts'
import { type ArchiveWriter, encodeArchive, type Write } from './archive.ts'
import { FORMAT, MANIFEST, type Manifest, MEDIA, nullIfMissing, ROWS, SECRET } from './manifest.ts'

/** Approximate size of a file of rows, which limits memory use. */
const PART_BYTES = 1 << 20

interface SaveOptions {
  readonly database: Database
  readonly dataDir: string
  readonly secret: Buffer
  /** Receives the bytes of the backup. */
  readonly write: Write
  readonly now: string
  /** Bucket of media, if any media is stored outside of the data directory. */
  readonly bucket?: S3Storage | null
  /** Key of the signature; empty for an unsigned backup. */
  readonly key?: string
}

const addFile = (archive: ArchiveWriter, name: string, content: Buffer) => archive.add(name, content.length, [content])

const saveTable = async (archive: ArchiveWriter, db: Db, table: Table): Promise<number> => {
  let part = 0
  let rows = 0
  let lines: string[] = []
  let length = 0
  const flush = async () => {
    if (lines.length === 0) return
    part += 1
    await addFile(archive, `${ROWS}${table.name}/${String(part).padStart(6, '0')}.jsonl`, Buffer.from(`${lines.join('\n')}\n`))
    lines = []
    length = 0
  }
  for await (const page of readRows(db, table)) {
    for (const row of page) {
      const line = JSON.stringify(row)
      lines.push(line)
      length += line.length
      if (length >= PART_BYTES) await flush()
    }
    rows += page.length
  }
  await flush()
  return rows
}

/** Names of the files below a directory, without unfinished uploads and folder metadata. */
async function* filesBelow(directory: string, prefix = ''): AsyncGenerator<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(nullIfMissing)
  for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesBelow(join(directory, entry.name), `${prefix}${entry.name}/`)
    else if (entry.isFile() && !entry.name.endsWith('.tmp') && !entry.name.startsWith('.')) yield `${prefix}${entry.name}`
  }
}

const saveMedia = async (archive: ArchiveWriter, dataDir: string): Promise<number> => {
  let count = 0
  for await (const name of filesBelow(join(dataDir, 'media'))) {
    const handle = await open(join(dataDir, 'media', name), 'r').catch(nullIfMissing)
    // Deleted after the directory was listed.
    if (!handle) continue
    try {
      const { size } = await handle.stat()
      await archive.add(`${MEDIA}${name}`, size, size > 0 ? handle.createReadStream({ autoClose: false, start: 0, end: size - 1 }) : [])
      count += 1
    } finally {
      await handle.close()
    }
  }
  return count
}

const saveBucket = async (archive: ArchiveWriter, bucket: S3Storage): Promise<number> => {
  let count = 0
  for await (const { path, size } of bucket.listAll()) {
    const body = isStoredPath(path) ? await bucket.get(path) : null
    // Not a media file, or deleted after the bucket was listed.
    if (!body) continue
    await archive.add(`${MEDIA}${path}`, size, body)
    count += 1
  }
  return count
}

/** Writes a community as a stream: a snapshot of its rows, its secret and its media. */
export const saveBackup = async ({ database, dataDir, secret, write, now, bucket, key }: SaveOptions) => {
  const migrations = await appliedMigrations(database.read)
  if (migrations.length === 0) throw new CommandError('there is no community to back up yet')
  let rows = 0
  let media = 0
  const seconds = Date.parse(`${now.replace(' ', 'T')}Z`) / 1000
  await encodeArchive(write, { seconds, ...(key && { key }) }, async (archive) => {
    await database.snapshot(async (db) => {
      const tables = await listTables(db)
      const counts = new Map<Table, number>()
      for (const table of tables) counts.set(table, await countRows(db, () => table.name))
      const manifest: Manifest = {
        format: FORMAT,
        created_at: now,
        migrations,
        tables: tables.map((table) => ({ name: table.name, columns: table.columns, rows: counts.get(table) ?? 0 })),
        sequences: await readSequences(db),
        ...(bucket && { has_bucket: true }),
      }
      await addFile(archive, MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`))
      await addFile(archive, SECRET, Buffer.from(`${secret.toString('hex')}\n`))
      for (const table of tables) {
        const saved = await saveTable(archive, db, table)
        if (saved !== counts.get(table)) throw new Error(`${table.name}: ${saved} rows were read, ${counts.get(table)} were counted`)
        rows += saved
      }
    })
    // After the rows, so that the files that they reference exist.
    media = await saveMedia(archive, dataDir)
    if (bucket) media += await saveBucket(archive, bucket)
  })
  return { rows, media }
}
