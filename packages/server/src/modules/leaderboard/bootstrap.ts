import { type Db, refreshStatisticsOf, runText } from '../../db/index.ts'
import { fillSums } from './aggregate-sql.ts'
import { bonusesInto, earn, highestId, loginsInto, reachedInto, SOURCES } from './backfill.ts'
import { pointsConfig } from './levels.ts'

const everybody = () => '1 = 1'

/**
 * The same as `enterContent` for a community of which the ledger knows nothing yet, each source in one statement: for whoever is alone with
 * the data. Nothing is entered twice, so that it needs no key to find out. Yields after each of `FILL_STEPS`; `reachAll` is still to follow.
 */
export async function* fillLedger(db: Db): AsyncGenerator<void> {
  const points = await pointsConfig(db)
  for (const source of SOURCES) {
    await earn(db, source, points[source.kind as keyof typeof points], 0, await highestId(db, source.table), '')
    yield
  }
  await runText(db, loginsInto(everybody, '$1', ''), [points.daily_login])
  await refreshStatisticsOf(db, 'points_ledger')
  yield
  for (const text of [bonusesInto('', ''), ...fillSums]) {
    await runText(db, text, [])
    yield
  }
}

export const FILL_STEPS = SOURCES.length + 2 + fillSums.length

/** Achievements of everybody, once the ledger and its indexes are there. */
export const reachAll = async (db: Db): Promise<void> => {
  for (const text of reachedInto(everybody)) await runText(db, text, [])
}
