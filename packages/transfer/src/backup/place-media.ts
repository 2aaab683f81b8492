import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, listTables, runText } from '../../../server/src/db/index.ts'
import type { Storage } from '../../../server/src/storage/index.ts'
import { pagesById } from '../../../server/src/util/pages-by-id.ts'
import { type Manifest, MEDIA } from './manifest.ts'

const AT_ONCE = 500
const PATHS = ['path', 'thumbnail_path']

interface Target {
  readonly storage?: Storage
  readonly mediaPaths?: Set<string>
}

/**
 * Moves unpacked media that were stored in a bucket to the configured bucket. Without a bucket, they stay in the data directory, and
 * their rows are updated.
 */
export const placeMedia = async (db: Db, { has_bucket }: Manifest, staging: string, { storage, mediaPaths }: Target): Promise<void> => {
  if (!has_bucket) return
  const bucket = storage?.current.kind === 's3' ? storage.current : null
  for (const { name, columns } of await listTables(db)) {
    if (!columns.includes('store') || !columns.includes('path')) continue
    if (!bucket) {
      if (!mediaPaths) await runText(db, `update ${name} set store = 'disk' where store = 's3'`, [])
      continue
    }
    const present = PATHS.filter((column) => columns.includes(column))
    const page = (after: number) =>
      runText<{ id: number } & Record<string, string | null>>(
        db,
        `select id, ${present.join(', ')} from ${name} where store = 's3' and id > $1 order by id limit $2`,
        [after, AT_ONCE],
      )
    for await (const rows of pagesById(AT_ONCE, page))
      for (const row of rows)
        for (const path of present.map((column) => row[column])) {
          const file = join(staging, MEDIA, path ?? '')
          // Rows can share a file; the first row has moved it.
          if (!path || !existsSync(file)) continue
          await bucket.put(path, file, 'application/octet-stream')
          await rm(file)
        }
  }
}
