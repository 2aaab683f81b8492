import type { RecurringTask } from '../../../core/module.ts'
import { markFeedChanges, pruneFeedChanges } from '../../../db/index.ts'

const AT_ONCE = 2000

/** Removes notes of changed feeds that every process has read for hours; one that has not reads the feeds anew. */
export const pruneChanges: RecurringTask = {
  name: 'feed_changes',
  run: async ({ database }) => {
    await database.write((db) => markFeedChanges(db))
    let total = 0
    for (let removed = AT_ONCE; removed === AT_ONCE; total += removed) removed = await database.write((db) => pruneFeedChanges(db, AT_ONCE))
    return total
  },
}
