import { nowOf, shift } from '../../core/clock.ts'
import type { RecurringTask } from '../../core/module.ts'
import { statement } from '../../db/index.ts'
import { READ_RETENTION_S, UNREAD_RETENTION_S } from './retention.ts'

/** Rows per transaction, so that requests do not wait long for the write lock. */
const BATCH = 200

/** The condition is part of the text: only then do SQLite's partial indexes apply. */
const sweep = (condition: string) =>
  statement<{ id: number }>(
    `delete from notifications where id in
     (select id from notifications where ${condition} and created_at <= $1 order by created_at limit ${BATCH}) returning id`,
  )
const SWEEPS = [
  [sweep('is_read = 1'), READ_RETENTION_S],
  [sweep('is_read = 0'), UNREAD_RETENTION_S],
] as const

export const sweepNotifications: RecurringTask = {
  name: 'notifications',
  run: async ({ database, clock }) => {
    let total = 0
    for (const [remove, retentionS] of SWEEPS) {
      const before = shift(nowOf(clock), -retentionS)
      for (let removed = BATCH; removed === BATCH; total += removed) {
        removed = (await database.write((db) => remove(db, [before]))).length
      }
    }
    return total
  },
}
