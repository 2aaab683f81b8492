import { changeLog } from '../postgres-change-log.ts'
import type { Migration } from './dialect.ts'

const WITHOUT_FORMER = `do $body$
  declare former regprocedure;
  begin
    for former in select oid::regprocedure from pg_proc where proname like 'follow\\_%' and pronamespace = current_schema()::regnamespace loop
      execute format('drop function %s cascade', former);
    end loop;
  end $body$`

/** On SQLite the writing connection brings triggers of its own along. */
export const changeLogOfPostgres: Migration = {
  name: '0014-change-log',
  up: ({ kind }) => (kind === 'postgres' ? [WITHOUT_FORMER, ...changeLog()] : []),
}
