import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UnreadableSource } from '../source.ts'
import { isFolder, readDumpFile } from '../staging/open-file.ts'
import { isPostgresUrl, stagePostgres } from '../staging/postgres/stage.ts'
import type { Wanted } from '../staging/shape.ts'
import type { Staging } from '../staging/staging.ts'
import type { Uploads } from '../staging/uploads/model.ts'
import { noUploads, openUploads } from '../staging/uploads/uploads.ts'

const MAGIC = { offset: 257, text: 'ustar' }

/** Whether a file is a tar archive, compressed or not. */
const isTar = async (file: string): Promise<boolean> => {
  let start = Buffer.alloc(0)
  for await (const chunk of readDumpFile(file)) {
    start = Buffer.concat([start, chunk])
    if (start.length >= MAGIC.offset + MAGIC.text.length) break
  }
  return start.toString('latin1', MAGIC.offset, MAGIC.offset + MAGIC.text.length) === MAGIC.text
}

/** Copies the tables of the dump inside a backup. */
const stageBackup = async (staging: Staging, backup: Uploads, wanted: Wanted, temporary: string): Promise<void> => {
  const folder = await mkdtemp(join(temporary, 'lyceum-backup-'))
  try {
    for (const name of ['dump.sql.gz', 'dump.sql']) {
      const dump = await backup.open(name)
      if (!dump) continue
      const file = join(folder, name)
      await pipeline(dump, createWriteStream(file))
      return await stagePostgres(staging, file, wanted)
    }
    throw new UnreadableSource('The archive is not a Discourse backup: it has no dump.sql.gz.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface StageOptions {
  readonly uploads?: string
  readonly temporary?: string
  readonly signal?: AbortSignal
}

/** Copies tables from a backup, dump, folder with a dump, or database, and returns the uploads. */
export const stageDatabase = async (staging: Staging, place: string, wanted: Wanted, options: StageOptions): Promise<Uploads> => {
  const { temporary = tmpdir(), signal } = options
  const directory = { directory: temporary }
  const given = options.uploads ? await openUploads(options.uploads, directory) : null
  const folder = !isPostgresUrl(place) && (await isFolder(place))
  if (isPostgresUrl(place) || folder || !(await isTar(place))) {
    await stagePostgres(staging, place, wanted, signal)
    return given ?? (folder ? openUploads(place, directory) : noUploads)
  }
  const backup = await openUploads(place, directory)
  await stageBackup(staging, backup, wanted, temporary)
  if (!given) return backup
  await backup.close()
  return given
}
