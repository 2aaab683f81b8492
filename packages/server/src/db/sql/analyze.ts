import { type Database, type Db, dialectOf } from '../database.ts'
import { withoutTimeouts } from '../postgres/database.ts'
import { runText } from './statement.ts'

/**
 * Updates the planner statistics of PostgreSQL after a bulk load. On SQLite the plans depend on the indexes only, so that they are those that the
 * tests check.
 */
export const refreshStatistics = (database: Database): Promise<void> =>
  database.write(async (db) => {
    if (dialectOf(db) !== 'postgres') return
    await withoutTimeouts(db)
    await runText(db, 'analyze', [])
  })

/** The same for one table, in the transaction that fills it. */
export const refreshStatisticsOf = async (db: Db, table: string): Promise<void> => {
  if (dialectOf(db) === 'postgres') await runText(db, `analyze ${table}`, [])
}
