import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_DAYS } from '@lyceum/contract'
import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Job, outgoing } from '../../jobs/index.ts'
import { ExportCancelled, writeArchive } from './export-archive.ts'
import {
  claimExport,
  deleteRowsOf,
  dropExports,
  dropOldRows,
  type ExportRow,
  expireExports,
  exportBy,
  exportByKey,
  extendClaim,
  failExport,
  finishExport,
  markRemoved,
  obsoleteFiles,
  releaseExport,
  shortenClaims,
} from './export-queries.ts'
import { mailReady } from './mail.ts'

/** Lease of a running export; a worker that does not renew it in time is presumed dead. */
const CLAIM_S = 300
const RENEW_MS = 30_000
const MAX_TRIES = 5
/** Concurrent exports, limited because the same worker also sends mail and webhooks. */
const MAX_CONCURRENT = 4
/** Delay until an export tries again for a free slot. */
const SLOT_RETRY_S = 20
const BATCH = 100
const ROW_RETENTION_S = 90 * 24 * 3600

const FOLDER = 'exports'
const draftOf = ({ key, tries }: Pick<ExportRow, 'key' | 'tries'>) => `${key}-${tries}.part`
const DRAFT = /^([0-9a-f]{32})-(\d{1,9})\.part$/

/** Renews the lease every half minute, also during the upload. `check` throws once the lease is lost or the export cancelled. */
const keepLease = ({ database, clock, log }: Services, row: ExportRow) => {
  const renew = () => database.write((db) => extendClaim(db, [row.id, row.tries, shift(nowOf(clock), CLAIM_S)]))
  let lost = false
  const timer = setInterval(() => {
    renew().then(
      (kept) => {
        lost ||= !kept
      },
      (err) => log.warn({ event: 'export_heartbeat_failed', err, export_id: row.id }, 'export heartbeat failed'),
    )
  }, RENEW_MS).unref()
  const check = async () => {
    if (lost) throw new ExportCancelled()
  }
  return {
    check,
    /** The same, but renews the lease in the database first. */
    checkNow: async () => {
      if (!(await renew())) throw new ExportCancelled()
    },
    end: () => clearInterval(timer),
  }
}

/** Whether a stored file is useless because the export was cancelled or failed in the meantime. */
const isObsolete = (row: ExportRow | undefined) => row === undefined || row.status === 'expired' || row.status === 'failed'

/** Creates and stores an export. Files of an interrupted attempt are overwritten by the next one or removed by the cleanup. */
export const makeExport: Job = outgoing<{ export_id: number }>('privacy.make_export', async (services, { export_id }, write) => {
  const { database, clock, config, storage, log } = services
  const now = nowOf(clock)
  const terms = [export_id, shift(now, CLAIM_S), now, storage.current.kind, MAX_CONCURRENT]
  const row = await database.write((db) => claimExport(db, terms))
  if (!row) {
    const present = await exportBy(database.read, [export_id])
    if (present?.status !== 'pending') return
    // Another worker has the lease, possibly a dead one, or there is no free slot.
    const wait = present.locked_until === null || present.locked_until <= now ? SLOT_RETRY_S : CLAIM_S
    await write(null, (ctx) => ctx.enqueue(makeExport.name, { export_id }, { runAt: shift(ctx.now, wait) }))
    return
  }
  const { user_id, path, tries } = row
  const attempt = [export_id, tries]
  const giveUp = async (err?: unknown) => {
    log.error({ event: 'export_failed', err, export_id }, 'failed to create a data export')
    await database.write((db) => failExport(db, [...attempt, nowOf(clock)]))
  }
  // Earlier attempts ended without an error, possibly by crashing the process.
  if (tries > MAX_TRIES || path === null) return giveUp()
  const folder = join(config.dataDir, FOLDER)
  const draft = join(folder, draftOf(row))
  const hold = keepLease(services, row)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeArchive(services, user_id, draft, hold.check)
    const { size } = await stat(draft)
    await hold.checkNow()
    await storage.current.put(path, draft, 'application/zip')
    const done = await write(null, async (ctx) => {
      const ready = await finishExport(ctx.db, [...attempt, size, ctx.now, shift(ctx.now, EXPORT_DAYS * 24 * 3600)])
      if (ready) await ctx.enqueue(mailReady.name, { export_id })
      return ready
    })
    if (done) return
    if (isObsolete(await exportBy(database.read, [export_id]))) await storage.current.remove(path)
    await database.write((db) => releaseExport(db, attempt))
  } catch (error) {
    if (!(error instanceof ExportCancelled) && tries >= MAX_TRIES) return await giveUp(error)
    await database.write((db) => releaseExport(db, attempt))
    if (!(error instanceof ExportCancelled)) throw error
  } finally {
    hold.end()
    await rm(draft, { force: true })
  }
})

/** Deletes drafts of crashed workers, which contain all of a member's data; returns how many. */
const sweepDrafts = async ({ config, database, clock }: Services): Promise<number> => {
  const folder = join(config.dataDir, FOLDER)
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const [, key, tries] = DRAFT.exec(name) ?? []
    if (!key) continue
    const row = await exportByKey(database.read, [key])
    const made = row?.tries === Number(tries) && row.locked_until !== null && row.locked_until > nowOf(clock)
    if (made) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}

/** Deletes the file before updating its row, so that the next run can continue after a crash in between. */
const removeStored = async ({ database, storage, clock }: Services, userId?: number): Promise<number> => {
  for (let total = 0; ; ) {
    const stored = await obsoleteFiles(database.read, nowOf(clock), BATCH, userId)
    for (const { id, store, path } of stored) {
      await storage.of(store).remove(path)
      await database.write((db) => markRemoved(db, [id]))
    }
    total += stored.length
    if (stored.length < BATCH) return total
  }
}

export const dropArchives = outgoing<{ user_id: number }>(dropExports, async (services, { user_id }, write) => {
  await removeStored(services, user_id)
  await write(null, async (ctx) => {
    // Another worker may still be storing one; check again when its lease has expired.
    if (!(await deleteRowsOf(ctx.db, user_id))) await ctx.enqueue(dropExports, { user_id }, { runAt: shift(ctx.now, CLAIM_S) })
  })
})

export const sweepExports = async (services: Services): Promise<number> => {
  const { database, clock, log } = services
  const now = nowOf(clock)
  await database.write((db) => expireExports(db, [now]))
  // A lease further ahead was taken while the clock was ahead.
  await database.write((db) => shortenClaims(db, [shift(now, 2 * CLAIM_S)]))
  const removed = await removeStored(services).catch((error) => {
    // An unavailable storage must not block the other cleanup tasks.
    log.warn({ event: 'export_cleanup_failed', err: error }, 'failed to delete expired data exports')
    return 0
  })
  await database.write((db) => dropOldRows(db, [shift(now, -ROW_RETENTION_S)]))
  return removed + (await sweepDrafts(services))
}
