import { nowOf, shift } from '../../core/clock.ts'
import type { RecurringTask } from '../../core/module.ts'
import { statement } from '../../db/index.ts'
import { READ_RETENTION_S, UNREAD_RETENTION_S } from './rules.ts'

/** Rows per transaction, so that requests do not wait long for the write lock. */
const BATCH = 200

const sweep = statement<{ id: number }>(
  `delete from notifications where id in
   (select id from notifications where is_read = $1 and created_at <= $2 order by created_at limit ${BATCH}) returning id`,
)

export const sweepNotifications: RecurringTask = {
  name: 'notifications',
  run: async ({ database, clock }) => {
    let total = 0
    const limits = [
      [1, READ_RETENTION_S],
      [0, UNREAD_RETENTION_S],
    ] as const
    for (const [isRead, keptS] of limits) {
      const before = shift(nowOf(clock), -keptS)
      for (let removed = BATCH; removed === BATCH; total += removed) {
        removed = (await database.write((db) => sweep(db, [isRead, before]))).length
      }
    }
    return total
  },
}
