import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { besideRead } from '../../core/read-guard.ts'
import { foldChanges, PORTION } from './apply-changes.ts'
import { rebuildFigures } from './rebuild.ts'
import { readState, standingOf } from './rollup-state.ts'

const ROUND_MS = 1000
/** No rebuild is held for longer; one that seems to be was begun by a clock that has been put back. */
const LONGEST_REBUILD_S = 120
/** How long somebody who reads the figures waits for them to be brought up to date. */
const PATIENCE_MS = 2000
/** Portions of changes that are taken in before somebody else's turn. */
const PORTIONS = 40

const createRollups = (services: Services) => {
  const { database, clock, log } = services
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let stopped = false
  /** Rises when work that is under way is to end. */
  let stops = 0

  const work = async () => {
    const before = stops
    if ((await standingOf(database.read)) === 'outdated') {
      const { rebuilding_until: until } = await readState(database.read)
      const now = nowOf(clock)
      if (until === null || until <= now || until > shift(now, LONGEST_REBUILD_S)) await rebuildFigures(services, () => stops === before)
    }
    for (let i = 0; i < PORTIONS && (await standingOf(database.read)) === 'changes wait'; i++) {
      if ((await database.write(foldChanges, 'background')) < PORTION) return
    }
  }

  const round = () => {
    running ??= besideRead(work)
      .catch((error) => log.warn({ err: error }, 'figures cannot be brought up to date now'))
      .finally(() => {
        running = null
      })
    return running
  }

  const schedule = (delay: number) => {
    if (stopped) return
    timer = setTimeout(() => void round().then(() => schedule(ROUND_MS)), delay)
    timer.unref()
  }

  return {
    /** Brings the figures up to what is committed now, if that takes no longer than somebody would wait. */
    catchUp: async (): Promise<void> => {
      if ((await standingOf(database.read)) === 'current') return
      let late: NodeJS.Timeout | undefined
      const patience = new Promise((resolve) => {
        late = setTimeout(resolve, PATIENCE_MS)
      })
      // A round that is under way may have looked before the last commit.
      await Promise.race([(running ?? Promise.resolve()).then(round), patience])
      clearTimeout(late)
    },
    start: () => schedule(ROUND_MS),
    stop: async () => {
      stopped = true
      stops += 1
      if (timer) clearTimeout(timer)
      await running
    },
  }
}

export type Rollups = ReturnType<typeof createRollups>

const known = new WeakMap<Services['database'], Rollups>()

/** What keeps the figures of this process's database. Several processes do no harm to each other. */
export const rollupsOf = (services: Services): Rollups => {
  const found = known.get(services.database)
  if (found) return found
  const made = createRollups(services)
  known.set(services.database, made)
  return made
}
