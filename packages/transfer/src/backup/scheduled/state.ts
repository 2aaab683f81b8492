import { shift } from '../../../../server/src/core/clock.ts'
import {
  type Database,
  type Db,
  isUniqueViolation,
  runText,
  statement,
  statementExists,
  statementOne,
} from '../../../../server/src/db/index.ts'
import { parseBackupName } from '../place/names.ts'
import type { StoredBackup } from '../place/place.ts'

/** A process that has not reported for this long is presumed dead. */
const STALE_S = 120
const RETRY_S = 3600
/** Times further in the future come from a clock that was since set back. */
const AHEAD_S = 3600
const FAILURES_KEPT = 20

const recent = statementExists(
  `select id from backups where kind = 'scheduled' and created_at <= $4 and ((status = 'complete' and created_at > $1)
     or (status = 'failed' and created_at > $2) or (status = 'running' and alive_at > $3)) limit 1`,
)
const endStale = statement(
  `update backups set status = 'failed', error = 'interrupted', failures = failures + 1 where status = 'running' and alive_at < $1`,
)
const insertRunning = statementOne<{ id: number }>(
  `insert into backups (name, kind, status, size, encrypted, created_at, alive_at, failures)
   values ($1, 'scheduled', 'running', 0, $2, $3, $3, (select coalesce(max(failures), 0) from backups)) returning id`,
)
const lastProof = statementOne<{ at: string | null }>('select max(proven_at) as at from backups')
const complete = statement(
  `update backups set status = 'complete', size = $2, proven_at = $3, error = $4, failures = failures + $5 where id = $1`,
)
const fail = statement(`update backups set status = 'failed', error = $2, failures = failures + 1 where id = $1`)
const report = statement('update backups set alive_at = $2 where id = $1')
const insertFound = statement(
  `insert into backups (name, kind, status, size, encrypted, created_at, alive_at, failures)
   select $1, $2, 'complete', $3, $4, $5, $5, (select coalesce(max(failures), 0) from backups)
   where not exists (select 1 from backups where name = $1)`,
)

/** Whether the next scheduled backup is due. A failed one is repeated within an hour. */
export const isDue = async (db: Db, now: string, everyS: number): Promise<boolean> =>
  !(await recent(db, [shift(now, -everyS), shift(now, -Math.min(everyS, RETRY_S)), shift(now, -STALE_S), shift(now, AHEAD_S)]))

/** Claims the next scheduled backup; null if none is due, or another process is making it. */
export const claim = async (database: Database, name: string, encrypted: boolean, now: string, everyS: number): Promise<number | null> => {
  try {
    return await database.write(async (db) => {
      await endStale(db, [shift(now, -STALE_S)])
      if (!(await isDue(db, now, everyS))) return null
      return (await insertRunning(db, [name, encrypted ? 1 : 0, now]))?.id ?? null
    }, 'background')
  } catch (error) {
    if (isUniqueViolation(error)) return null
    throw error
  }
}

const newestProven = statementOne<{ name: string }>(
  `select name from backups where status = 'complete' and proven_at is not null order by created_at desc limit 1`,
)
export const newestProvenName = async (db: Db): Promise<string | null> => (await newestProven(db, []))?.name ?? null

export const provenAt = async (db: Db): Promise<string | null> => (await lastProof(db, []))?.at ?? null

interface Outcome {
  readonly size: number
  readonly provenAt: string | null
  /** Error of the test restore. */
  readonly error: string | null
}

export const recordComplete = (database: Database, id: number, { size, provenAt: at, error }: Outcome) =>
  database.write((db) => complete(db, [id, size, at, error, error === null ? 0 : 1]), 'background')
export const recordFailure = (database: Database, id: number, error: string) => database.write((db) => fail(db, [id, error]), 'background')
export const recordAlive = (database: Database, id: number, now: string) => database.write((db) => report(db, [id, now]), 'background')

/** Records a backup made before a migration. */
export const recordFound = (database: Database, { name, size }: StoredBackup) => reconcile(database, [], [{ name, size }])

/** Synchronizes the table with the stored files, and deletes old failures. */
export const reconcile = async (database: Database, kinds: readonly string[], stored: readonly StoredBackup[]): Promise<void> => {
  const names = new Set(stored.map(({ name }) => name))
  await database.write(async (db) => {
    for (const { name, size } of stored) {
      const parsed = parseBackupName(name)
      if (parsed) await insertFound(db, [name, parsed.kind, size, parsed.isEncrypted ? 1 : 0, parsed.createdAt])
    }
    const rows = await runText<{ id: number; name: string; kind: string }>(
      db,
      `select id, name, kind from backups where status = 'complete'`,
      [],
    )
    for (const { id, name, kind } of rows)
      if (kinds.includes(kind) && !names.has(name)) await runText(db, 'delete from backups where id = $1', [id])
    await runText(
      db,
      `delete from backups where status = 'failed' and id < (select max(id) from backups)
         and id not in (select id from backups where status = 'failed' order by id desc limit ${FAILURES_KEPT})`,
      [],
    )
  }, 'background')
}
