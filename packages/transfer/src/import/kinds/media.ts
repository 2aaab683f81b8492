import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { ApiError } from '../../../../server/src/core/errors.ts'
import { mediaByKey } from '../../../../server/src/modules/media/repository.ts'
import { inspectFile, rowOf, type Stored, storeInspected } from '../../../../server/src/modules/media/upload.ts'
import type { Item } from '../batches.ts'
import { keepClean } from '../clean-image.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import { type Author, findAuthors } from './authors.ts'
import { notAfter } from './values.ts'

interface MediaDecision extends Decision<'media'> {
  readonly id: number
  readonly stored: Stored
}

/** Files that are read and converted at the same time. */
const AT_ONCE = 3
/** The image converter shares its turns between members; an import is nobody. */
const NOBODY = 0

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
/** The source whose images another community has converted. */
const ARCHIVE = 'lyceum'

/** The random part of the address of a file: that of the community it comes from, if it is free. */
const keyOf = async (run: Run, { id, key }: ArchiveRecord<'media'>): Promise<string> => {
  const { read } = run.services.database
  if (key !== undefined && KEY.test(key) && !(await mediaByKey(read, [key]))) return key
  return run.derived.code('file', 'media', id)
}

/** Checks a file and stores it as an upload is, unless nothing is to be written. Returns the reason if it is refused. */
const bring = async (run: Run, { record }: Item<'media'>, owner: Author, folder: string): Promise<Stored | string> => {
  const { services, source } = run
  const stream = await source.openMedia(record)
  if (stream === null) return 'the file is missing'
  const path = join(folder, run.derived.code('file', 'media', record.id))
  try {
    await pipeline(stream, limited(services.config.mediaLimit), createWriteStream(path))
    const { size } = await stat(path)
    const inspected = await inspectFile(NOBODY, { path, name: record.file_name, size }, await keyOf(run, record))
    const kept = source.name === ARCHIVE ? await keepClean(inspected) : inspected
    return run.isDry ? rowOf(kept, owner.id, 'disk') : await storeInspected(services, owner.id, kept)
  } catch (error) {
    if (error instanceof TooLarge) return `the file is larger than ${services.config.mediaLimit} bytes (LYCEUM_MEDIA_MAX_BYTES)`
    if (error instanceof ApiError && error.code === 'invalid_file_type') return `the file is refused: ${error.message}`
    throw error
  } finally {
    for (const end of ['', '.whole', '.small']) await rm(`${path}${end}`, { force: true })
  }
}

const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  let next = 0
  const turn = async () => {
    while (next < items.length) await work(items[next++] as T)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
}

const ROW = [
  ...['id', 'key', 'user_id', 'file_name', 'file_type', 'file_size', 'width', 'height', 'store', 'path', 'thumbnail_path'],
  ...['object_source', 'object_id', 'status', 'created_at', 'updated_at'],
]

/**
 * Files are visible to nobody until something that is imported later refers to them. A file that changes at the source is not read again.
 */
export const media: KindWriter<'media', MediaDecision> = {
  kind: 'media',
  guarded: null,
  // Converting takes long, and what was converted for a batch that is interrupted is lost.
  most: 50,
  decide: async (run, items, settle) => {
    const owner = await findAuthors(
      run,
      items.map(({ record }) => record.owner ?? ''),
    )
    const ids = await run.ids.take('media', items.length)
    const decided: MediaDecision[] = []
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-media-'))
    try {
      await inTurns([...items.entries()], async ([i, item]) => {
        run.checkSignal()
        const { record } = item
        const of = owner(record.owner ?? '')
        if (of === null) return settle(item, 'skipped', 'its owner deleted their account in this community')
        const id = ids[i] as number
        const stored = await bring(run, item, of, folder)
        if (typeof stored === 'string') return settle(item, 'skipped', stored)
        const { key, user_id, file_name, file_type, width, height } = stored
        run.memory.put('media', record.id, { id, key, user_id, file_name, file_type, width, height, object_id: null, status: 'active' })
        decided.push({ item, id, guarded: null, stored })
      })
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
