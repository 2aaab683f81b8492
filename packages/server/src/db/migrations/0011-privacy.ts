import type { Up } from './dialect.ts'

export const privacy: Up = ({ id, int, text }) => [
  `create table data_exports (
      id ${id}, user_id ${int} not null references users (id) on delete cascade,
      requested_by ${int} references users (id) on delete set null, key ${text} not null unique,
      status ${text} not null default 'pending' check (status in ('pending', 'ready', 'failed', 'expired')),
      store ${text} not null check (store in ('disk', 's3')), path ${text}, size ${int}, tries ${int} not null default 0, locked_until ${text},
      created_at ${text} not null, completed_at ${text}, expires_at ${text})`,
  `create unique index data_exports_pending on data_exports (user_id) where status = 'pending'`,
  `create index data_exports_user on data_exports (user_id, id)`,
  `create index data_exports_requester on data_exports (requested_by) where requested_by is not null`,
  `create index data_exports_due on data_exports (expires_at) where status = 'ready'`,
  `create index data_exports_path on data_exports (path) where path is not null`,
  // Reports are deleted with the account that made them.
  `create index reports_reporter on reports (reporter_id, id) where reporter_id is not null`,
  `create index data_exports_age on data_exports (created_at)`,
]
