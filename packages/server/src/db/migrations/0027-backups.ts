import type { Up } from './dialect.ts'

/** Backups that this community made, and whether they were proven. */
export const backups: Up = ({ id, int, text }) => [
  `create table backups (
    id ${id}, name ${text} not null, kind ${text} not null check (kind in ('scheduled', 'before-upgrade')),
    status ${text} not null check (status in ('running', 'complete', 'failed')), size ${int} not null, encrypted ${int} not null,
    created_at ${text} not null, alive_at ${text} not null, proven_at ${text}, error ${text}, failures ${int} not null)`,
  // At most one backup is made at a time.
  `create unique index backups_one on backups (status) where status = 'running'`,
]
