import type { DataExport, Infer } from '@lyceum/contract'
import {
  type DataExportRow,
  type Db,
  selectRows,
  statement,
  statementExists,
  statementOne,
  statementRowCount,
  statementValues,
} from '../../db/index.ts'

export type ExportRow = DataExportRow

/** The job that deletes the exports of a deleted account. */
export const dropExports = 'privacy.drop_exports'

/** Undefined if the member already has a pending export. */
export const insertExport = statementOne<ExportRow>(
  `insert into data_exports (user_id, requested_by, key, store, path, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (user_id) where status = 'pending' do nothing returning *`,
)

export const exportBy = statementOne<ExportRow>('select * from data_exports where id = $1')

export const exportByKey = statementOne<ExportRow>('select * from data_exports where key = $1')

export const exportsOf = statement<ExportRow>('select * from data_exports where user_id = $1 order by id desc limit 100')

/** When the member requested exports between two moments, oldest first. */
export const requestedSince = statementValues<string>(
  'select created_at from data_exports where user_id = $1 and requested_by = $1 and created_at > $2 and created_at <= $3 order by id limit 100',
)

/**
 * Takes the lease of a pending export until `$2`. Undefined if `$5` exports are running, another worker has the lease, or the export was
 * cancelled.
 */
export const claimExport = statementOne<ExportRow>(
  `update data_exports set locked_until = $2, tries = tries + 1, store = $4 where id = $1 and status = 'pending'
   and (locked_until is null or locked_until <= $3)
   and (select count(*) from data_exports o where o.status = 'pending' and o.locked_until > $3) < $5 returning *`,
)

export const shortenClaims = statement(
  `update data_exports set locked_until = $1 where status = 'pending' and user_id > 0 and locked_until > $1`,
)

// `tries` identifies the attempt: another one may have started. Those that return a boolean return false if the lease was lost or the export
// cancelled.
export const extendClaim = statementExists(
  `update data_exports set locked_until = $3 where id = $1 and tries = $2 and status = 'pending' returning id`,
)
export const releaseExport = statement('update data_exports set locked_until = null where id = $1 and tries = $2')
export const finishExport = statementExists(
  `update data_exports set status = 'ready', size = $3, completed_at = $4, expires_at = $5, locked_until = null
   where id = $1 and tries = $2 and status = 'pending' returning id`,
)
export const failExport = statement(
  `update data_exports set status = 'failed', completed_at = $3, locked_until = null where id = $1 and tries = $2 and status = 'pending'`,
)

export const expireExports = statement(`update data_exports set status = 'expired' where status = 'ready' and expires_at <= $1`)

// An export under lease may still be uploading; it is handled later.
/** Stored files of exports that can no longer be downloaded, of one member or of all. */
export const obsoleteFiles = (db: Db, now: string, limit: number, userId?: number) =>
  selectRows<Pick<ExportRow, 'id' | 'store'> & { readonly path: string }>(
    db,
    (p) => `select id, store, path from data_exports where path is not null and status in ('failed', 'expired')
      and (locked_until is null or locked_until <= ${p(now)}) ${userId === undefined ? '' : `and user_id = ${p(userId)}`}
      order by id limit ${p(limit)}`,
  )

export const markRemoved = statement('update data_exports set path = null where id = $1')

export const dropOldRows = statementRowCount(
  `delete from data_exports where id in (
     select id from data_exports where created_at <= $1 and path is null and status in ('failed', 'expired') limit 200) returning id`,
)

const forgetAll = statement('delete from data_exports where user_id = $1 and path is null')
/** False if a file of the member is still stored or an export is running. */
export const deleteRowsOf = async (db: Db, userId: number): Promise<boolean> => {
  await forgetAll(db, [userId])
  return (await exportsOf(db, [userId])).length === 0
}

/** The download URL; only the owner can use it. */
export const downloadUrl = ({ key, created_at }: Pick<ExportRow, 'key' | 'created_at'>, origin: string): string =>
  `${origin}/exports/${key}/lyceum-${created_at.slice(0, 10)}.zip`

/** Checks the expiry time itself, since the cleanup sets the status later. */
export const isReady = ({ status, expires_at }: Pick<ExportRow, 'status' | 'expires_at'>, now: string): boolean =>
  status === 'ready' && expires_at !== null && expires_at > now

export const viewExport = (row: ExportRow, origin: string, now: string): Infer<typeof DataExport> => {
  const { id, user_id, size, created_at, completed_at, expires_at } = row
  const ready = isReady(row, now)
  const status = row.status === 'ready' && !ready ? 'expired' : row.status
  return { id, user_id, status, size, created_at, completed_at, expires_at, download_url: ready ? downloadUrl(row, origin) : null }
}
