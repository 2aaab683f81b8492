import { type Database, type Db, dialectOf } from '../database.ts'
import { withoutTimeouts } from '../postgres/database.ts'
import { runText } from './statement.ts'

/**
 * Lets PostgreSQL look at its rows anew after very many came at once, since it plans by what it knows of them. On SQLite plans follow from
 * the indexes alone, so that they stay what the tests have pinned.
 */
export const refreshStatistics = (database: Database): Promise<void> =>
  database.write(async (db) => {
    if (dialectOf(db) !== 'postgres') return
    await withoutTimeouts(db)
    await runText(db, 'analyze', [])
  })

/** The same of one table, within the transaction that fills it. */
export const refreshStatisticsOf = async (db: Db, table: string): Promise<void> => {
  if (dialectOf(db) === 'postgres') await runText(db, `analyze ${table}`, [])
}
