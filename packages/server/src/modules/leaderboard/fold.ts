import type { PointsAggregates } from '../../core/context.ts'
import { besideRead } from '../../core/read-guard.ts'
import { batchStatement, type Database, type Db, lockUsers, statementValues } from '../../db/index.ts'
import { coalesce } from '../../util/coalesce.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import { countsFrom, daysFrom, insertInto, periodsFrom, unfoldedOf } from './aggregate-sql.ts'

/** Users whose aggregates one write updates: about sixteen rows each, while other writes wait. */
const USERS_PER_BATCH = 32
/** Reads fold again only if the aggregates may be older than this. */
const MAX_AGE_MS = 1000
/** How long a read waits for the aggregates to catch up. */
const TIMEOUT_MS = 2000

const waiting = statementValues<number>(`select user_id from points_unfolded order by user_id limit ${USERS_PER_BATCH}`)
const ofUsers = (text: (users: string) => string) => batchStatement({ user_id: 'bigint' }, text)

/** Levels that the totals reach with any of the rows, even if later rows take the points back. */
const insertLevels = ofUsers(
  (users) => `insert into achievements (user_id, code, level_id, earned_at)
    select r.user_id, 'level:' || v.id, v.id, min(r.created_at) from
      (select l.user_id, l.created_at, l.former, l.former + sum(l.points) over (partition by l.user_id order by l.id) as reached from
        (select l.id, l.user_id, l.created_at, l.points, (select u.total_points from users u where u.id = l.user_id) as former
         from ${unfoldedOf(users)}) l) r
    join leaderboard_levels v on v.min_points > r.former and v.min_points <= r.reached
    where 1 = 1 group by r.user_id, v.id order by r.user_id, v.min_points on conflict (user_id, code) do nothing`,
)
const addTotals = ofUsers(
  (users) => `update users set total_points = total_points + s.points from
    (select l.user_id, sum(l.points) as points from ${unfoldedOf(users)} group by l.user_id having sum(l.points) <> 0) s where users.id = s.user_id`,
)
const daysOf = (users: string) => daysFrom('', unfoldedOf(users))
/** In this order: the levels depend on the totals before, and the last one removes the marks that all others read. */
const FOLD = [
  insertLevels,
  addTotals,
  ofUsers((users) => insertInto('daily_scores', daysOf(users), 'add')),
  ofUsers((users) => insertInto('period_scores', periodsFrom('', `'ready', 'filling'`, `(${daysOf(users)})`), 'add')),
  ofUsers((users) => insertInto('contribution_counts', countsFrom('', unfoldedOf(users)), 'add')),
  ofUsers((users) => `delete from points_unfolded where user_id in (select d.user_id from ${users} d)`),
]

/**
 * Adds the unfolded ledger rows of some users to their aggregates. Under a user's lock, all their rows are committed and in the order of their
 * ids. Returns the number of users.
 */
const foldBatch = async (db: Db): Promise<number> => {
  const users = await waiting(db)
  if (users.length === 0) return 0
  await lockUsers(db, users)
  for (const run of FOLD) await run(db, users)
  return users.length
}

/** Keeps the aggregates of the ledger: totals, daily and period scores, counts, levels reached. */
export const createPointsAggregates = (database: Database): PointsAggregates => {
  let incomplete = false
  let foldedAt = Number.NEGATIVE_INFINITY

  const fold = coalesce(() =>
    besideRead(async () => {
      incomplete = false
      foldedAt = performance.now()
      if ((await waiting(database.read)).length === 0) return
      while ((await database.write(foldBatch, 'background')) === USERS_PER_BATCH);
    }),
  )

  return {
    noteAdded: () => {
      incomplete = true
    },
    fold,
    catchUp: async () => {
      if (!incomplete || performance.now() - foldedAt < MAX_AGE_MS) return
      await withTimeout(
        fold().catch(() => {}),
        TIMEOUT_MS,
        undefined,
      )
    },
  }
}
