import { nowOf } from '../../../core/clock.ts'
import type { Services } from '../../../core/context.ts'
import type { RecurringTask } from '../../../core/module.ts'
import { tryLockName } from '../../../db/index.ts'
import type { Writer } from '../../../jobs/index.ts'
import { createPeriodic } from '../../../util/periodic.ts'
import { claimDigests, membersScheduledTooLate, newestAccount, rescheduleDigests, scheduleMissingDigests } from './digest-queue.ts'

const MINUTE_MS = 60_000
const FIRST_AFTER_MS = 15_000
const LOCK = 'delivery.digests'
const REPAIR_BATCH = 100

/** Checks every minute for due digests and enqueues their jobs. Safe to run in several processes. */
export const createDigestScheduler = ({ database, log }: Services, write: Writer) => {
  /** Members up to this id are scheduled. Registration schedules new members, so only imported ones have to be found. */
  let scheduledUpTo = 0

  const scheduleUnscheduled = async (shouldContinue: () => boolean) => {
    const last = await newestAccount(database.read)
    for (let cursor: number | null = scheduledUpTo; cursor !== null && cursor < last && shouldContinue(); ) {
      const from: number = cursor
      cursor = await write(null, (ctx) => scheduleMissingDigests(ctx, from))
    }
    if (shouldContinue()) scheduledUpTo = last
  }

  const round = async (goesOn: () => boolean) => {
    await scheduleUnscheduled(goesOn)
    for (let taken = 1; taken > 0 && goesOn(); ) {
      taken = await write(null, async (ctx) => ((await tryLockName(ctx.db, LOCK)) ? claimDigests(ctx) : 0))
    }
  }

  const loop = createPeriodic({
    everyMs: MINUTE_MS,
    firstAfterMs: FIRST_AFTER_MS,
    run: round,
    onError: (error) => log.warn({ event: 'digest_scheduling_failed', err: error }, 'digest scheduling failed'),
  })

  return {
    /** Runs one round immediately, even after `stop`. */
    run: () => round(() => true),
    start: loop.start,
    stop: loop.stop,
  }
}

/** Hourly repair of digests that were scheduled while the clock was ahead. */
export const repairDigestSchedules: RecurringTask = {
  name: 'digests',
  run: async ({ database, clock }, write) => {
    let total = 0
    for (let moved = REPAIR_BATCH; moved === REPAIR_BATCH; total += moved) {
      const ids = await membersScheduledTooLate(database.read, nowOf(clock), REPAIR_BATCH)
      moved = ids.length
      if (moved > 0) await write(null, (ctx) => rescheduleDigests(ctx, ids))
    }
    return total
  },
}

export type DigestScheduler = ReturnType<typeof createDigestScheduler>
