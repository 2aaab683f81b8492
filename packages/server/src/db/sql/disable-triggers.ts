import { invalidateEverything } from '../changes/invalidate-everything.ts'
import { type Db, dialectOf } from '../database.ts'
import { runText } from './statement.ts'

/** Triggers that write derived rows; the one that deletes search entries stays. */
const DERIVING = 'analytics\\_%'

const defined = `select name, sql from sqlite_schema where type = 'trigger' and name like '${DERIVING}' escape '\\'`
const watched = `select distinct c.relname::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgname like '${DERIVING}' and c.relnamespace = current_schema()::regnamespace`

/** A restore of an older version loads its data before the migration creates this table. */
const hasChangeLog = async (db: Db) =>
  (await runText<{ there: boolean }>(db, `select to_regclass('cache_invalidations') is not null as there`, []))[0]?.there

/** Runs `work` in the same transaction without the triggers that write derived rows, for data that already include them. */
export const withoutTriggers = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  if (dialectOf(db) === 'postgres') {
    if (await hasChangeLog(db)) await invalidateEverything(db)
    const tables = await runText<{ name: string }>(db, watched, [])
    for (const { name } of tables) await runText(db, `alter table ${name} disable trigger user`, [])
    const result = await work()
    // A table with pending deferred triggers cannot be altered.
    await runText(db, 'set constraints all immediate', [])
    for (const { name } of tables) await runText(db, `alter table ${name} enable trigger user`, [])
    return result
  }
  const triggers = await runText<{ name: string; sql: string }>(db, defined, [])
  for (const { name } of triggers) await runText(db, `drop trigger ${name}`, [])
  const result = await work()
  for (const { sql } of triggers) await runText(db, sql, [])
  return result
}
