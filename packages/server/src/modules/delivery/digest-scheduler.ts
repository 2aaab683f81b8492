import { nowOf } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import type { RecurringTask } from '../../core/module.ts'
import { tryLockName } from '../../db/index.ts'
import type { Writer } from '../../jobs/index.ts'
import { claimDigests, newestAccount, planNewcomers, plannedAhead, replan } from './digest-queue.ts'

const MINUTE_MS = 60_000
const FIRST_AFTER_MS = 15_000
const LOCK = 'delivery.digests'
const AHEAD_AT_ONCE = 100

/** Looks once a minute which digests are due, and gives their jobs to the worker. Several processes do no harm. */
export const createDigests = ({ database, log }: Services, write: Writer) => {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let stopped = false
  /** Accounts up to here are planned: new ones plan themselves as they register, so only what was imported is left to find. */
  let planned = 0

  const findUnplanned = async (goesOn: () => boolean) => {
    const last = await newestAccount(database.read)
    for (let cursor: number | null = planned; cursor !== null && cursor < last && goesOn(); ) {
      const from: number = cursor
      cursor = await write(null, (ctx) => planNewcomers(ctx, from))
    }
    if (goesOn()) planned = last
  }

  const round = async (goesOn: () => boolean) => {
    await findUnplanned(goesOn)
    for (let taken = 1; taken > 0 && goesOn(); ) {
      taken = await write(null, async (ctx) => ((await tryLockName(ctx.db, LOCK)) ? claimDigests(ctx) : 0))
    }
  }

  const runSafely = () => {
    running ??= round(() => !stopped)
      .catch((error) => log.warn({ err: error }, 'digests cannot be planned now'))
      .finally(() => {
        running = null
      })
    return running
  }

  const schedule = (delay: number) => {
    if (stopped) return
    timer = setTimeout(() => void runSafely().then(() => schedule(MINUTE_MS)), delay)
    timer.unref()
  }

  return {
    /** One round now, also of one that was stopped. */
    run: () => round(() => true),
    start: () => schedule(FIRST_AFTER_MS),
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}

/** Once an hour it is looked for digests that a clock planned which was ahead of itself. */
export const digestsChore: RecurringTask = {
  name: 'digests',
  run: async ({ database, clock }, write) => {
    let total = 0
    for (let moved = AHEAD_AT_ONCE; moved === AHEAD_AT_ONCE; total += moved) {
      const ids = await plannedAhead(database.read, nowOf(clock), AHEAD_AT_ONCE)
      moved = ids.length
      if (moved > 0) await write(null, (ctx) => replan(ctx, ids))
    }
    return total
  },
}

export type Digests = ReturnType<typeof createDigests>
