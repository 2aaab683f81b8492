import type { MediaSource } from '@lyceum/contract'
import type { ArchiveKind } from '@lyceum/contract/archive'
import { batchStatement, type MediaRow } from '../../../../server/src/db/index.ts'
import { filePath } from '../../../../server/src/modules/media/view.ts'
import type { Found } from '../lookups.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'

/** A file that an object references. Everyone who can see the object can read it. */
export interface FileUse {
  readonly key: string
  /** Key for the object's copy, if the file belongs to another object. */
  readonly own: string
}

interface Use {
  readonly kind: ArchiveKind
  /** Id of the record that references the files. */
  readonly id: string
  readonly keys: readonly string[]
}

const holders = batchStatement<Pick<MediaRow, 'key' | 'object_source' | 'object_id'>>(
  { key: 'text' },
  (rows) => `select m.key, m.object_source, m.object_id from ${rows} d cross join media m where m.key = d.key and m.status = 'active'`,
)

/**
 * Assigns files to objects: a file belongs to the first object that references it; others get copies with their own URLs, which share the
 * stored content. `holder` is the object, if it already exists.
 */
export const claimFiles = async (
  run: Run,
  source: MediaSource,
  uses: readonly (Use & { readonly holder?: number | undefined })[],
): Promise<FileUse[][]> => {
  const keys = [...new Set(uses.flatMap((use) => use.keys))]
  if (keys.length === 0) return uses.map(() => [])
  const rows = await holders(run.services.database.read, keys)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const claimed = await run.memory.taken(keys.map((key) => `file:${key}`))
  return uses.map(({ kind, id, keys: wanted, holder }) =>
    [...new Set(wanted)].flatMap((key) => {
      const row = byKey.get(key)
      if (!row) return []
      const isOwn = holder !== undefined && row.object_id === holder && row.object_source === source
      const isFree = row.object_id === null && !claimed.has(`file:${key}`)
      claimed.add(`file:${key}`)
      run.memory.take(`file:${key}`)
      return [{ key, own: isOwn || isFree ? key : run.derived.code('file', kind, `${id} ${key}`) }]
    }),
  )
}

/** Replaces URLs of other objects' files with those of the object's copies. */
export const withOwnFiles = (text: string, files: readonly FileUse[]): string =>
  files.reduce((so, { key, own }) => (key === own ? so : so.replaceAll(`/media/${key}/`, `/media/${own}/`)), text)

const attach = batchStatement(
  { key: 'text', id: 'bigint' },
  (rows) =>
    `update media set object_source = $2, object_id = d.id from ${rows} d where media.key = d.key and media.object_id is null and media.status = 'active'`,
)
const copy = batchStatement(
  { key: 'text', own: 'text', id: 'bigint' },
  (
    rows,
  ) => `insert into media (key, user_id, file_name, file_type, file_size, width, height, store, path, thumbnail_path, object_source, object_id, status, created_at, updated_at)
    select d.own, m.user_id, m.file_name, m.file_type, m.file_size, m.width, m.height, m.store, m.path, m.thumbnail_path, $2, d.id, 'active', m.created_at, m.updated_at
    from ${rows} d cross join media m where m.key = d.key and not exists (select 1 from media o where o.key = d.own)`,
)

/** Attaches files to the objects that reference them, in the transaction that writes the objects. */
export const attachFiles = async (
  { db }: Pick<Slice, 'db'>,
  source: MediaSource,
  objects: readonly { readonly id: number; readonly files: readonly FileUse[] }[],
): Promise<void> => {
  const own = objects.flatMap(({ id, files }) => files.flatMap((file) => (file.key === file.own ? [[file.key, id] as const] : [])))
  const others = objects.flatMap(({ id, files }) =>
    files.flatMap((file) => (file.key === file.own ? [] : [[file.key, file.own, id] as const])),
  )
  await attach(db, own, [source])
  await copy(db, others, [source])
}

/** Absolute URL of an imported file. */
export const fileUrl = (run: Run, file: Pick<Found['media'], 'key' | 'file_name'>): string => run.services.origin() + filePath(file)

/** URL of a picture: an imported file, or an external image. */
export const pictureUrl = (
  run: Run,
  files: ReadonlyMap<string, Found['media']>,
  id: string | null | undefined,
  url: string | undefined,
): string => {
  const file = typeof id === 'string' ? files.get(id) : undefined
  return file ? fileUrl(run, file) : (url ?? '')
}
