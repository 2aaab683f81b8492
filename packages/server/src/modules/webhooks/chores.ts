import { nowOf, shift } from '../../platform/clock.ts'
import type { Chore } from '../../platform/module.ts'
import { sweepDeliveries } from './queries.ts'

/** How long deliveries are listed. */
const KEPT_S = 30 * 24 * 3600
/** Rows a write takes, so that no request waits long for it. */
const BATCH = 500

export const sweepLog: Chore = {
  name: 'webhook_deliveries',
  run: async ({ database, clock }) => {
    const before = shift(nowOf(clock), -KEPT_S)
    let total = 0
    for (let removed = BATCH; removed === BATCH; total += removed) {
      removed = await database.write((db) => sweepDeliveries(db, before, BATCH))
    }
    return total
  },
}
