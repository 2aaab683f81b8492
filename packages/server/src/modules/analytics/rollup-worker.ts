import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { besideRead } from '../../core/read-guard.ts'
import { type Db, lockName, statement, statementOne } from '../../db/index.ts'
import { createPeriodic } from '../../util/periodic.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import { addToRollups, CHANGE_COLUMNS, type Change, createAccumulators } from './accumulators.ts'
import { rebuildRollups } from './rebuild.ts'
import { LOCK, notifyChanged, readState, rollupStateOf } from './rollup-state.ts'

/** Reads apply the changes themselves. The longer the interval, the more changes each rollup row takes at once. */
const INTERVAL_MS = 5000
/** A lease that lasts longer was written before a clock was set back. */
const MAX_REBUILD_S = 120
/** How long a read waits for the rollups to catch up. */
const CATCH_UP_TIMEOUT_MS = 2000
/** Batches of changes applied before other background work gets its turn. */
const MAX_BATCHES = 10

/** A batch of changes is applied in parts, each with some of the members, because other writes wait for each transaction. */
const BATCH_SIZE = 2000
const PART_SIZE = 250

const countWaiting = statementOne<{ changes: number }>(
  `select count(*) as changes from (select 1 as one from analytics_outbox where id > 0 limit ${BATCH_SIZE}) o`,
)
const takePart = statement<Change>(
  `delete from analytics_outbox where id in (select o.id from
     (select id, user_id from analytics_outbox where id > 0 order by id limit ${BATCH_SIZE}) o where coalesce(o.user_id, 0) % $1 = $2)
   returning ${CHANGE_COLUMNS}`,
)

/** Applies the oldest changes of the members of a part to the rollups and returns their number. Does nothing during a rebuild. */
export const applyChanges = async (db: Db, part = 0, parts = 1): Promise<number> => {
  await lockName(db, LOCK)
  const { stale, generation, zone } = await readState(db)
  if (stale) return 0
  const changes = await takePart(db, [parts, part])
  const sums = createAccumulators(zone)
  for (const change of changes) sums.add(change)
  await addToRollups(db, generation, sums)
  if (changes.length > 0) await notifyChanged(db)
  return changes.length
}

const createRollups = (services: Services) => {
  const { database, clock, log } = services

  const applyBatch = async (): Promise<number> => {
    const parts = Math.ceil(((await countWaiting(database.read, []))?.changes ?? 0) / PART_SIZE)
    let applied = 0
    for (let part = 0; part < parts; part++) applied += await database.write((db) => applyChanges(db, part, parts), 'background')
    return applied
  }

  const work = async (shouldContinue: () => boolean) => {
    if ((await rollupStateOf(database.read)) === 'outdated') {
      const { rebuilding_until: until } = await readState(database.read)
      const now = nowOf(clock)
      if (until === null || until <= now || until > shift(now, MAX_REBUILD_S)) await rebuildRollups(services, shouldContinue)
    }
    for (let i = 0; i < MAX_BATCHES && (await rollupStateOf(database.read)) === 'changes wait'; i++) {
      if ((await applyBatch()) < BATCH_SIZE) return
    }
  }

  const loop = createPeriodic({
    everyMs: INTERVAL_MS,
    run: (shouldContinue) => besideRead(() => work(shouldContinue)),
    onError: (error) => log.warn({ event: 'rollup_update_failed', err: error }, 'analytics rollup update failed'),
  })

  return {
    /** Applies the changes committed so far, within the timeout. */
    catchUp: async (): Promise<void> => {
      if ((await rollupStateOf(database.read)) === 'current') return
      // A run in progress may have read before the last commit.
      await withTimeout(loop.settled().then(loop.runNow), CATCH_UP_TIMEOUT_MS, undefined)
    },
    start: loop.start,
    stop: loop.stop,
  }
}

export type Rollups = ReturnType<typeof createRollups>

/** The rollup worker of this process. Several processes may run one concurrently. */
export const rollupsOf = ({ stateOf }: Pick<Services, 'stateOf'>): Rollups => stateOf(createRollups)
