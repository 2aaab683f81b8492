import { type Database, runText } from '../../server/src/db/index.ts'

const LAST_OF_SQLITE = `select m.name, nullif(s.seq, 0) as last from sqlite_master m left join sqlite_sequence s on s.name = m.name
  where m.type = 'table' and m.sql like '%autoincrement%' and m.name <> 'jobs' order by m.name`

/** The PostgreSQL id sequences whose position differs from SQLite. */
const alignment = (rows: string) => `
  select setval(s.oid::regclass, coalesce(v.last, 1), v.last is not null) as last from (values ${rows}) v(name, last)
  join pg_class t on t.relname = v.name and t.relkind = 'r'
  join pg_depend d on d.refobjid = t.oid and d.deptype = 'i' and d.classid = 'pg_class'::regclass
  join pg_class s on s.oid = d.objid and s.relkind = 'S'
  where pg_sequence_last_value(s.oid::regclass) is distinct from v.last`

/**
 * PostgreSQL skips the ids of rows that were rolled back, SQLite does not. Aligns the PostgreSQL sequences with SQLite so that new rows get
 * the same id on both. Jobs are excluded: their ids are not visible, and their number depends on timing.
 */
export const alignIds = async (sqlite: Database, postgres: Database): Promise<void> => {
  const given = await runText<{ name: string; last: number | null }>(sqlite.read, LAST_OF_SQLITE, [])
  const rows = given.map(({ name, last }) => `('${name}', ${last ?? 'null'}::bigint)`).join(', ')
  await postgres.write((db) => runText(db, alignment(rows), []))
}
