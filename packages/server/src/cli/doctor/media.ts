import { type Db, type MediaRow, statement } from '../../db/index.ts'
import { type ObjectStorage, type Storage, StorageUnavailable } from '../../storage/index.ts'

interface MediaFindings {
  /** Ids of files whose content is missing from the storage. */
  readonly missing: readonly number[]
  /** Stored files without a row that are too old to be an upload in progress. */
  readonly strays: readonly { readonly store: ObjectStorage; readonly path: string }[]
  /** The storage was not available, so the other fields are meaningless. */
  readonly unavailable: boolean
}

type Row = Pick<MediaRow, 'id' | 'store' | 'path' | 'thumbnail_path' | 'status'>

const rowsIn = statement<Row>('select id, store, path, thumbnail_path, status from media where path >= $1 and path < $2 order by id')
const archivesIn = statement<Pick<MediaRow, 'store' | 'path'>>('select store, path from data_exports where path >= $1 and path < $2')
const anyIn = statement<{ store: ObjectStorage['kind'] }>('select distinct store from media')

const SHARDS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))
/** An upload stores the file before its row. */
const FRESH_S = 3600

const look = async (db: Db, stores: readonly ObjectStorage[]) => {
  const missing: number[] = []
  const strays: { store: ObjectStorage; path: string }[] = []
  const oldest = Date.now() / 1000 - FRESH_S
  for (const shard of SHARDS) {
    // List the files before the rows: every file listed here has its row by then unless its upload is still in progress.
    const found = new Set<string>()
    const old: { store: ObjectStorage; path: string }[] = []
    for (const store of stores)
      for await (const { path, modifiedAt } of store.list(shard)) {
        found.add(`${store.kind} ${path}`)
        if (modifiedAt < oldest) old.push({ store, path })
      }
    const known = new Set<string>()
    for (const { id, store, path, thumbnail_path, status } of await rowsIn(db, [`${shard}/`, `${shard}0`])) {
      const paths = [path, ...(thumbnail_path ? [thumbnail_path] : [])]
      for (const one of paths) known.add(`${store} ${one}`)
      if (status === 'deleted' || paths.every((one) => found.has(`${store} ${one}`))) continue
      const there = await Promise.all(paths.map((one) => stores.find(({ kind }) => kind === store)?.has(one) ?? false))
      if (there.includes(false)) missing.push(id)
    }
    for (const { store, path } of await archivesIn(db, [`${shard}/`, `${shard}0`])) known.add(`${store} ${path}`)
    strays.push(...old.filter(({ store, path }) => !known.has(`${store.kind} ${path}`)))
  }
  return { missing: missing.sort((a, b) => a - b), strays }
}

export const checkMedia = async (db: Db, storage: Storage): Promise<MediaFindings> => {
  try {
    const used = await anyIn(db)
    const kinds = new Set([storage.current.kind, 'disk' as const, ...used.map(({ store }) => store)])
    const stores = [...kinds].map((kind) => storage.of(kind))
    return { ...(await look(db, stores)), unavailable: false }
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    return { missing: [], strays: [], unavailable: true }
  }
}
