import { nowOf, shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import type { RecurringTask } from '../../core/module.ts'
import { LEASE_S, SEND_JOB } from './deliver.ts'
import { capFutureTimes, sweepDeliveries } from './queries.ts'
import { LONGEST_DELAY_S, LONGEST_PAUSE_S } from './retry-policy.ts'

const RETENTION_S = 30 * 24 * 3600
/** Rows per transaction, so that requests do not wait long for the write lock. */
const BATCH = 500

/** Tolerated clock skew between servers. */
const CLOCK_S = 60

/** Corrects times that were set while the clock was ahead: retries are sent when due, and pauses and leases end on time. */
const repairClockSkew = async ({ db, now, enqueue }: WriteContext): Promise<number> => {
  const ids = await capFutureTimes(db, {
    now,
    born: shift(now, CLOCK_S),
    lease: shift(now, LEASE_S + CLOCK_S),
    pause: shift(now, LONGEST_PAUSE_S + CLOCK_S),
    wait: shift(now, LONGEST_DELAY_S),
  })
  for (const webhook_id of ids) await enqueue(SEND_JOB, { webhook_id })
  return ids.length
}

export const repairWebhookTimes: RecurringTask = { name: 'webhook_waits', run: (_services, write) => write(null, repairClockSkew) }

export const sweepLog: RecurringTask = {
  name: 'webhook_deliveries',
  run: async ({ database, clock }) => {
    const before = shift(nowOf(clock), -RETENTION_S)
    let total = 0
    for (let removed = BATCH; removed === BATCH; total += removed) {
      removed = await database.write((db) => sweepDeliveries(db, [before, BATCH]))
    }
    return total
  },
}
