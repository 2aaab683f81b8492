import { shift } from '../../core/clock.ts'
import { type Db, rowVersion, runText, statement, statementExists, statementOne, type Tables } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'

/** The state of the rollups; `version` changes with them, on PostgreSQL (`rowVersion`). */
type State = Omit<Tables['analytics_state'], 'id'> & { readonly version: string | null }

/** Updates the state row, so that caches of the rollups are invalidated. */
export const notifyChanged = statement('update analytics_state set generation = generation where id = 1')
const hasChanges = statementExists('select id from analytics_outbox where id > 0 order by id limit 1')
export const markStale = statement('update analytics_state set stale = 1 where id = 1')
const claim = statementOne<{ generation: number }>(
  `update analytics_state set stale = 1, rebuilding_until = $1
   where id = 1 and (rebuilding_until is null or rebuilding_until <= $2 or rebuilding_until > $3) returning generation`,
)
/** Extends the lease of the rebuild from `$2` to `$1`; false if another process has taken it over. */
export const extendRebuild = statementExists(
  'update analytics_state set rebuilding_until = $1 where id = 1 and rebuilding_until = $2 returning id',
)
export const releaseRebuild = statement('update analytics_state set rebuilding_until = null where id = 1 and rebuilding_until = $1')
export const finishRebuild = statement(
  'update analytics_state set generation = $1, zone = $2, stale = 0, rebuilding_until = null where id = 1',
)

/** Maximum difference between the clocks of servers. */
const MAX_CLOCK_SKEW_S = 60

export const LOCK = 'analytics'

export const readState = async (db: Db): Promise<State> => {
  const text = `select s.generation, s.zone, s.stale, s.rebuilding_until, ${rowVersion(db, 's')} as version from analytics_state s where s.id = 1`
  return (await runText<State>(db, text, []))[0] ?? { generation: 0, zone: 'UTC', stale: 1, rebuilding_until: null, version: null }
}

/** Claims the rebuild and returns the current generation; null if another process holds it. */
export const claimRebuild = async (db: Db, now: string, until: string): Promise<number | null> =>
  // A lease further in the future was written before a clock was set back.
  (await claim(db, [until, now, shift(until, MAX_CLOCK_SKEW_S)]))?.generation ?? null

type RollupState = 'current' | 'changes wait' | 'outdated'

export const rollupStateOf = async (db: Db): Promise<RollupState> => {
  const { stale, zone } = await readState(db)
  if (stale || zone !== (await readSetting(db, 'timezone'))) return 'outdated'
  return (await hasChanges(db)) ? 'changes wait' : 'current'
}

const MAX_RETRIES = 3

/** Wraps handlers so that they run again if a rebuild ends while they run, because it deletes the rows of the previous generation. */
export const withConsistentGeneration = <H extends object>(handlers: H): H => {
  const withRetry =
    (handle: (ctx: { readonly db: Db }, input: unknown) => Promise<unknown>) => async (ctx: { readonly db: Db }, input: unknown) => {
      let before = await readState(ctx.db)
      for (let left = MAX_RETRIES; ; left--) {
        const answer = await handle(ctx, input)
        const after = await readState(ctx.db)
        if (after.generation === before.generation || left === 0) return answer
        before = after
      }
    }
  return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, withRetry(handle)])) as H
}
