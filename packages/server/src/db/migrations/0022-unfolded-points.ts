import type { Up } from './dialect.ts'

/** Users whose aggregates do not contain their newest ledger rows yet, and the index that finds these rows. */
export const unfoldedPoints: Up = ({ kind, int }) => [
  // from_id: the first row that is missing.
  `create table points_unfolded (
      user_id ${int} primary key references users (id) on delete cascade, from_id ${int} not null)${kind === 'sqlite' ? ' without rowid' : ''}`,
  `drop index points_ledger_user`,
  `create index points_ledger_user_order on points_ledger (user_id, id)`,
]
