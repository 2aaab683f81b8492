import { shift } from '../../core/clock.ts'
import { type Db, rowVersion, statement, statementOne } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'

export interface State {
  /** The generation of rows to read. */
  readonly generation: number
  /** The time zone of the days. */
  readonly zone: string
  readonly stale: 0 | 1
  readonly rebuilding_until: string | null
  /** Changes with the rollups, on PostgreSQL (`rowVersion`). */
  readonly version: string | null
}

const stateStatement = (version: string) =>
  statementOne<State>(
    `select s.generation, s.zone, s.stale, s.rebuilding_until, ${version} as version from analytics_state s where s.id = 1`,
  )
const stateStatements = new Map<string, ReturnType<typeof stateStatement>>()
const touch = statement('update analytics_state set generation = generation where id = 1')
const oldestChange = statementOne<{ id: number }>('select id from analytics_outbox where id > 0 order by id limit 1')
const setStale = statement('update analytics_state set stale = 1 where id = 1')
const claim = statementOne<{ generation: number }>(
  `update analytics_state set stale = 1, rebuilding_until = $1
   where id = 1 and (rebuilding_until is null or rebuilding_until <= $2 or rebuilding_until > $3) returning generation`,
)
const extend = statementOne<{ id: number }>(
  'update analytics_state set rebuilding_until = $1 where id = 1 and rebuilding_until = $2 returning id',
)
const release = statement('update analytics_state set rebuilding_until = null where id = 1 and rebuilding_until = $1')
const finish = statement('update analytics_state set generation = $1, zone = $2, stale = 0, rebuilding_until = null where id = 1')

/** Maximum difference between the clocks of servers. */
const MAX_CLOCK_SKEW_S = 60

/** Advisory lock for changing the rollups. */
export const LOCK = 'analytics'

export const readState = async (db: Db): Promise<State> => {
  const version = rowVersion(db, 's')
  const read = stateStatements.get(version) ?? stateStatement(version)
  stateStatements.set(version, read)
  return (await read(db)) ?? { generation: 0, zone: 'UTC', stale: 1, rebuilding_until: null, version: null }
}

/** Updates the state row, so that caches of the rollups are invalidated. */
export const notifyChanged = (db: Db) => touch(db)

export const markStale = (db: Db) => setStale(db)
/** Claims the rebuild and returns the current generation; null if another process holds it. */
export const claimRebuild = async (db: Db, now: string, until: string): Promise<number | null> =>
  // A lease further in the future was written before a clock was set back.
  (await claim(db, [until, now, shift(until, MAX_CLOCK_SKEW_S)]))?.generation ?? null
/** Extends the lease of the rebuild; false if another process has taken it over. */
export const extendRebuild = async (db: Db, leaseEnd: string, until: string): Promise<boolean> =>
  (await extend(db, [until, leaseEnd])) !== undefined
/** Releases the claimed rebuild. */
export const releaseRebuild = (db: Db, leaseEnd: string) => release(db, [leaseEnd])
export const finishRebuild = (db: Db, generation: number, zone: string) => finish(db, [generation, zone])

type RollupState = 'current' | 'changes wait' | 'outdated'

/** Whether the rollups are up to date with the counted rows. */
export const rollupStateOf = async (db: Db): Promise<RollupState> => {
  const { stale, zone } = await readState(db)
  if (stale || zone !== (await readSetting(db, 'timezone'))) return 'outdated'
  return (await oldestChange(db)) ? 'changes wait' : 'current'
}
