import { setImmediate } from 'node:timers/promises'
import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import {
  type Database,
  type Db,
  type MediaRow,
  statement,
  statementIn,
  statementNumber,
  statementRowCount,
  statementValues,
} from '../../db/index.ts'
import { sweepUploads } from '../../http/requests/multipart.ts'
import { StorageUnavailable } from '../../storage/index.ts'

/** How long unattached uploads and deleted files are retained, in seconds. */
const RETENTION_S = 2 * 3600
const PURGE_BATCH = 200
const STRAY_BATCH = 200
const ORPHAN_BATCH = 500
/** Our files and their unfinished copies; anything else in the directory is left alone. */
const OWN_FILE = /^[0-9a-f]{2}\/(?:[0-9a-f]{32}\.[0-9a-z.]{1,20}|[0-9a-f-]{36}\.tmp)$/

/** Marks uploads as deleted that have stayed unattached since then. */
const expireUnattached = statementRowCount(
  `update media set status = 'deleted' where status = 'uploaded' and id in
   (select id from media where status = 'uploaded' and updated_at <= $1 limit ${PURGE_BATCH}) returning id`,
)
const deletedBefore = statement<Pick<MediaRow, 'id' | 'store' | 'path' | 'thumbnail_path'>>(
  `select id, store, path, thumbnail_path from media where status = 'deleted' and updated_at <= $1 order by updated_at, id limit ${PURGE_BATCH}`,
)
const purge = statementIn<{ id: number }>((list) => `delete from media where status = 'deleted' and id in (${list}) returning id`)
const ofPaths = statementIn<{ path: string }>(
  (list) =>
    `select path from media where path in (${list}) union select thumbnail_path as path from media where thumbnail_path in (${list})`,
)
const rowsSharing = statementIn<{ id: number; path: string }>((list) => `select id, path from media where path in (${list})`)

const highestId = statementNumber('select max(id) as n from media')
const OBJECT_DELETED = ['feed', 'comment', 'course', 'lesson', 'space'].map(
  (source) => `(object_source = '${source}' and not exists (select 1 from ${source}s o where o.id = media.object_id))`,
)
// An imported file has no object until what refers to it is imported.
const IS_ORPHAN = `status = 'active' and object_id is not null and (${OBJECT_DELETED.join(' or ')})`
const orphans = statementValues<number>(`select id from media where id > $1 and id <= $2 and ${IS_ORPHAN}`)
const markOrphansDeleted = statementIn<{ id: number }>(
  (list) => `update media set status = 'deleted', updated_at = $1 where id in (${list}) and ${IS_ORPHAN} returning id`,
)

/**
 * Marks files as deleted if their object was deleted by a cascade, such as comments of a deleted feed. Writes nothing if there are none.
 */
const deleteOrphans = async (database: Database, now: string): Promise<void> => {
  const last = await highestId(database.read)
  for (let from = 0; from < last; from += ORPHAN_BATCH) {
    const ids = await orphans(database.read, [from, from + ORPHAN_BATCH])
    if (ids.length > 0) await database.write((db) => markOrphansDeleted(db, ids, [now]))
    await setImmediate()
  }
}

/** The stored paths of these rows that other rows share: duplicates or their original. */
const sharedPaths = async (db: Db, rows: readonly Pick<MediaRow, 'id' | 'path'>[]): Promise<Set<string>> => {
  const ids = new Set(rows.map(({ id }) => id))
  const found = await rowsSharing(
    db,
    rows.map(({ path }) => path),
  )
  return new Set(found.filter(({ id }) => !ids.has(id)).map(({ path }) => path))
}

/**
 * Deletes the file before its row, so that the next run can continue after a crash in between. A file shared by duplicates is deleted with
 * the last of them.
 */
const purgeDeleted = async ({ database, storage, log }: Services, before: string): Promise<number> => {
  let total = 0
  for (;;) {
    const rows = await deletedBefore(database.read, [before])
    if (rows.length === 0) return total
    const shared = await sharedPaths(database.read, rows)
    const gone: number[] = []
    for (const { id, store, path, thumbnail_path } of rows) {
      try {
        if (!shared.has(path)) {
          await storage.of(store).remove(path)
          if (thumbnail_path) await storage.of(store).remove(thumbnail_path)
        }
        gone.push(id)
      } catch (error) {
        log.warn({ event: 'file_purge_failed', err: error, media_id: id }, 'failed to purge a deleted file')
      }
    }
    if (gone.length === 0) return total
    total += (await database.write((db) => purge(db, gone))).length
    if (rows.length < PURGE_BATCH) return total
  }
}

/** Removes files without a row from some shards of the storage: a crash between storing a file and inserting its row leaves them behind. */
export const removeStrays = async (
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  shards: readonly string[],
): Promise<number> => {
  const oldest = Date.now() / 1000 - RETENTION_S
  let removed = 0
  for (const store of new Set([storage.current, storage.of('disk')])) {
    const look = async (paths: string[]) => {
      const known = new Set((await ofPaths(database.read, paths)).map(({ path }) => path))
      for (const path of paths) {
        if (known.has(path)) continue
        await store.remove(path)
        removed++
      }
    }
    for (const shard of shards) {
      const batch: string[] = []
      for await (const { path, modifiedAt } of store.list(shard)) {
        if (modifiedAt > oldest || !OWN_FILE.test(path)) continue
        batch.push(path)
        if (batch.length >= STRAY_BATCH) await look(batch.splice(0))
      }
      if (batch.length > 0) await look(batch)
    }
  }
  return removed
}

/** A part of the 256 shards each hour, all of them every day. */
const shardsAt = (now: string): string[] => {
  const hour = Number(now.slice(11, 13))
  return Array.from({ length: 256 }, (_, i) => i)
    .filter((i) => i % 24 === hour)
    .map((i) => i.toString(16).padStart(2, '0'))
}

/** Deletes files that are no longer needed and returns how many. Safe to run in several processes. */
export const collectGarbage = async (services: Services): Promise<number> => {
  const { database, clock, config, log } = services
  const now = nowOf(clock)
  const before = shift(now, -RETENTION_S)
  const unfinished = await sweepUploads(config.dataDir)
  await deleteOrphans(database, now)
  while ((await database.write((db) => expireUnattached(db, [before]))) === PURGE_BATCH);
  const purged = await purgeDeleted(services, before)
  const strays = await removeStrays(services, shardsAt(now)).catch((error) => {
    if (!(error instanceof StorageUnavailable)) throw error
    // An unavailable storage must not block the other cleanup tasks.
    log.warn({ event: 'stray_file_scan_failed', err: error }, 'failed to scan the storage for stray files')
    return 0
  })
  return unfinished + purged + strays
}
