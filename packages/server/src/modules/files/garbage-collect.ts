import { setImmediate } from 'node:timers/promises'
import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Database, statement, statementIn } from '../../db/index.ts'
import { sweepUploads } from '../../http/requests/multipart.ts'
import { StorageUnavailable } from '../../storage/index.ts'
import { deletedBefore, expireLoose, knownPaths, PURGE_BATCH, purgeRows, sharedPaths } from '../media/index.ts'

/** How long uploads that nothing refers to, and files that were deleted, are kept, in seconds. */
const RETENTION_S = 2 * 3600
const STRAY_BATCH = 200
const ORPHAN_BATCH = 500
/** Files as we name them, and their unfinished copies; whatever else lies beside them is somebody else’s. */
const OURS = /^[0-9a-f]{2}\/(?:[0-9a-f]{32}\.[0-9a-z.]{1,20}|[0-9a-f-]{36}\.tmp)$/

const highest = statement<{ id: number | null }>('select max(id) as id from media')
const GONE: readonly string[] = [
  `object_source = 'feed' and not exists (select 1 from feeds o where o.id = media.object_id)`,
  `object_source = 'comment' and not exists (select 1 from comments o where o.id = media.object_id)`,
  `object_source = 'course' and not exists (select 1 from courses o where o.id = media.object_id)`,
  `object_source = 'lesson' and not exists (select 1 from lessons o where o.id = media.object_id)`,
  `object_source = 'space' and not exists (select 1 from spaces o where o.id = media.object_id)`,
]
const IS_ORPHAN = `status = 'active' and (${GONE.map((one) => `(${one})`).join(' or ')})`
const orphans = statement<{ id: number }>(`select id from media where id > $1 and id <= $2 and ${IS_ORPHAN}`)
const abandon = statementIn<{ id: number }>(
  (list) => `update media set status = 'deleted', updated_at = $1 where id in (${list(2)}) and ${IS_ORPHAN} returning id`,
)

/** Marks files deleted whose object went away with another (nothing is written where there are none): the comments of a deleted feed, the feeds of a deleted space. */
const abandonOrphans = async (database: Database, now: string): Promise<void> => {
  const [top] = await highest(database.read)
  for (let from = 0; from < (top?.id ?? 0); from += ORPHAN_BATCH) {
    const ids = (await orphans(database.read, [from, from + ORPHAN_BATCH])).map(({ id }) => id)
    if (ids.length > 0) await database.write((db) => abandon(db, ids.length, [now, ...ids]))
    await setImmediate()
  }
}

/**
 * The files go before their rows: should the process end in between, the next round finds the rows and goes on. What copies share goes with
 * the last of them.
 */
const purgeDeleted = async ({ database, storage, log }: Services, before: string): Promise<number> => {
  let total = 0
  for (;;) {
    const rows = await deletedBefore(database.read, before)
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
        log.warn({ err: error, media_id: id }, 'a deleted file could not be removed')
      }
    }
    total += await database.write((db) => purgeRows(db, gone))
    if (rows.length < PURGE_BATCH || gone.length === 0) return total
  }
}

/** Removes what lies in some shards of the store without a row: left by a process that ended between storing a file and its row. */
export const removeStrays = async (
  { database, storage }: Pick<Services, 'database' | 'storage'>,
  shards: readonly string[],
): Promise<number> => {
  const oldest = Date.now() / 1000 - RETENTION_S
  let removed = 0
  for (const store of new Set([storage.current, storage.of('disk')])) {
    const look = async (paths: string[]) => {
      const known = await knownPaths(database.read, paths)
      for (const path of paths) {
        if (known.has(path)) continue
        await store.remove(path)
        removed++
      }
    }
    for (const shard of shards) {
      const batch: string[] = []
      for await (const { path, modifiedAt } of store.list(shard)) {
        if (modifiedAt > oldest || !OURS.test(path)) continue
        batch.push(path)
        if (batch.length >= STRAY_BATCH) await look(batch.splice(0))
      }
      if (batch.length > 0) await look(batch)
    }
  }
  return removed
}

/** All 256 shards in a day, some each hour. */
const shardsAt = (now: string): string[] => {
  const hour = Number(now.slice(11, 13))
  return Array.from({ length: 256 }, (_, i) => i)
    .filter((i) => i % 24 === hour)
    .map((i) => i.toString(16).padStart(2, '0'))
}

/** Removes files that are no longer needed; several processes at once do no harm. How many went. */
export const sweepFiles = async (services: Services): Promise<number> => {
  const { database, clock, config, log } = services
  const now = nowOf(clock)
  const before = shift(now, -RETENTION_S)
  const unfinished = await sweepUploads(config.dataDir)
  await abandonOrphans(database, now)
  while ((await database.write((db) => expireLoose(db, before))) === PURGE_BATCH);
  const purged = await purgeDeleted(services, before)
  const strays = await removeStrays(services, shardsAt(now)).catch((error) => {
    if (!(error instanceof StorageUnavailable)) throw error
    // The other chores do not wait for a store that is away.
    log.warn({ err: error }, 'a store could not be looked through')
    return 0
  })
  return unfinished + purged + strays
}
