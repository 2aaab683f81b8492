import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement } from '../../db/index.ts'

/** Newest rows first, so that a reversal is deleted before the row it reverses. */
const deleteLedgerRows = statement<{ id: number }>(
  'delete from points_ledger where id in (select id from points_ledger where user_id = $1 order by id desc limit $2) returning id',
)
const DELETE_DERIVED = ['points_unfolded', 'daily_scores', 'period_scores', 'contribution_counts', 'achievements'].map((table) =>
  statement(`delete from ${table} where user_id = $1`),
)
const resetTotal = statement('update users set total_points = 0 where id = $1 and total_points <> 0')

/** Deletes at most `limit` ledger rows of an account that is being erased, and the derived values with the last ones. Returns how many. */
export const erasePoints = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  await lockRow(db, 'users', userId)
  const deleted = (await deleteLedgerRows(db, [userId, limit])).length
  if (deleted === limit) return deleted
  for (const run of DELETE_DERIVED) await run(db, [userId])
  await resetTotal(db, [userId])
  return deleted
}
