import { type Db, insertReturningId, insertSql, type MediaRow, statementExists, statementOne, valuesIn } from '../../db/index.ts'

const COLUMNS = [
  'key',
  'user_id',
  'file_name',
  'file_type',
  'file_size',
  'width',
  'height',
  'store',
  'path',
  'thumbnail_path',
  'object_source',
  'object_id',
] as const

export type NewMedia = Pick<MediaRow, (typeof COLUMNS)[number]>

const insert = insertReturningId(insertSql('media', [...COLUMNS, 'status', 'created_at', 'updated_at']))
export const insertMedia = (db: Db, media: NewMedia, now: string, status: 'uploaded' | 'active' = 'uploaded'): Promise<number> =>
  insert(db, [...valuesIn(media, COLUMNS), status, now, now])

/** These exclude deleted files. */
export const mediaById = statementOne<MediaRow>(`select * from media where id = $1 and status <> 'deleted'`)
export const mediaByKey = statementOne<MediaRow>(`select * from media where key = $1 and status <> 'deleted'`)

/** By id and the present time; false if the file was deleted concurrently. */
export const markDeleted = statementExists(
  `update media set status = 'deleted', updated_at = $2 where id = $1 and status <> 'deleted' returning id`,
)

const usage = statementOne<{ loose_files: number; loose_bytes: number | string; bytes: number | string }>(
  `select sum(case when status = 'uploaded' then 1 else 0 end) as loose_files,
   sum(case when status in ('uploaded', 'deleted') then file_size else 0 end) as loose_bytes,
   sum(case when status <> 'deleted' then file_size else 0 end) as bytes
   from media where user_id = $1 and (status <> 'deleted' or created_at > $2)`,
)

/**
 * Storage used by a member, in total and by unattached files. Deleted files stay on disk for a while, so those uploaded after `since` count
 * as unattached.
 */
export const usageOf = async (db: Db, userId: number, since: string) => {
  const row = await usage(db, [userId, since])
  return { bytes: Number(row?.bytes ?? 0), looseFiles: Number(row?.loose_files ?? 0), looseBytes: Number(row?.loose_bytes ?? 0) }
}
