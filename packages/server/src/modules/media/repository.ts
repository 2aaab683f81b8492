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

/** A file that is not deleted. */
export const mediaById = (db: Db, id: number): Promise<MediaRecord | undefined> => byId(db, [id])
export const mediaByKey = (db: Db, key: string): Promise<MediaRecord | undefined> => byKey(db, [key])

/** False: somebody else has deleted it meanwhile. */
export const markDeleted = async (db: Db, id: number, now: string): Promise<boolean> => (await erase(db, [id, now])).length > 0

/**
 * What a member has stored, and how much of it nothing refers to yet. Deleted files stay on the disk for a while: those that were uploaded
 * after `since` count as files that nothing refers to.
 */
export const usageOf = async (db: Db, userId: number, since: string) => {
  const row = await usage(db, [userId, since])
  return { bytes: Number(row?.bytes ?? 0), looseFiles: Number(row?.loose_files ?? 0), looseBytes: Number(row?.loose_bytes ?? 0) }
}

/** Rows that one write takes on. */
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
const sharers = statementIn<{ id: number; path: string }>((list) => `select id, path from media where path in (${list(1)})`)

/** Marks uploads deleted that nothing has referred to since then; how many. */
export const expireLoose = async (db: Db, before: string): Promise<number> => (await expire(db, [before])).length

/** Some of the files that were deleted by then. */
export const deletedBefore = (db: Db, before: string) => deleted(db, [before])

/** Forgets deleted files. How many rows this call removed. */
export const purgeRows = async (db: Db, ids: readonly number[]): Promise<number> =>
  ids.length === 0 ? 0 : (await purge(db, ids.length, ids)).length

/** Which of these stored files have a row. */
export const knownPaths = async (db: Db, list: readonly string[]): Promise<Set<string>> =>
  new Set(list.length === 0 ? [] : (await ofPaths(db, list.length, list)).map(({ path }) => path))

/** Which stored files of these rows belong to further rows as well: to copies, or to their original. */
export const sharedPaths = async (db: Db, rows: readonly Pick<MediaRecord, 'id' | 'path'>[]): Promise<Set<string>> => {
  if (rows.length === 0) return new Set()
  const ids = new Set(rows.map(({ id }) => id))
  const paths = rows.map(({ path }) => path)
  const found = await sharers(db, paths.length, paths)
  return new Set(found.filter(({ id }) => !ids.has(id)).map(({ path }) => path))
}
