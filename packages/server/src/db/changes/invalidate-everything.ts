import { type Db, dialectOf } from '../database.ts'
import { INVALIDATE_EVERYTHING } from '../postgres/change-log-schema.ts'
import { runText } from '../sql/statement.ts'

/**
 * Makes a transaction invalidate the whole cache of every instance, so that its further changes need not record what they invalidate. On SQLite,
 * instances see that another process has written.
 */
export const invalidateEverything = async (db: Db): Promise<void> => {
  if (dialectOf(db) === 'postgres') await runText(db, INVALIDATE_EVERYTHING, [])
}
