import type { RecurringTask } from '../../../core/module.ts'
import { markFeedChanges, pruneFeedChanges } from '../../../db/index.ts'

const BATCH_SIZE = 2000

/** Deletes change log entries older than some hours. A process that has not read them by then reloads its feed index. */
export const pruneChanges: RecurringTask = {
  name: 'feed_changes',
  run: async ({ database }) => {
    await database.write((db) => markFeedChanges(db))
    let total = 0
    for (let removed = BATCH_SIZE; removed === BATCH_SIZE; total += removed)
      removed = await database.write((db) => pruneFeedChanges(db, BATCH_SIZE))
    return total
  },
}
