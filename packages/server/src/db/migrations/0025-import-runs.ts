import type { Up } from './dialect.ts'

/** Imports that administrators start in the administration, with what they read. */
export const importRuns: Up = ({ id, int, text }) => [
  `create table import_sites (source ${text} primary key, url ${text} not null, username ${text} not null, password ${text} not null)`,
  `create table import_files (
    id ${id}, source ${text} not null, file_name ${text} not null, size ${int} not null, store ${text} not null, path ${text} not null,
    created_at ${text} not null)`,
  `create table import_runs (
    id ${id}, source ${text} not null, status ${text} not null check (status in ('in_progress', 'completed', 'failed')),
    dry_run ${int} not null, claimed ${int} not null default 0, items ${text} not null, map ${text} not null, progress ${text} not null, results ${text},
    error ${text}, started_by ${int} references users (id) on delete set null, started_at ${text} not null, alive_at ${text} not null,
    completed_at ${text})`,
  // At most one import runs at a time.
  `create unique index import_runs_one on import_runs (status) where status = 'in_progress'`,
  `create index import_runs_source on import_runs (source, id)`,
  `create index import_runs_person on import_runs (started_by) where started_by is not null`,
  `create table import_report (
    id ${id}, run_id ${int} not null references import_runs (id) on delete cascade, item ${text} not null, foreign_id ${text} not null,
    outcome ${text} not null, reason ${text} not null)`,
  `create index import_report_run on import_report (run_id, id)`,
]
