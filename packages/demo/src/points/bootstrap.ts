import type { Services } from '../../../server/src/core/context.ts'
import { type Db, refreshStatisticsOf, runText } from '../../../server/src/db/index.ts'
import { countsFrom, daysFrom, insertInto, periodsFrom } from '../../../server/src/modules/leaderboard/aggregate-sql.ts'
import { pointsConfig } from '../../../server/src/modules/leaderboard/levels.ts'
import { openPeriods } from '../../../server/src/modules/leaderboard/periods.ts'
import {
  highestId,
  insertAchievements,
  insertBonuses,
  insertFromSource,
  insertLogins,
  SOURCES,
} from '../../../transfer/src/bulk/ledger-sql.ts'

/** Statements that fill the stored values of all users, if none exist yet. */
const bootstrapStatements = [
  insertInto('daily_scores', daysFrom('')),
  insertInto('period_scores', periodsFrom('', `'ready', 'filling'`)),
  insertInto('contribution_counts', countsFrom('')),
  `update users set total_points = l.n from (select d.user_id, sum(d.points) as n from daily_scores d where d.space_id = 0 group by d.user_id) l
   where l.user_id = users.id`,
]

const allUsers = () => '1 = 1'

/**
 * Fills an empty ledger with one statement per source, like `backfillLedger`, for a process with exclusive access to the data. The ledger
 * is empty, so no conflict checks are needed. Yields after each of `BOOTSTRAP_STEPS`; call `insertAllAchievements` afterwards.
 */
export async function* bootstrapLedger(db: Db): AsyncGenerator<void> {
  const points = await pointsConfig(db)
  for (const source of SOURCES) {
    await insertFromSource(db, source, points[source.kind as keyof typeof points], 0, await highestId(db, source.table), '')
    yield
  }
  await runText(db, insertLogins(allUsers, '$1', ''), [points.daily_login])
  await refreshStatisticsOf(db, 'points_ledger')
  yield
  for (const text of [insertBonuses('', ''), ...bootstrapStatements]) {
    await runText(db, text, [])
    yield
  }
}

export const BOOTSTRAP_STEPS = SOURCES.length + 2 + bootstrapStatements.length

/** Inserts the achievements of all users, after the ledger and its indexes exist. */
export const insertAllAchievements = async (db: Db): Promise<void> => {
  for (const text of insertAchievements(allUsers)) await runText(db, text, [])
}

/** Opens the periods of today and tomorrow, lets `fill` compute their sums and marks them as ready. */
export const bootstrapPeriods = async (services: Pick<Services, 'database' | 'clock'>, fill: () => Promise<void>): Promise<void> => {
  await openPeriods(services)
  await fill()
  await services.database.write((db) => runText(db, `update score_periods set state = 'ready' where state = 'filling'`, []))
}
