import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { ApiError } from '../../../../server/src/core/errors.ts'
import { mediaByKey } from '../../../../server/src/modules/media/repository.ts'
import {
  discardConverted,
  type InspectedFile,
  inspectFile,
  rowOf,
  type Stored,
  storeInspected,
} from '../../../../server/src/modules/media/upload.ts'
import { forEachAtOnce } from '../../../../server/src/util/at-once.ts'
import type { Item } from '../batches.ts'
import { keepClean } from '../clean-image.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import { findAuthors } from './authors.ts'
import { notAfter } from './values.ts'

interface MediaDecision extends Decision<'media'> {
  readonly id: number
  readonly stored: Stored
}

/** Number of files to read and convert concurrently. */
const AT_ONCE = 4
/** Maximum bytes of files that wait to be stored together. */
const MOST_WAITING = 32 * 2 ** 20

class TooLarge extends Error {}

const limited = (most: number) => {
  let bytes = 0
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      if (bytes > most) done(new TooLarge())
      else done(null, chunk)
    },
  })
}

const KEY = /^[0-9a-f]{32}$/
/** The source whose images were already converted by Lyceum. */
const ARCHIVE = 'lyceum'

/** Random keys in file URLs: those of the source community, if they are unused. */
const keysOf = async (run: Run, items: readonly Item<'media'>[]): Promise<string[]> => {
  const { read } = run.services.database
  const taken = new Set<string>()
  const keys: string[] = []
  for (const { record } of items) {
    const { id, key } = record
    const isFree = key !== undefined && KEY.test(key) && !taken.has(key) && !(await mediaByKey(read, [key]))
    keys.push(isFree ? key : run.derived.code('file', 'media', id))
    if (isFree) taken.add(key)
  }
  return keys
}

interface Place {
  readonly path: string
  readonly key: string
  /** Owner id for the image converter, which schedules fairly per member. Each file of an import has a distinct one. */
  readonly owner: number
}

/** Copies a file to `path` and inspects it like an upload. Returns the reason if it is rejected. */
const bring = async ({ services, source }: Run, record: ArchiveRecord<'media'>, { path, key, owner }: Place) => {
  const stream = await source.openMedia(record)
  if (stream === null) return 'the file is missing'
  try {
    await pipeline(stream, limited(services.config.mediaLimit), createWriteStream(path))
    const { size } = await stat(path)
    const inspected = await inspectFile(owner, { path, name: record.file_name, size }, key)
    return source.name === ARCHIVE ? await keepClean(inspected) : inspected
  } catch (error) {
    if (error instanceof TooLarge) return `the file is larger than ${services.config.mediaLimit} bytes (LYCEUM_MEDIA_MAX_BYTES)`
    if (error instanceof ApiError && error.code === 'invalid_file_type') return `the file was rejected: ${error.message}`
    throw error
  }
}

/** Stores inspected files in groups, and removes the temporary files. A dry run only removes these. */
const createStoring = ({ services, isDry }: Run) => {
  let waiting: InspectedFile[] = []
  let bytes = 0
  const flush = async () => {
    const files = waiting
    waiting = []
    bytes = 0
    if (!isDry) await storeInspected(services, files)
    for (const { file } of files) await discard(file)
  }
  return {
    add: async (inspected: InspectedFile) => {
      waiting.push(inspected)
      bytes += inspected.file.size + inspected.made.size
      if (bytes >= MOST_WAITING) await flush()
    },
    flush,
  }
}

const discard = async (file: InspectedFile['file']) => {
  await discardConverted(file)
  await rm(file.path, { force: true })
}

const ROW = [
  ...['id', 'key', 'user_id', 'file_name', 'file_type', 'file_size', 'width', 'height', 'store', 'path', 'thumbnail_path'],
  ...['object_source', 'object_id', 'status', 'created_at', 'updated_at'],
]

/**
 * Files are not accessible until an object that is imported later references them. Files that change at the source are not read again.
 */
export const media: KindWriter<'media', MediaDecision> = {
  kind: 'media',
  guarded: null,
  // Conversion is slow, and an interrupted batch loses its converted files.
  most: 50,
  decide: async (run, items, settle) => {
    const owner = await findAuthors(
      run,
      items.map(({ record }) => record.owner ?? ''),
    )
    const ids = await run.ids.take('media', items.length)
    const keys = await keysOf(run, items)
    const store = run.isDry ? 'disk' : run.services.storage.current.kind
    const storing = createStoring(run)
    const decided: MediaDecision[] = []
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-media-'))
    try {
      await forEachAtOnce(AT_ONCE, [...items.entries()], async ([i, item], turn) => {
        run.checkSignal()
        const { record } = item
        const of = owner(record.owner ?? '')
        if (of === null) return settle(item, 'skipped', 'its owner deleted their account in this community')
        const [id, key] = [ids[i] as number, keys[i] as string]
        const inspected = await bring(run, record, { path: join(folder, String(i)), key, owner: -1 - turn })
        if (typeof inspected === 'string') return settle(item, 'skipped', inspected)
        const stored = rowOf(inspected, of.id, store)
        const { user_id, file_name, file_type, width, height } = stored
        run.memory.put('media', record.id, { id, key, user_id, file_name, file_type, width, height, object_id: null, status: 'active' })
        decided.push({ item, id, guarded: null, stored })
        await storing.add(inspected)
      })
      await storing.flush()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return decided.sort((a, b) => a.id - b.id)
  },
  insert: async (run, slice, decided) => {
    await slice.add(
      'media',
      ROW,
      decided.map(({ id, stored, item: { record } }) => {
        const { key, user_id, file_name, file_type, file_size, width, height, store, path, thumbnail_path } = stored
        const file = [key, user_id, file_name, file_type, file_size, width, height, store, path, thumbnail_path]
        return [id, ...file, record.used_for, null, 'active', notAfter(run.now, record.created_at), run.now]
      }),
    )
    for (const { id, item } of decided) slice.redirect('media', id, item.record.urls)
  },
}
