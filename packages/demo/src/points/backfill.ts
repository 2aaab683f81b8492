import type { Services } from '../../../server/src/core/context.ts'
import { type Database, type Db, lockUsers, runText } from '../../../server/src/db/index.ts'
import { rebuildStatements, updatePeriods } from '../../../server/src/modules/leaderboard/index.ts'
import { pointsConfig } from '../../../server/src/modules/leaderboard/levels.ts'
import {
  highestId,
  insertAchievements,
  insertBonuses,
  insertFromSource,
  insertLogins,
  SOURCES,
} from '../../../transfer/src/bulk/ledger-sql.ts'
import { createWritePacing } from '../../../transfer/src/bulk/write-pacing.ts'

const ROWS_PER_BATCH = 2000
const USERS_PER_BATCH = 100

const who = (column: string) => `${column} > $1 and ${column} <= $2`

/** Completes the ledger of some users and rebuilds their stored values. */
const completeUsers = async (db: Db, login: number, after: number, last: number): Promise<void> => {
  const between = [after, last]
  const people = await runText<{ id: number }>(db, 'select id from users where id > $1 and id <= $2 order by id', between)
  // A running server may be awarding points to some of them.
  await lockUsers(
    db,
    people.map(({ id }) => id),
  )
  await runText(db, insertLogins(who, '$3'), [...between, login])
  await runText(db, insertBonuses(` and ${who('l.user_id')}`), between)
  for (const texts of Object.values(rebuildStatements(who))) for (const text of texts) await runText(db, text, between)
  for (const text of insertAchievements(who)) await runText(db, text, between)
}

interface Work {
  readonly database: Database
  /** Called between two writes; false stops the backfill. */
  readonly shouldContinue: () => Promise<boolean>
}

/**
 * Adds ledger rows for content that was created without events. Days are in UTC. Writes in small batches, can be
 * stopped between any two, and is idempotent.
 */
export const backfillLedger = async ({ database, shouldContinue }: Work): Promise<void> => {
  const { read } = database
  const points = await pointsConfig(read)
  for (const source of SOURCES) {
    const end = await highestId(read, source.table)
    for (let after = 0; after < end; after += ROWS_PER_BATCH) {
      if (!(await shouldContinue())) return
      await database.write((db) => insertFromSource(db, source, points[source.kind as keyof typeof points], after, after + ROWS_PER_BATCH))
    }
  }
  const last = await highestId(read, 'users')
  for (let after = 0; after < last; after += USERS_PER_BATCH) {
    if (!(await shouldContinue())) return
    await database.write((db) => completeUsers(db, points.daily_login, after, after + USERS_PER_BATCH))
  }
}

interface PointsOptions {
  readonly services: Services
  /** Whether a server is running, so that writes leave gaps for it. */
  readonly beside: boolean
  readonly signal: AbortSignal
}

/** Gives the people of the community the points that their posts, comments, reactions and courses are worth. */
export const insertPoints = async ({ services, beside, signal }: PointsOptions): Promise<void> => {
  const pacing = createWritePacing({ beside })
  const goOn = async () => {
    await pacing.rest()
    return !signal.aborted
  }
  await backfillLedger({ database: services.database, shouldContinue: goOn })
  if (!signal.aborted) await updatePeriods(services)
}
