import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { besideRead } from '../../core/read-guard.ts'
import { applyChanges, BATCH_SIZE } from './apply-changes.ts'
import { rebuildRollups } from './rebuild.ts'
import { readState, rollupStateOf } from './rollup-state.ts'

const INTERVAL_MS = 1000
/** A lease that lasts longer was written before a clock was set back. */
const MAX_REBUILD_S = 120
/** How long a read waits for the rollups to catch up. */
const CATCH_UP_TIMEOUT_MS = 2000
/** Batches of changes applied before other background work gets its turn. */
const MAX_BATCHES = 40

const createRollups = (services: Services) => {
  const { database, clock, log } = services
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let stopped = false
  /** Incremented to stop work in progress. */
  let stopCount = 0

  const work = async () => {
    const before = stopCount
    if ((await rollupStateOf(database.read)) === 'outdated') {
      const { rebuilding_until: until } = await readState(database.read)
      const now = nowOf(clock)
      if (until === null || until <= now || until > shift(now, MAX_REBUILD_S)) await rebuildRollups(services, () => stopCount === before)
    }
    for (let i = 0; i < MAX_BATCHES && (await rollupStateOf(database.read)) === 'changes wait'; i++) {
      if ((await database.write(applyChanges, 'background')) < BATCH_SIZE) return
    }
  }

  const runOnce = () => {
    running ??= besideRead(work)
      .catch((error) => log.warn({ event: 'rollup_update_failed', err: error }, 'analytics rollup update failed'))
      .finally(() => {
        running = null
      })
    return running
  }

  const schedule = (delay: number) => {
    if (stopped) return
    timer = setTimeout(() => void runOnce().then(() => schedule(INTERVAL_MS)), delay)
    timer.unref()
  }

  return {
    /** Applies the changes committed so far, within the timeout. */
    catchUp: async (): Promise<void> => {
      if ((await rollupStateOf(database.read)) === 'current') return
      let late: NodeJS.Timeout | undefined
      const timeout = new Promise((resolve) => {
        late = setTimeout(resolve, CATCH_UP_TIMEOUT_MS)
      })
      // A run in progress may have read before the last commit.
      await Promise.race([(running ?? Promise.resolve()).then(runOnce), timeout])
      clearTimeout(late)
    },
    start: () => schedule(INTERVAL_MS),
    stop: async () => {
      stopped = true
      stopCount += 1
      if (timer) clearTimeout(timer)
      await running
    },
  }
}

export type Rollups = ReturnType<typeof createRollups>

const rollupsByDatabase = new WeakMap<Services['database'], Rollups>()

/** The rollup worker of this process for a database. Several processes may run one concurrently. */
export const rollupsOf = (services: Services): Rollups => {
  const found = rollupsByDatabase.get(services.database)
  if (found) return found
  const made = createRollups(services)
  rollupsByDatabase.set(services.database, made)
  return made
}
