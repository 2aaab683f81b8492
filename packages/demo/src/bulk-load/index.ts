import { type DataLocation, resolveDataLocation } from '../../../server/src/db/data-location.ts'
import { loadPostgres } from './postgres.ts'
import { loadSqlite } from './sqlite.ts'
import type { BulkLoader, Filled } from './types.ts'

export { type BulkLoader, ExclusiveAccessError } from './types.ts'

/**
 * Runs `work` with exclusive access to the data, in one transaction: if it throws or the process is killed, nothing is stored. The caller
 * holds the data lock and has no other connection open. Indexes, triggers and foreign keys are dropped first and created again at the end,
 * which is faster than writing row by row if the tables were almost empty before.
 * @throws ExclusiveAccessError before anything has happened
 */
export const openBulkLoader = <T>(location: DataLocation, filled: Filled, work: (load: BulkLoader) => Promise<T>): Promise<T> => {
  const address = resolveDataLocation(location)
  return 'file' in address
    ? loadSqlite(address.file, filled.tables, work)
    : loadPostgres({ url: address.server, pooler: location.pooler ?? 'off' }, filled, work)
}
