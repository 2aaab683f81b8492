import type { MigrationSource } from '@lyceum/contract'
import {
  type Db,
  type ImportRunRow,
  insertRows,
  type PageWindow,
  selectPage,
  statement,
  statementExists,
  statementOne,
} from '../../db/index.ts'

export interface RunProgress {
  /** Name of the kind that is being imported. */
  readonly step: string
  readonly kinds: Readonly<Record<string, { readonly total: number; readonly completed: number }>>
}

interface SiteRow {
  readonly url: string
  readonly username: string
  readonly password: string
}
interface FileRow {
  readonly id: number
  readonly file_name: string
  readonly size: number
  readonly store: 'disk' | 's3'
  readonly path: string
  readonly created_at: string
}
export interface ReportRow {
  readonly item: string
  readonly foreign_id: string
  readonly outcome: 'skipped' | 'failed'
  readonly reason: string
}

export const siteOf = statementOne<SiteRow>('select url, username, password from import_sites where source = $1')
export const saveSite = statement(
  `insert into import_sites (source, url, username, password) values ($1, $2, $3, $4)
   on conflict (source) do update set url = excluded.url, username = excluded.username, password = excluded.password`,
)
export const dropSite = statement('delete from import_sites where source = $1')

export const filesOf = statement<FileRow>(
  'select id, file_name, size, store, path, created_at from import_files where source = $1 order by id',
)
export const insertFile = statement(
  'insert into import_files (source, file_name, size, store, path, created_at) values ($1, $2, $3, $4, $5, $6)',
)
export const dropFiles = statement('delete from import_files where source = $1')
/** Files of sources that nobody has imported since then. */
export const oldSources = statement<{ source: MigrationSource }>(
  'select source from import_files group by source having max(created_at) < $1',
)

export const latestRun = statementOne<ImportRunRow>('select * from import_runs where source = $1 order by id desc limit 1')
export const runningOne = statementExists("select id from import_runs where status = 'in_progress' limit 1")
/** Ends runs whose process has not reported since $1. */
export const endStaleRuns = statement(
  "update import_runs set status = 'failed', error = $2, completed_at = alive_at where status = 'in_progress' and alive_at < $1",
)
export const insertRun = statementOne<ImportRunRow>(
  `insert into import_runs (source, status, dry_run, items, map, progress, started_by, started_at, alive_at)
   values ($1, 'in_progress', $2, $3, $4, $5, $6, $7, $7) returning *`,
)
/** The run, for the first process that asks; a job may start it twice. */
export const claimRun = statementOne<ImportRunRow>(
  "update import_runs set claimed = 1, alive_at = $2 where id = $1 and status = 'in_progress' and claimed = 0 returning *",
)
/** False once the run has ended. */
export const saveProgress = statementExists(
  "update import_runs set progress = $2, alive_at = $3 where id = $1 and status = 'in_progress' returning id",
)
export const endRun = statement(
  "update import_runs set status = $2, results = $3, error = $4, alive_at = $5, completed_at = $5 where id = $1 and status = 'in_progress'",
)

export const addReport = (db: Db, runId: number, rows: readonly ReportRow[]): Promise<unknown> =>
  insertRows(
    db,
    'import_report',
    ['run_id', 'item', 'foreign_id', 'outcome', 'reason'],
    rows.map((row) => [runId, row.item, row.foreign_id, row.outcome, row.reason]),
  )
export const reportPage = (db: Db, runId: number, page: PageWindow) =>
  selectPage<ReportRow>(
    db,
    { columns: 'item, foreign_id, outcome, reason', tables: 'import_report', where: (p) => `run_id = ${p(runId)}`, order: 'id' },
    page,
  )
export const firstErrors = statement<ReportRow>(
  "select item, foreign_id, outcome, reason from import_report where run_id = $1 and outcome = 'failed' order by id limit 20",
)
