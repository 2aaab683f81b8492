import type { Selectable } from 'kysely'
import { type Db, type MediaRow, statement, statementIn, statementOne } from '../../db/index.ts'

export type MediaRecord = Selectable<MediaRow>

const insert = statementOne<{ id: number }>(
  `insert into media (key, user_id, file_name, file_type, file_size, width, height, store, path, thumbnail_path, object_source, object_id,
   status, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'uploaded', $13, $13) returning id`,
)
const byId = statementOne<MediaRecord>(`select * from media where id = $1 and status <> 'deleted'`)
const byKey = statementOne<MediaRecord>(`select * from media where key = $1 and status <> 'deleted'`)
const erase = statement<{ id: number }>(
  `update media set status = 'deleted', updated_at = $2 where id = $1 and status <> 'deleted' returning id`,
)
const usage = statementOne<{ loose_files: number; loose_bytes: number | string; bytes: number | string }>(
  `select sum(case when status = 'uploaded' then 1 else 0 end) as loose_files,
   sum(case when status in ('uploaded', 'deleted') then file_size else 0 end) as loose_bytes,
   sum(case when status <> 'deleted' then file_size else 0 end) as bytes
   from media where user_id = $1 and (status <> 'deleted' or created_at > $2)`,
)

export type NewMedia = Omit<MediaRecord, 'id' | 'status' | 'created_at' | 'updated_at'>

export const insertMedia = async (db: Db, media: NewMedia, now: string): Promise<number> => {
  const { key, user_id, file_name, file_type, file_size, width, height, store, path, thumbnail_path, object_source, object_id } = media
  const place = [store, path, thumbnail_path, object_source, object_id]
  const row = await insert(db, [key, user_id, file_name, file_type, file_size, width, height, ...place, now])
  if (!row) throw new Error('the database gave no id')
  return row.id
}

/** Excludes deleted files. */
export const mediaById = (db: Db, id: number): Promise<MediaRecord | undefined> => byId(db, [id])
export const mediaByKey = (db: Db, key: string): Promise<MediaRecord | undefined> => byKey(db, [key])

/** Returns false if the file was deleted concurrently. */
export const markDeleted = async (db: Db, id: number, now: string): Promise<boolean> => (await erase(db, [id, now])).length > 0

/**
 * Storage used by a member, in total and by unattached files. Deleted files stay on disk for a while, so those uploaded after `since` count
 * as unattached.
 */
export const usageOf = async (db: Db, userId: number, since: string) => {
  const row = await usage(db, [userId, since])
  return { bytes: Number(row?.bytes ?? 0), looseFiles: Number(row?.loose_files ?? 0), looseBytes: Number(row?.loose_bytes ?? 0) }
}

/** Rows per transaction. */
export const PURGE_BATCH = 200

const expire = statement<{ id: number }>(
  `update media set status = 'deleted' where status = 'uploaded' and id in
   (select id from media where status = 'uploaded' and updated_at <= $1 limit ${PURGE_BATCH}) returning id`,
)
const deleted = statement<Pick<MediaRecord, 'id' | 'store' | 'path' | 'thumbnail_path'>>(
  `select id, store, path, thumbnail_path from media where status = 'deleted' and updated_at <= $1 order by updated_at, id limit ${PURGE_BATCH}`,
)
const purge = statementIn<{ id: number }>((list) => `delete from media where status = 'deleted' and id in (${list(1)}) returning id`)
const ofPaths = statementIn<{ path: string }>(
  (list) =>
    `select path from media where path in (${list(1)}) union select thumbnail_path as path from media where thumbnail_path in (${list(1)})`,
)
const rowsSharing = statementIn<{ id: number; path: string }>((list) => `select id, path from media where path in (${list(1)})`)

/** Marks uploads as deleted that have stayed unattached since then; returns how many. */
export const expireUnattached = async (db: Db, before: string): Promise<number> => (await expire(db, [before])).length

/** A batch of files deleted before then. */
export const deletedBefore = (db: Db, before: string) => deleted(db, [before])

/** Deletes rows of purged files; returns how many. */
export const purgeRows = async (db: Db, ids: readonly number[]): Promise<number> =>
  ids.length === 0 ? 0 : (await purge(db, ids.length, ids)).length

/** The stored paths that have a row. */
export const knownPaths = async (db: Db, list: readonly string[]): Promise<Set<string>> =>
  new Set(list.length === 0 ? [] : (await ofPaths(db, list.length, list)).map(({ path }) => path))

/** The stored paths of these rows that other rows share: duplicates or their original. */
export const sharedPaths = async (db: Db, rows: readonly Pick<MediaRecord, 'id' | 'path'>[]): Promise<Set<string>> => {
  if (rows.length === 0) return new Set()
  const ids = new Set(rows.map(({ id }) => id))
  const paths = rows.map(({ path }) => path)
  const found = await rowsSharing(db, paths.length, paths)
  return new Set(found.filter(({ id }) => !ids.has(id)).map(({ path }) => path))
}
