import type { Up } from './dialect.ts'

/** Events whose listeners have not run yet. Before, each event had a job that its listeners shared. */
export const pendingEvents: Up = ({ kind, int }) => [
  // Without a foreign key, which would lock and change the row of the event.
  `create table pending_events (event_id ${int} primary key)${kind === 'sqlite' ? ' without rowid' : ''}`,
  `insert into pending_events (event_id) select distinct event_id from jobs where name like 'on:%' and event_id in (select id from events)`,
  `delete from jobs where name like 'on:%'`,
]
