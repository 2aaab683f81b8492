import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'

/** The newest first: a reversal goes before what it takes back. */
const ledger = statement<{ id: number }>(
  'delete from points_ledger where id in (select id from points_ledger where user_id = $1 order by id desc limit $2) returning id',
)
const KEPT = ['daily_scores', 'period_scores', 'contribution_counts', 'achievements'].map((table) =>
  statement(`delete from ${table} where user_id = $1`),
)
const nothing = statement('update users set total_points = 0 where id = $1 and total_points <> 0')

/** Removes some points of an account that goes away, at most `limit` rows of the ledger, and at last what is kept of them; how many. */
export const erasePoints = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  await lockRow(db, 'users', userId)
  const gone = (await ledger(db, [userId, limit])).length
  if (gone === limit) return gone
  for (const run of KEPT) await run(db, [userId])
  await nothing(db, [userId])
  return gone
}
