import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_KINDS,
  type ArchiveKind,
  type ArchiveManifest,
  type ArchiveRecord,
  archiveRecords,
} from '@lyceum/contract/archive'
import { recordProblem } from '../check-record.ts'
import type { Source, Unreadable } from '../source.ts'
import { lineOf } from './canonical.ts'
import { createLineFile } from './line-file.ts'
import { MANIFEST } from './manifest.ts'
import { jsonProblem } from './parse-json.ts'
import { openTarget, type Target } from './target.ts'

export interface ArchiveOptions {
  /** Current time, for the manifest. */
  readonly now: string
  /** Called periodically with the number of written records of a kind. */
  readonly onProgress?: (kind: ArchiveKind, done: number) => void
  /** Called for each record that the archive lacks or contains only partly. */
  readonly onSkipped?: (kind: ArchiveKind, row: Unreadable) => void
  readonly signal?: AbortSignal
}

export interface WrittenArchive {
  readonly counts: Partial<Record<ArchiveKind, number>>
  /** Media files, each counted once. */
  readonly media: { readonly files: number; readonly bytes: number }
  readonly skipped: number
}

const PROGRESS_STEP = 1000

/** Copies the content of media records into the archive, once per distinct file. */
const createMediaWriter = (source: Source, target: Target) => {
  const known = new Set<string>()
  let bytes = 0
  return {
    written: () => ({ files: known.size, bytes }),
    /** Returns the record to write to the archive. */
    store: async (record: ArchiveRecord<'media'>): Promise<ArchiveRecord<'media'>> => {
      const { file: _file, sha256: _sha256, ...others } = record
      const content = await source.openMedia(record)
      if (!content) return others
      const draft = join(target.folder, '.media')
      const hash = createHash('sha256')
      let size = 0
      const meter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          size += chunk.length
          done(null, chunk)
        },
      })
      await pipeline(content, meter, createWriteStream(draft, { mode: 0o600 }))
      const digest = hash.digest()
      const sha256 = digest.toString('hex')
      if (known.has(digest.toString('latin1'))) await rm(draft)
      else {
        known.add(digest.toString('latin1'))
        bytes += size
        await target.add(`media/${sha256}`, draft, size)
      }
      const { url: _url, ...rest } = others
      return { ...rest, file: `media/${sha256}`, sha256 }
    },
  }
}

/**
 * Writes the records of a source to a new archive: a folder, or a `.tar.gz` file. Memory use is independent of the number of records. Equal
 * content produces identical bytes, except for the time in the manifest.
 * @throws UnusablePlace
 */
export const writeArchive = async (source: Source, place: string, options: ArchiveOptions): Promise<WrittenArchive> => {
  const { now, onProgress, onSkipped, signal } = options
  const target = await openTarget(place)
  const files: ArchiveManifest['files'] = []
  const counts: Partial<Record<ArchiveKind, number>> = {}
  const media = createMediaWriter(source, target)
  let skipped = 0

  const skip = (kind: ArchiveKind, row: Unreadable) => {
    if (row.outcome !== 'noted') skipped++
    onSkipped?.(kind, row)
  }

  const lineFor = async (kind: ArchiveKind, record: ArchiveRecord): Promise<string | null> => {
    const problem = recordProblem(kind, record) ?? jsonProblem(JSON.stringify(record))
    if (problem === null) return lineOf(kind, kind === 'media' ? await media.store(record as ArchiveRecord<'media'>) : record)
    skip(kind, { id: String(record.id), reason: problem })
    return null
  }

  const writeKind = async (kind: ArchiveKind) => {
    const path = `${kind}.jsonl`
    const draft = join(target.folder, `.${path}`)
    const lines = await createLineFile(draft)
    let written = 0
    try {
      for await (const entry of source.read(kind)) {
        signal?.throwIfAborted()
        if ('unreadable' in entry) skip(kind, entry.unreadable)
        else {
          const line = await lineFor(kind, entry)
          if (line === null) continue
          await lines.add(line)
          if (++written % PROGRESS_STEP === 0) onProgress?.(kind, written)
        }
      }
    } catch (error) {
      await lines.abandon()
      throw error
    }
    const { bytes, sha256 } = await lines.finish()
    onProgress?.(kind, written)
    counts[kind] = written
    files.push({ path, bytes, sha256 })
    await target.add(path, draft, bytes)
  }

  try {
    const present = await source.counts()
    for (const kind of ARCHIVE_KINDS) if (kind in present) await writeKind(kind)
    const manifest: ArchiveManifest = {
      format: ARCHIVE_FORMAT,
      created_at: now,
      source: `${source.origins[0] ?? ''}${source.basePath}`,
      origins: [...source.origins],
      counts,
      files,
      schemas: Object.fromEntries(
        files.map(({ path }) => path.replace('.jsonl', '') as ArchiveKind).map((kind) => [kind, archiveRecords[kind]]),
      ),
    }
    const draft = join(target.folder, '.manifest')
    await writeFile(draft, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
    await target.add(MANIFEST, draft, (await stat(draft)).size)
    await target.finish()
  } catch (error) {
    await target.abandon()
    throw error
  }
  return { counts, media: media.written(), skipped }
}
