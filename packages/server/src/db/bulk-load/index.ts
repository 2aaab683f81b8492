import { addressOf, type DataLocation } from '../data-location.ts'
import { loadPostgres } from './postgres.ts'
import { loadSqlite } from './sqlite.ts'
import type { BulkLoad, Filled } from './types.ts'

/**
 * Runs `work` with exclusive access in a single transaction, to fill tables: all or nothing, also if the process is killed. The caller must have
 * locked the data (see `data-lock`) and have no other connection. It is faster than `Database.write` because indexes and foreign keys are
 * created at the end, which pays off if the tables were almost empty.
 * @throws NotAlone before anything is changed
 */
export const loadAlone = <T>(place: DataLocation, filled: Filled, work: (load: BulkLoad) => Promise<T>): Promise<T> => {
  const address = addressOf(place)
  return 'file' in address
    ? loadSqlite(address.file, filled.tables, work)
    : loadPostgres({ url: address.server, pooler: place.pooler ?? 'off' }, filled, work)
}
