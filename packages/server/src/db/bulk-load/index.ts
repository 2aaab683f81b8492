import { addressOf, type DataLocation } from '../data-location.ts'
import { loadPostgres } from './postgres.ts'
import { loadSqlite } from './sqlite.ts'
import type { BulkLoad, Filled } from './types.ts'

/**
 * Runs `work` alone on the data in a single transaction, for filling tables: all of it is kept or, when it throws or the process dies, nothing. Whoever calls it
 * holds the data (see hold.ts) and has no other connection to them. Rows are added faster than by `Database.write` because indexes and
 * references are made at the end, at once; that is worth it where the tables were all but empty before.
 * @throws NotAlone before anything has happened
 */
export const loadAlone = <T>(place: DataLocation, filled: Filled, work: (load: BulkLoad) => Promise<T>): Promise<T> => {
  const address = addressOf(place)
  return 'file' in address
    ? loadSqlite(address.file, filled.tables, work)
    : loadPostgres({ url: address.server, pooler: place.pooler ?? 'off' }, filled, work)
}
