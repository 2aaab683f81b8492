import { createReadStream } from 'node:fs'
import { lstat, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { recordProblem } from '../check-record.ts'
import { type Entry, type Source, UnreadableSource } from '../source.ts'
import { linesOf } from './lines.ts'
import { MANIFEST, sha256Of, verifyArchive } from './manifest.ts'
import { parseJson } from './parse-json.ts'
import { UNPACK_LIMITS, type UnpackLimits, unpackArchive } from './unpack.ts'

export interface OpenArchiveOptions {
  /** Folder for temporary files; defaults to the system's. */
  readonly temporary?: string
  readonly signal?: AbortSignal
  readonly limits?: UnpackLimits
}

/** Several times the size of the largest possible record, a quiz. */
const MOST_LINE_BYTES = 16 * 2 ** 20
const MEDIA_FILE = /^media\/([0-9a-f]{64})$/

/** The record of a line, or the reason why it is invalid. `place` identifies the line in reports. */
const entryOf = <K extends ArchiveKind>(kind: K, text: Buffer | null, place: string): Entry<K> => {
  const unreadable = (reason: string) => ({ unreadable: { id: place, reason } })
  if (text === null) return unreadable(`the line is longer than ${MOST_LINE_BYTES / 2 ** 20} MB`)
  const parsed = parseJson(text)
  if ('reason' in parsed) return unreadable(parsed.reason)
  const problem = recordProblem(kind, parsed.value)
  return problem === null ? (parsed.value as ArchiveRecord<K>) : unreadable(problem)
}

/** Path of the content of a media record; null if the archive does not contain it. */
const fileOf = async (folder: string, { file }: ArchiveRecord<'media'>): Promise<string | null> => {
  if (file === undefined || !MEDIA_FILE.test(file)) return null
  const place = join(folder, file)
  return (await lstat(place).catch(() => null))?.isFile() ? place : null
}

/** The reason to reject the file of a media record; null if it is valid or missing. */
const mediaProblem = async (folder: string, record: ArchiveRecord<'media'>): Promise<string | null> => {
  if (record.file === undefined) return null
  const sha256 = MEDIA_FILE.exec(record.file)?.[1]
  if (sha256 === undefined) return 'its file is outside of the media folder'
  if (record.sha256 !== undefined && record.sha256 !== sha256) return 'its hash does not match its file name'
  const place = await fileOf(folder, record)
  if (place === null) return null
  return (await sha256Of(place)) === sha256 ? null : 'its file is damaged: the hash does not match'
}

/** The folder itself, or its only subfolder if that contains the archive. */
const rootOf = async (folder: string): Promise<string> => {
  if (await lstat(join(folder, MANIFEST)).catch(() => null)) return folder
  const folders = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const [only] = folders
  return folders.length === 1 && only ? join(folder, only.name) : folder
}

const sourceOf = async (folder: string, close: () => Promise<void>, signal: AbortSignal | undefined): Promise<Source> => {
  const { manifest, counts, unknown } = await verifyArchive(folder)
  async function* read<K extends ArchiveKind>(kind: K): AsyncGenerator<Entry<K>> {
    if (!(kind in counts)) return
    for await (const { number, text } of linesOf(join(folder, `${kind}.jsonl`), MOST_LINE_BYTES)) {
      signal?.throwIfAborted()
      const entry = entryOf(kind, text, `${kind}.jsonl:${number}`)
      const problem = kind === 'media' && !('unreadable' in entry) ? await mediaProblem(folder, entry as ArchiveRecord<'media'>) : null
      yield problem === null ? entry : { unreadable: { id: (entry as ArchiveRecord).id, reason: problem } }
    }
  }
  return {
    name: 'lyceum',
    origins: manifest.origins,
    basePath: '',
    counts: async () => counts,
    read,
    openMedia: async (media) => {
      const place = await fileOf(folder, media)
      return place === null ? null : createReadStream(place)
    },
    leftOut: async () => unknown,
    close,
  }
}

/**
 * Opens an archive: a folder, or a `.tar.gz` file, which is unpacked to a temporary folder. Verifies all record files first. Invalid
 * lines become unreadable entries.
 * @throws UnreadableSource if it is not an archive, is damaged, or is unsafe to unpack
 */
export const openArchive = async (
  place: string,
  { temporary = tmpdir(), signal, limits = UNPACK_LIMITS }: OpenArchiveOptions = {},
): Promise<Source> => {
  const stats = await stat(place).catch(() => null)
  if (!stats) throw new UnreadableSource(`there is no file or folder ${place}`)
  if (stats.isDirectory()) return sourceOf(await rootOf(place), async () => {}, signal)
  const folder = await mkdtemp(join(temporary, 'lyceum-archive-'))
  // A file that was being opened when unpacking failed may still appear in the folder.
  const close = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  try {
    await unpackArchive(place, folder, limits)
    return await sourceOf(folder, close, signal)
  } catch (error) {
    await close()
    throw error
  }
}
